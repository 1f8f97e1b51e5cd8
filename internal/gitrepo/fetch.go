package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// fetchRequest says what to fetch: the blobs, or the commit if there are none.
type fetchRequest struct {
	// at is the commit: it is fetched with its trees, without its parents, and without blobs if the server has filters. Or
	// it is the commit that contains the blobs.
	at oid
	// also are further commits to fetch with it, from a server that speaks protocol v2.
	also []pointer
	// ref is the ref that contains the commit, for a server that sends only what its refs point to.
	ref   string
	blobs []oid
	// keep bounds the bytes of the blobs that are kept; the others are skipped. 0 means Limits.InflatedBytes, beyond
	// which the pack is refused.
	keep int64
	// haves are commits of which all trees are available. Deltas may refer to their objects, which base returns.
	haves []oid
	base  func(oid) (object, bool)
	// pack gets the pack as it was sent. It is for all that the commit has and the haves have not: with blobs, and with
	// the commits behind it. nil for any other fetch.
	pack *bytes.Buffer
	// admit waits until there is room for a large pack; nil does not wait.
	admit func(bytes int64) (release func(), err error)
}

func (w fetchRequest) isForCommit() bool { return len(w.blobs) == 0 }

// fetch fetches objects. After a malformed response it tries once more, with newly requested capabilities and without
// haves.
func (r *remote) fetch(ctx context.Context, w fetchRequest) (map[oid]object, error) {
	c, fresh, err := r.serverCapabilities(ctx)
	if err != nil {
		return nil, err
	}
	objects, err := r.fetchWith(ctx, c, w)
	if err == nil || !isRetriable(err) || (fresh && len(w.haves) == 0) {
		return objects, err
	}
	if c, err = r.requestCapabilities(ctx); err != nil {
		return nil, err
	}
	w.haves = nil
	return r.fetchWith(ctx, c, w)
}

func (r *remote) fetchWith(ctx context.Context, c capabilities, w fetchRequest) (map[oid]object, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if r.admit == nil {
		return r.fetchOnce(ctx, c, w)
	}
	var release func()
	var waited time.Duration
	w.admit = func(bytes int64) (_ func(), err error) {
		if release == nil {
			begun := time.Now()
			release, err = r.admit(ctx, bytes)
			waited = time.Since(begun)
		}
		return func() {}, err
	}
	objects, err := r.fetchOnce(ctx, c, w)
	if release == nil {
		return objects, err
	}
	defer release()
	if waited > longWait && (isUnanswered(err) || isRetriable(err)) && ctx.Err() == nil {
		objects, err = r.fetchOnce(ctx, c, w)
	}
	return objects, err
}

// longWait is how long a server may wait until there is room for its pack. After that, its answer may be too late, or
// the server may give up; then it is asked once more, while there is room.
const longWait = time.Second

func (r *remote) fetchOnce(ctx context.Context, c capabilities, w fetchRequest) (map[oid]object, error) {
	if !c.v2 {
		return r.fetchV0(ctx, w)
	}
	request := call{service: uploadPack, v2: true, maxBytes: r.limits.PackBytes}
	if w.pack != nil {
		request.body, request.maxBytes = historyCommand(c, w), min(r.limits.PackBytes, maxHistory)
	} else {
		if !c.filter {
			w.haves = nil // a delta could refer to a blob, and not all blobs are available
		}
		request.body = fetchCommand(c, w)
	}
	body, err := r.do(ctx, request)
	if err != nil {
		return nil, err
	}
	defer body.close()
	objects, err := readFetch(newPacketReader(body), r.limits, w)
	return objects, asNotFound(err)
}

// fetchCommand returns a fetch request. It ends with "done", so that the server sends a pack and does not negotiate.
func fetchCommand(c capabilities, w fetchRequest) []byte {
	req := c.command("fetch")
	req.linef("no-progress\n")
	req.linef("ofs-delta\n")
	if len(w.haves) > 0 {
		req.linef("thin-pack\n")
	}
	if w.isForCommit() && c.filter {
		req.linef("filter blob:none\n")
	}
	if w.isForCommit() {
		req.linef("deepen 1\n")
		req.linef("want %s\n", w.at)
		for _, p := range w.also {
			req.linef("want %s\n", p.id)
		}
	}
	for _, id := range w.haves {
		req.linef("shallow %s\n", id) // or the server assumes that its parents are available
	}
	for _, id := range w.blobs {
		req.linef("want %s\n", id)
	}
	for _, id := range w.haves {
		req.linef("have %s\n", id)
	}
	req.linef("done\n")
	req.flush()
	return req.Bytes()
}

// readFetch reads the response to a fetch: named sections, of which the last one is the pack.
func readFetch(p *packetReader, limits Limits, w fetchRequest) (map[oid]object, error) {
	for {
		kind, line, err := p.line()
		if err != nil {
			return nil, err
		}
		switch {
		case kind == packetData && line == "packfile":
			return readPack(p, limits, w)
		case kind == packetFlush, kind == packetEnd:
			return nil, malformed("a fetch without a pack")
		}
	}
}

func readPack(p *packetReader, limits Limits, w fetchRequest) (map[oid]object, error) {
	band := &sidebandReader{packets: p}
	in := io.Reader(band)
	if w.pack != nil {
		w.pack.Reset()
		in = io.TeeReader(band, w.pack)
	}
	objects, err := unpack(in, limits, w)
	if err != nil {
		return nil, err
	}
	if n, err := io.Copy(io.Discard, band); n > 0 || err != nil {
		return nil, errors.Join(malformed("there is more data after the pack"), err)
	}
	return objects, nil
}

// asNotFound turns a server's error for a missing object into port.ErrNotFound, which is not retried.
func asNotFound(err error) error {
	var server *serverError
	if errors.As(err, &server) && strings.Contains(server.text, "not our ref") {
		return fmt.Errorf("%s: %w", server.Error(), port.ErrNotFound)
	}
	return err
}

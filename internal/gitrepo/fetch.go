package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// wants is what one fetch asks for.
type wants struct {
	// ref is where a server that gives only what its refs hold is told to look.
	ref string
	// at is the commit that is wanted, or that holds the blobs that are.
	at oid
	// blobs are wanted by name; when there are none, the commit is wanted: with its trees, without its past, and without blobs
	// where the server can leave them out.
	blobs []oid
	// haves are commits whose trees are all here. Deltas may build on their objects.
	haves []oid
	base  func(oid) (object, bool)
}

func (w wants) commit() bool { return len(w.blobs) == 0 }

// fetch brings objects. When the answer makes no sense, the server is asked once more: what it can do, and for everything.
func (r *remote) fetch(ctx context.Context, w wants) (map[oid]object, error) {
	f, fresh, err := r.learn(ctx)
	if err != nil {
		return nil, err
	}
	objects, err := r.fetchWith(ctx, f, w)
	if err == nil || !retriable(err) || (fresh && len(w.haves) == 0) {
		return objects, err
	}
	if f, err = r.ask(ctx); err != nil {
		return nil, err
	}
	w.haves = nil
	return r.fetchWith(ctx, f, w)
}

func (r *remote) fetchWith(ctx context.Context, f facts, w wants) (map[oid]object, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	if !f.v2 {
		return r.fetchPlain(ctx, w)
	}
	if !f.filter {
		w.haves = nil // a delta could build on a blob, and those are not kept
	}
	body, err := r.do(ctx, call{service: uploadPack, v2: true, body: fetchRequest(f, w), most: r.limits.PackBytes})
	if err != nil {
		return nil, err
	}
	defer body.done()
	objects, err := readFetch(newPacketReader(body), r.limits, w.base)
	return objects, unknownObject(err)
}

// fetchRequest asks for everything in one go: with "done", the server answers with a pack and does not negotiate.
func fetchRequest(f facts, w wants) []byte {
	req := f.command("fetch")
	req.linef("no-progress\n")
	req.linef("ofs-delta\n")
	if len(w.haves) > 0 {
		req.linef("thin-pack\n")
	}
	if w.commit() && f.filter {
		req.linef("filter blob:none\n")
	}
	if w.commit() {
		req.linef("deepen 1\n")
		req.linef("want %s\n", w.at)
	}
	for _, id := range w.haves {
		req.linef("shallow %s\n", id) // or the server takes its whole past for known
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

// readFetch reads the answer to a fetch: sections with a name each, of which the last is the pack.
func readFetch(p *packetReader, limits Limits, base func(oid) (object, bool)) (map[oid]object, error) {
	for {
		kind, line, err := p.line()
		if err != nil {
			return nil, err
		}
		switch {
		case kind == packetData && line == "packfile":
			return readPack(p, limits, base)
		case kind == packetFlush, kind == packetEnd:
			return nil, garbled("a fetch without a pack")
		}
	}
}

func readPack(p *packetReader, limits Limits, base func(oid) (object, bool)) (map[oid]object, error) {
	band := &bandReader{packets: p}
	objects, err := unpack(band, limits, base)
	if err != nil {
		return nil, err
	}
	if n, err := io.Copy(io.Discard, band); n > 0 || err != nil {
		return nil, errors.Join(garbled("there is more behind the pack"), err)
	}
	return objects, nil
}

// unknownObject finds out from a server's words that it has not what was asked for.
func unknownObject(err error) error {
	var said *saidError
	if errors.As(err, &said) && strings.Contains(said.text, "not our ref") {
		return fmt.Errorf("%w: %w", errGone{said.text}, port.ErrNotFound)
	}
	return err
}

// errGone is a server's word that an object is not there; asking again does not help.
type errGone struct{ text string }

func (e errGone) Error() string { return "the git server says: " + e.text }

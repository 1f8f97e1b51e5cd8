package gitrepo

import (
	"context"
	"fmt"

	"github.com/tenon-bot/tenon/bot/port"
)

// fetchV0 fetches from a server without protocol v2: it requests the advertisement, then a clone of depth 1 with all
// blobs, also if w is for some blobs only.
func (r *remote) fetchV0(ctx context.Context, w fetchRequest) (map[oid]object, error) {
	ad, err := r.advertisement(ctx, uploadPack, w.ref, w.at)
	if err != nil {
		return nil, err
	}
	if err := ad.allows(w); err != nil {
		return nil, err
	}
	body, err := r.do(ctx, call{service: uploadPack, body: fetchCommandV0(w), maxBytes: r.limits.PackBytes})
	if err != nil {
		return nil, err
	}
	defer body.close()
	objects, err := readFetchV0(newPacketReader(body), r.limits, fetchRequest{keep: w.keep, admit: w.admit})
	return objects, asNotFound(err)
}

// allows returns an error if the server would refuse a fetch.
func (ad *advertisement) allows(w fetchRequest) error {
	switch {
	case !ad.has("shallow") || !ad.has("side-band-64k"):
		return userError("The git server is too old for tenon: it can neither clone a single commit nor report progress.")
	case ad.hasID, ad.has("allow-reachable-sha1-in-want"), ad.has("allow-any-sha1-in-want"):
		return nil
	case ad.hasRef:
		return fmt.Errorf("%s points to %s, not to %s: %w", w.ref, ad.id, w.at, port.ErrMoved)
	}
	return fmt.Errorf("no ref of the repository points to %s: %w", w.at, port.ErrNotFound)
}

func fetchCommandV0(w fetchRequest) []byte {
	req := &packetWriter{}
	req.linef("want %s ofs-delta side-band-64k no-progress shallow agent=tenon\n", w.at)
	req.linef("deepen 1\n")
	req.flush()
	req.linef("done\n")
	return req.Bytes()
}

// readFetchV0 reads the response: shallow lines up to a flush, a NAK, and the pack.
func readFetchV0(p *packetReader, limits Limits, w fetchRequest) (map[oid]object, error) {
	for {
		kind, line, err := p.line()
		if err != nil {
			return nil, err
		}
		if kind == packetData && line == "NAK" {
			return readPack(p, limits, w)
		}
	}
}

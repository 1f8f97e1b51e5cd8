package gitrepo

import (
	"context"
	"fmt"

	"github.com/tenon-bot/tenon/bot/port"
)

// fetchPlain brings a commit from a server without protocol v2: the advertisement, then a clone of depth 1 with all
// blobs, whatever is wanted of it.
func (r *remote) fetchPlain(ctx context.Context, w wants) (map[oid]object, error) {
	ad, err := r.advertisement(ctx, uploadPack, w.ref, w.at)
	if err != nil {
		return nil, err
	}
	if err := ad.gives(w); err != nil {
		return nil, err
	}
	body, err := r.do(ctx, call{service: uploadPack, body: plainRequest(w), most: r.limits.PackBytes})
	if err != nil {
		return nil, err
	}
	defer body.done()
	objects, err := readPlain(newPacketReader(body), r.limits)
	return objects, unknownObject(err)
}

// gives says why a server would not give what is wanted; nil when it would.
func (ad *advertisement) gives(w wants) error {
	switch {
	case !ad.has("shallow") || !ad.has("side-band-64k"):
		return refused("The git server is too old for tenon: it can neither clone a single commit nor report progress.")
	case ad.hasID, ad.has("allow-reachable-sha1-in-want"), ad.has("allow-any-sha1-in-want"):
		return nil
	case ad.hasRef:
		return fmt.Errorf("%s stands at %s, not at %s: %w", w.ref, ad.id, w.at, port.ErrMoved)
	}
	return fmt.Errorf("no ref of the repository holds %s: %w", w.at, port.ErrNotFound)
}

func plainRequest(w wants) []byte {
	req := &packetWriter{}
	req.linef("want %s ofs-delta side-band-64k no-progress shallow agent=tenon\n", w.at)
	req.linef("deepen 1\n")
	req.flush()
	req.linef("done\n")
	return req.Bytes()
}

// readPlain reads the shallow lines up to their flush, the NAK, and the pack.
func readPlain(p *packetReader, limits Limits) (map[oid]object, error) {
	for {
		kind, line, err := p.line()
		if err != nil {
			return nil, err
		}
		if kind == packetData && line == "NAK" {
			return readPack(p, limits, nil)
		}
	}
}

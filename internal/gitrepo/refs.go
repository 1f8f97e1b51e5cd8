package gitrepo

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// resolve asks where ref stands (a full name, or HEAD); ok is false when there is no such ref.
func (r *remote) resolve(ctx context.Context, ref string) (id oid, ok bool, err error) {
	f, fresh, err := r.learn(ctx)
	if err != nil {
		return id, false, err
	}
	id, ok, err = r.resolveWith(ctx, f, ref)
	if err == nil || fresh || !retriable(err) {
		return id, ok, err
	}
	if f, err = r.ask(ctx); err != nil {
		return id, false, err
	}
	return r.resolveWith(ctx, f, ref)
}

func (r *remote) resolveWith(ctx context.Context, f facts, ref string) (oid, bool, error) {
	look := r.searchRef
	if f.v2 {
		look = func(ctx context.Context, ref string) (oid, bool, error) { return r.listRef(ctx, f, ref) }
	}
	id, ok, err := look(ctx, ref)
	if err != nil {
		return oid{}, false, fmt.Errorf("asking where %s stands: %w", ref, err)
	}
	return id, ok, nil
}

// listRef asks by protocol v2, which sends only what begins with the ref's name.
func (r *remote) listRef(ctx context.Context, f facts, ref string) (id oid, ok bool, err error) {
	w := f.command("ls-refs")
	w.linef("ref-prefix %s\n", ref)
	w.flush()
	body, err := r.do(ctx, call{service: uploadPack, v2: true, body: w.Bytes(), most: r.limits.RefBytes})
	if err != nil {
		return id, false, err
	}
	defer body.done()
	p := newPacketReader(body)
	for {
		kind, line, err := p.line()
		if err != nil || kind != packetData {
			return id, ok, err
		}
		hash, name, found := strings.Cut(line, " ")
		name, _, _ = strings.Cut(name, " ")
		if !found || name != ref {
			continue
		}
		if id, err = parseID(hash); err != nil {
			return id, false, err
		}
		ok = true
	}
}

// searchRef looks through the whole advertisement of protocol v0, as it passes by.
func (r *remote) searchRef(ctx context.Context, ref string) (oid, bool, error) {
	ad, err := r.advertisement(ctx, uploadPack, ref, oid{})
	return ad.id, ad.hasRef, err
}

// advertisement is what a v0 advertisement says about one ref and one id.
type advertisement struct {
	caps   string // between spaces
	id     oid
	hasRef bool
	hasID  bool // some ref stands at the id that was looked for
}

func (r *remote) advertisement(ctx context.Context, service, ref string, id oid) (ad advertisement, err error) {
	body, err := r.do(ctx, call{service: service, most: r.limits.RefBytes})
	if err != nil {
		return ad, err
	}
	defer body.done()
	p := newPacketReader(body)
	kind, line, err := firstLine(p)
	if err != nil {
		return ad, err
	}
	line, caps, _ := strings.Cut(line, "\x00")
	ad.caps = " " + caps + " "
	if ad.has("object-format=sha256") {
		return ad, errFormat
	}
	for kind == packetData {
		if err := ad.see(line, ref, id); err != nil {
			return ad, err
		}
		if kind, line, err = p.line(); err != nil {
			return ad, err
		}
	}
	return ad, nil
}

func (ad *advertisement) has(capability string) bool {
	return strings.Contains(ad.caps, " "+capability+" ")
}

func (ad *advertisement) see(line, ref string, id oid) error {
	hash, name, ok := strings.Cut(line, " ")
	if !ok || name == "capabilities^{}" {
		return nil // an empty repository, or an empty list
	}
	at, err := parseID(hash)
	if err != nil {
		return err
	}
	if name == ref {
		ad.id, ad.hasRef = at, true
	}
	ad.hasID = ad.hasID || at == id
	return nil
}

// parseID reads the name of an object.
func parseID(s string) (oid, error) {
	switch {
	case len(s) == 64:
		return oid{}, errFormat
	case len(s) != 40 || !plumbing.IsHash(s):
		return oid{}, garbled("%.80q is no object's name", s)
	}
	return plumbing.NewHash(s), nil
}

package gitrepo

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// resolve returns the commit that ref points to (a full name, or HEAD); ok is false if there is no such ref.
func (r *remote) resolve(ctx context.Context, ref string) (id oid, ok bool, err error) {
	c, fresh, err := r.serverCapabilities(ctx)
	if err != nil {
		return id, false, err
	}
	id, ok, err = r.resolveWith(ctx, c, ref)
	if err == nil || fresh || !isRetriable(err) {
		return id, ok, err
	}
	if c, err = r.requestCapabilities(ctx); err != nil {
		return id, false, err
	}
	return r.resolveWith(ctx, c, ref)
}

func (r *remote) resolveWith(ctx context.Context, c capabilities, ref string) (oid, bool, error) {
	list := r.searchRef
	if c.v2 {
		list = func(ctx context.Context, ref string) (oid, bool, error) { return r.listRef(ctx, c, ref) }
	}
	id, ok, err := list(ctx, ref)
	if err != nil {
		return oid{}, false, fmt.Errorf("resolving %s: %w", ref, err)
	}
	return id, ok, nil
}

// listRef uses protocol v2, by which the server sends only refs with the given prefix.
func (r *remote) listRef(ctx context.Context, c capabilities, ref string) (id oid, ok bool, err error) {
	w := c.command("ls-refs")
	w.linef("ref-prefix %s\n", ref)
	w.flush()
	body, err := r.do(ctx, call{service: uploadPack, v2: true, body: w.Bytes(), maxBytes: r.limits.RefBytes})
	if err != nil {
		return id, false, err
	}
	defer body.close()
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

// searchRef searches the advertisement of protocol v0, which it does not store.
func (r *remote) searchRef(ctx context.Context, ref string) (oid, bool, error) {
	ad, err := r.advertisement(ctx, uploadPack, ref, oid{})
	return ad.id, ad.hasRef, err
}

// advertisement is the part of a v0 advertisement about one ref and one id.
type advertisement struct {
	caps   string // with a space at both ends
	id     oid    // of the ref
	hasRef bool
	hasID  bool // some ref points to the given id
}

func (r *remote) advertisement(ctx context.Context, service, ref string, id oid) (ad advertisement, err error) {
	body, err := r.do(ctx, call{service: service, maxBytes: r.limits.RefBytes})
	if err != nil {
		return ad, err
	}
	defer body.close()
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
		if err := ad.add(line, ref, id); err != nil {
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

func (ad *advertisement) add(line, ref string, id oid) error {
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

// parseID parses the name of an object.
func parseID(s string) (oid, error) {
	switch {
	case len(s) == 64:
		return oid{}, errFormat
	case len(s) != 40 || !plumbing.IsHash(s):
		return oid{}, malformed("%.80q is no object's name", s)
	}
	return plumbing.NewHash(s), nil
}

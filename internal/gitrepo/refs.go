package gitrepo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/tenon-bot/tenon/bot/port"
)

// commitID parses sha, or resolves ref.
func (r *remote) commitID(ctx context.Context, ref, sha string) (oid, error) {
	if err := plumbing.ReferenceName(ref).Validate(); err != nil {
		return oid{}, fmt.Errorf("%q: %w", ref, err)
	}
	if sha != "" {
		return parseID(sha)
	}
	id, ok, err := r.resolve(ctx, ref)
	if err != nil || ok {
		return id, err
	}
	if _, ok, err = r.resolve(ctx, "HEAD"); err != nil {
		return id, err
	}
	if !ok {
		return id, fmt.Errorf("%w: %w", port.ErrEmpty, userError("This repository is empty: "+
			"its default branch has no commit that tenon could start from. Push a first commit and ask again."))
	}
	return id, fmt.Errorf("there is no %s: %w", ref, port.ErrNotFound)
}

// resolve returns the commit that ref points to (a full name, or HEAD); ok is false if there is no such ref.
func (r *remote) resolve(ctx context.Context, ref string) (id oid, ok bool, err error) {
	tips, err := r.resolveAll(ctx, []string{ref})
	id, ok = tips[ref]
	return id, ok, err
}

// resolveAll returns the commits that refs point to. A ref that does not exist is left out.
func (r *remote) resolveAll(ctx context.Context, refs []string) (map[string]oid, error) {
	c, fresh, err := r.serverCapabilities(ctx)
	if err != nil {
		return nil, err
	}
	tips, err := r.resolveWith(ctx, c, refs)
	if err == nil || fresh || !isRetriable(err) {
		return tips, err
	}
	if c, err = r.requestCapabilities(ctx); err != nil {
		return nil, err
	}
	return r.resolveWith(ctx, c, refs)
}

func (r *remote) resolveWith(ctx context.Context, c capabilities, refs []string) (map[string]oid, error) {
	list := r.searchRefs
	if c.v2 {
		list = func(ctx context.Context, refs []string) (map[string]oid, error) { return r.listRefs(ctx, c, refs) }
	}
	tips, err := list(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("resolving %s: %w", strings.Join(refs, ", "), err)
	}
	return tips, nil
}

// listRefs uses protocol v2, by which the server sends only refs with the given prefixes.
func (r *remote) listRefs(ctx context.Context, c capabilities, refs []string) (map[string]oid, error) {
	w := c.command("ls-refs")
	for _, ref := range refs {
		w.linef("ref-prefix %s\n", ref)
	}
	w.flush()
	body, err := r.do(ctx, call{service: uploadPack, v2: true, body: w.Bytes(), maxBytes: r.limits.RefBytes})
	if err != nil {
		return nil, err
	}
	defer body.close()
	tips := map[string]oid{}
	p := newPacketReader(body)
	for {
		kind, line, err := p.line()
		if err != nil {
			return nil, err
		}
		if kind != packetData {
			return tips, nil
		}
		hash, name, found := strings.Cut(line, " ")
		name, _, _ = strings.Cut(name, " ")
		if !found || !slices.Contains(refs, name) {
			continue
		}
		if tips[name], err = parseID(hash); err != nil {
			return nil, err
		}
	}
}

// searchRefs searches the advertisement of protocol v0, which it does not store, for each ref.
func (r *remote) searchRefs(ctx context.Context, refs []string) (map[string]oid, error) {
	tips := map[string]oid{}
	for _, ref := range refs {
		ad, err := r.advertisement(ctx, uploadPack, ref, oid{})
		if err != nil {
			return nil, err
		}
		if ad.hasRef {
			tips[ref] = ad.id
		}
	}
	return tips, nil
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
		return oid{}, malformed("%.80q is not an object's name", s)
	}
	return plumbing.NewHash(s), nil
}

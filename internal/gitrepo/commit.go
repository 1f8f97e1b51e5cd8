package gitrepo

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	gitobject "github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/memory"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
)

// Commit makes a commit of what was staged, with the opened commit as its parent, and pushes it to a branch. A second
// parent must be on the server; to a fork it is pushed with the commits behind it. If the branch is the opened ref, or
// one of a fork, it must still point to the opened commit; any other branch must not exist. Otherwise Commit changes
// nothing and returns port.ErrMoved. It succeeds if the branch points to this very commit already.
//
// It returns repo.ErrTooMuchHistory if a fork lacks more of the second parent than the limits allow, a
// *port.RejectedError with the server's text if the server rejects the push, port.ErrDenied if the token does not allow
// it, and ErrNoChange if nothing differs from the opened commit, unless there is a second parent. The same request on
// the same tree makes the same commit.
func (c *Checkout) Commit(ctx context.Context, req repo.CommitRequest) (repo.Commit, error) {
	made, err := c.commit(ctx, req)
	if err != nil {
		return repo.Commit{}, fmt.Errorf("committing to %s of %s: %w", req.Branch, c.remote.repo, err)
	}
	return made, nil
}

func (c *Checkout) commit(ctx context.Context, req repo.CommitRequest) (repo.Commit, error) {
	ref := "refs/heads/" + req.Branch
	if err := plumbing.ReferenceName(ref).Validate(); err != nil {
		return repo.Commit{}, fmt.Errorf("%q is not the name of a branch: %w", req.Branch, err)
	}
	changes, err := c.Changes()
	if err != nil {
		return repo.Commit{}, err
	}
	if len(changes) == 0 && req.Merge == "" {
		return repo.Commit{}, ErrNoChange
	}
	b := &commitBuilder{checkout: c, objects: map[oid]object{}}
	id, err := b.commit(req, changes)
	if err != nil {
		return repo.Commit{}, err
	}
	if err := b.push(ctx, req, push{branch: req.Branch, ref: ref, id: id}); err != nil {
		return repo.Commit{}, err
	}
	return repo.Commit{SHA: id.String(), Files: pathsOf(changes)}, nil
}

// push pushes the new objects to the opened repository, or to a fork of it.
func (b *commitBuilder) push(ctx context.Context, req repo.CommitRequest, p push) (err error) {
	to := b.checkout.remote
	if req.Fork != nil {
		if to, err = b.checkout.repos.remote(*req.Fork, to.access); err != nil {
			return err
		}
	}
	if req.Fork != nil || p.ref == b.checkout.ref {
		p.old = b.checkout.view.commit
	}
	if req.Fork != nil && req.Merge != "" {
		p.pack, err = b.packWithHistory(ctx, req)
	} else {
		p.pack, err = b.pack(nil)
	}
	if err != nil {
		return err
	}
	if err := to.push(ctx, p); err != nil {
		return err
	}
	b.keep(to.url, p.ref, p.id)
	return nil
}

func pathsOf(changes []port.Change) []string {
	names := make([]string, len(changes))
	for i, change := range changes {
		names[i] = change.Path
	}
	return names
}

// commitBuilder collects the new objects of one commit.
type commitBuilder struct {
	checkout *Checkout
	objects  map[oid]object
}

// add adds an encoded object.
func (b *commitBuilder) add(o *plumbing.MemoryObject) error {
	r, err := o.Reader()
	if err != nil {
		return err
	}
	data, err := io.ReadAll(r)
	b.objects[o.Hash()] = object{o.Type(), data}
	return err
}

func (b *commitBuilder) commit(req repo.CommitRequest, changes []port.Change) (oid, error) {
	addBlobs(b.objects, changes)
	tree, err := b.checkout.root.write(b.add)
	if err != nil {
		return oid{}, err
	}
	message, err := commitMessage(req.Message)
	if err != nil {
		return oid{}, err
	}
	parents := []oid{b.checkout.view.commit}
	if req.Merge != "" {
		parents = append(parents, plumbing.NewHash(req.Merge))
	}
	commit := gitobject.Commit{
		TreeHash: tree, ParentHashes: parents, Message: message,
		Author: signature(req.Author), Committer: signature(req.Committer),
	}
	o := &plumbing.MemoryObject{}
	if err := commit.Encode(o); err != nil {
		return oid{}, fmt.Errorf("encoding the commit: %w", err)
	}
	return o.Hash(), b.add(o)
}

// pack encodes the new objects, but those that are known, as a pack, without deltas, as there are few.
func (b *commitBuilder) pack(known map[oid]object) ([]byte, error) {
	store := memory.NewStorage()
	var ids []oid
	for id, o := range b.objects {
		if _, ok := known[id]; ok {
			continue
		}
		encoded := &plumbing.MemoryObject{}
		encoded.SetType(o.kind)
		if _, err := encoded.Write(o.data); err != nil {
			return nil, err
		}
		if _, err := store.SetEncodedObject(encoded); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	var buf bytes.Buffer
	if _, err := packfile.NewEncoder(&buf, store, false).Encode(ids, 0); err != nil {
		return nil, fmt.Errorf("packing the commit: %w", err)
	}
	return buf.Bytes(), nil
}

// Committed adds the changed files to the cache.
func (c *Checkout) Committed(changes []port.Change) {
	objects := map[oid]object{}
	addBlobs(objects, changes)
	c.repos.blobs.putAll(objects)
}

// addBlobs adds the blobs of changed files whose bytes are known.
func addBlobs(to map[oid]object, changes []port.Change) {
	for _, change := range changes {
		if !change.Removed() && change.Data != nil {
			o := object{plumbing.BlobObject, change.Data}
			to[o.id()] = o
		}
	}
}

// keep keeps the new commit, for the next time that the branch is opened.
func (b *commitBuilder) keep(url, ref string, commit oid) {
	repos, to := b.checkout.repos, b.checkout.in
	repos.blobs.putAll(b.objects)
	if to.url == url {
		_, _ = keepView(to, repos.limits, ref, commit, b.objects) // if it cannot be kept, it is fetched
	}
}

// commitMessage returns s with one newline at its end. Git does not allow NUL bytes.
func commitMessage(s string) (string, error) {
	s = strings.TrimRight(s, "\n ")
	if s == "" || strings.Contains(s, "\x00") {
		return "", fmt.Errorf("a commit needs a message without NUL bytes")
	}
	return s + "\n", nil
}

// signature returns a signature that git fsck accepts, with its time in UTC.
func signature(s repo.Signature) gitobject.Signature {
	return gitobject.Signature{Name: plainName(s.Name), Email: plainName(s.Email),
		When: s.When.UTC().Truncate(time.Second)}
}

// plainName removes what git itself removes: angle brackets, control characters, and punctuation at the ends.
func plainName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '<' || r == '>' || r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if s = strings.Trim(s, " .,:;\"\\'"); s == "" {
		return "unknown"
	}
	return s
}

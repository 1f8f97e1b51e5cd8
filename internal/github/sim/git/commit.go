package git

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Commit is a commit. Parents are in their order.
type Commit struct {
	SHA, Tree         string
	Parents           []string
	Author, Committer Signature
	Message           string
}

// Signature names who made a commit, and when, to the second.
type Signature struct {
	Name, Email string
	When        time.Time
}

// String returns the signature as in the object of a commit. git leaves out what is around a name.
func (s Signature) String() string {
	return fmt.Sprintf("%s <%s> %d %s", trimmed(s.Name), trimmed(s.Email), s.When.Unix(), s.When.Format("-0700"))
}

func trimmed(name string) string {
	return strings.TrimFunc(name, func(c rune) bool { return c <= ' ' || strings.ContainsRune(`.,:;<>"\'`, c) })
}

// WriteCommit stores a commit and returns its id, which c need not have.
func (o *Objects) WriteCommit(c Commit) (string, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree %s\n", c.Tree)
	for i, p := range c.Parents {
		if !slices.Contains(c.Parents[:i], p) {
			fmt.Fprintf(&b, "parent %s\n", p)
		}
	}
	fmt.Fprintf(&b, "author %s\ncommitter %s\n\n%s", c.Author, c.Committer, c.Message)
	return o.store.write(plumbing.CommitObject, b.Bytes())
}

// Commit reads a commit.
func (o *Objects) Commit(id string) (Commit, error) {
	if c, is := o.commits.Load(id); is {
		return c.(Commit), nil
	}
	obj, err := o.store.get(plumbing.CommitObject, id)
	if err != nil {
		return Commit{}, err
	}
	in, err := object.DecodeCommit(o.store, obj)
	if err != nil {
		return Commit{}, fmt.Errorf("reading commit %s: %w", id, err)
	}
	c := Commit{SHA: id, Tree: in.TreeHash.String(), Author: Signature(in.Author), Committer: Signature(in.Committer),
		Message: in.Message}
	for _, p := range in.ParentHashes {
		c.Parents = append(c.Parents, p.String())
	}
	o.commits.Store(id, c)
	return c, nil
}

// abbreviated matches the beginning of an id.
var abbreviated = regexp.MustCompile(`^[0-9a-f]{7,39}$`)

// Resolve returns the commit of a revision, or "" if there is none: an id, also the beginning of one, the full name of
// a ref, or HEAD. It returns that of an annotated tag for the tag.
func (r *Repository) Resolve(rev string) string {
	switch id := r.Ref(rev); {
	case id != "":
		return r.peel(id)
	case wholeID.MatchString(rev):
		return r.peel(rev)
	case !abbreviated.MatchString(rev):
		return ""
	}
	ids, err := r.store.withPrefix(rev)
	if err != nil {
		return ""
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return r.Kind(id) != KindCommit })
	if len(ids) != 1 {
		return ""
	}
	return ids[0]
}

// peel returns the commit of an object: itself, or what a tag is for.
func (r *Repository) peel(id string) string {
	for {
		obj, err := r.store.get(plumbing.AnyObject, id)
		switch {
		case err != nil:
			return ""
		case obj.Type() == plumbing.CommitObject:
			return id
		case obj.Type() != plumbing.TagObject:
			return ""
		}
		tag, err := object.DecodeTag(r.store, obj)
		if err != nil {
			return ""
		}
		id = tag.Target.String()
	}
}

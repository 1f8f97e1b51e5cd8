package bottest

import (
	"context"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
)

// Repos opens the repositories of a GitHub over git. It implements repo.Repos.
type Repos struct{ github *GitHub }

var _ repo.Repos = (*Repos)(nil)

// Open opens a commit of a repository; an empty sha means where ref points now. port.ErrNotFound: no such repository,
// ref or commit. port.ErrEmpty: it has no commit. port.ErrDenied: the installation does not allow it.
func (rs *Repos) Open(ctx context.Context, ref port.RepoRef, name, sha string, _ ...string) (repo.Checkout, error) {
	call := Call{Op: "Open", Text: ref.String() + " " + name}
	return do(ctx, rs.github.faults, call, func() (repo.Checkout, error) { return rs.open(ref, name, sha) })
}

func (rs *Repos) open(ref port.RepoRef, name, sha string) (repo.Checkout, error) {
	g := rs.github
	g.mu.Lock()
	defer g.mu.Unlock()
	r, err := g.reach(ref, "contents:read")
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", ref, err)
	}
	if !isRef(name) && name != "HEAD" {
		return nil, fmt.Errorf("opening %s: %q is no name of a ref", ref, name)
	}
	if sha == "" {
		if sha, err = r.resolve(name); err != nil {
			return nil, fmt.Errorf("opening %s at %s: %w", ref, name, err)
		}
	}
	c := r.git.objects[sha]
	if c == nil {
		return nil, fmt.Errorf("opening %s at %s: %w", ref, sha, port.ErrNotFound)
	}
	return newCheckout(g, ref, r, name, c), nil
}

// resolve returns where a ref points.
func (r *repository) resolve(name string) (string, error) {
	if name == "HEAD" {
		name = "refs/heads/" + r.defaultBranch
	}
	if sha := r.git.refs[name]; sha != "" {
		return sha, nil
	}
	if r.git.branch(r.defaultBranch) == "" {
		text := "This repository is empty: its default branch has no commit that tenon could start from. " +
			"Push a first commit and ask again."
		return "", fmt.Errorf("%w: %w", port.ErrEmpty, &port.UserError{Text: text})
	}
	return "", fmt.Errorf("there is no %s: %w", name, port.ErrNotFound)
}

// isRef reports whether git allows a name of a ref, as far as stories use them.
func isRef(name string) bool {
	short, ok := strings.CutPrefix(name, "refs/")
	if !ok || strings.ContainsAny(short, " ~^:?*[\\\x7f") || strings.Contains(short, "..") || strings.Contains(short,
		"@{") {
		return false
	}
	for part := range strings.SplitSeq(short, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") || strings.HasSuffix(part, ".") {
			return false
		}
	}
	return strings.IndexFunc(short, func(r rune) bool { return r < ' ' }) < 0
}

package gitrepo

import (
	"context"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
)

// Tips returns the commits that refs (full names, or "HEAD") point to now, by ref. A ref that does not exist is left
// out. With a server that speaks protocol v2 it sends one request, else one for each ref. It returns port.ErrNotFound
// if there is no such repository, and port.ErrDenied if the token does not allow to read it.
func (rs *Repos) Tips(ctx context.Context, repo port.RepoRef, refs ...string) (map[string]string, error) {
	return rs.tipsAs(ctx, repo, repo, refs)
}

// tipsAs is Tips with the tokens for access.
func (rs *Repos) tipsAs(ctx context.Context, repo, access port.RepoRef, refs []string) (map[string]string, error) {
	r, err := rs.remote(repo, access)
	if err != nil {
		return nil, err
	}
	for _, ref := range refs {
		if err := plumbing.ReferenceName(ref).Validate(); err != nil {
			return nil, fmt.Errorf("asking for the refs of %s: %q: %w", repo, ref, err)
		}
	}
	ids, err := r.resolveAll(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("asking for the refs of %s: %w", repo, err)
	}
	rs.told.set(r.url, ids)
	tips := make(map[string]string, len(ids))
	for ref, id := range ids {
		tips[ref] = id.String()
	}
	return tips, nil
}

// ForksOf returns Repos for the forks of a repository, with the tokens for that repository.
func (rs *Repos) ForksOf(repo port.RepoRef) repo.Repos { return forks{rs, repo} }

// forks are the forks of a repository. It implements repo.Repos.
type forks struct {
	*Repos
	of port.RepoRef
}

// Open is Repos.Open for a fork.
func (f forks) Open(ctx context.Context, repo port.RepoRef, ref, sha string, likely ...string) (repo.Checkout, error) {
	return f.openAs(ctx, repo, f.of, ref, sha, likely)
}

// Tips is Repos.Tips for a fork.
func (f forks) Tips(ctx context.Context, repo port.RepoRef, refs ...string) (map[string]string, error) {
	return f.tipsAs(ctx, repo, f.of, refs)
}

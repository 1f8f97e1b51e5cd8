package gitrepo

import (
	"slices"
	"sync"
)

// told are the commits that Tips returned last, for each repository. The caller will open them, so they are fetched
// together. Safe for concurrent use.
type told struct {
	mu    sync.Mutex
	repos map[string][]pointer // by URL
}

// pointer is a ref and the commit that it pointed to.
type pointer struct {
	ref string
	id  oid
}

// Bounds on what is remembered: commits of one repository, and repositories.
const (
	maxTold      = 4
	maxToldRepos = 10_000
)

// set remembers the commits of a repository.
func (t *told) set(repo string, tips map[string]oid) {
	var list []pointer
	for ref, id := range tips {
		if len(list) < maxTold && !slices.ContainsFunc(list, func(o pointer) bool { return o.id == id }) {
			list = append(list, pointer{ref, id})
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.repos == nil || len(t.repos) >= maxToldRepos {
		t.repos = map[string][]pointer{}
	}
	t.repos[repo] = list
}

// with returns the commits that were told together with one, and forgets them all; none if it was not told.
func (t *told) with(repo string, id oid) []pointer {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.repos[repo]
	if !slices.ContainsFunc(list, func(o pointer) bool { return o.id == id }) {
		return nil
	}
	delete(t.repos, repo)
	return slices.DeleteFunc(list, func(o pointer) bool { return o.id == id })
}

package gitrepo

import (
	"slices"
	"sync"
)

// tips are the commits of each repository that were opened or made recently. A fetch sends them as those that it has.
// And only a commit that was opened through a repository may be opened from the cache for that repository: an id of
// another repository may not. Safe for concurrent use.
type tips struct {
	mu    sync.Mutex
	repos map[string][]tip // by URL, the latest first
}

// tip is a commit, and the ref that pointed to it.
type tip struct {
	ref string
	id  oid
}

const (
	maxTips     = 8
	maxTipRepos = 10_000
)

// add makes a tip the latest one; fresh reports whether it was not that before.
func (b *tips) add(repo string, t tip) (fresh bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.repos == nil || len(b.repos) >= maxTipRepos {
		b.repos = map[string][]tip{}
	}
	if list := b.repos[repo]; len(list) > 0 && list[0] == t {
		return false
	}
	old := slices.DeleteFunc(slices.Clone(b.repos[repo]), func(o tip) bool { return o == t })
	b.repos[repo] = slices.Insert(old[:min(len(old), maxTips-1)], 0, t)
	return true
}

// has reports whether a commit is among the tips of a repository.
func (b *tips) has(repo string, id oid) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.repos[repo], func(t tip) bool { return t.id == id })
}

// all returns the tips of a repository, those of ref first. The caller owns the slice.
func (b *tips) all(repo, ref string) []tip {
	b.mu.Lock()
	list := slices.Clone(b.repos[repo])
	b.mu.Unlock()
	slices.SortStableFunc(list, func(a, b tip) int { return btoi(b.ref == ref) - btoi(a.ref == ref) })
	return list
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

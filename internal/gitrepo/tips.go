package gitrepo

import (
	"slices"
	"sync"
)

// tipBook remembers, by repository, commits that were opened or made lately. They are what a fetch says it has; and what was
// opened once through a repository may be opened from the cache, while an id from elsewhere may not.
type tipBook struct {
	mu    sync.Mutex
	repos map[string][]tip // the latest first
}

type tip struct {
	ref string
	id  oid
}

const (
	maxTips     = 8
	maxTipRepos = 10_000
)

// add notes a tip as the latest; fresh says that it was not that before.
func (b *tipBook) add(repo string, t tip) (fresh bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.repos == nil || len(b.repos) >= maxTipRepos {
		b.repos = map[string][]tip{}
	}
	if tips := b.repos[repo]; len(tips) > 0 && tips[0] == t {
		return false
	}
	old := slices.DeleteFunc(slices.Clone(b.repos[repo]), func(o tip) bool { return o == t })
	b.repos[repo] = slices.Insert(old[:min(len(old), maxTips-1)], 0, t)
	return true
}

// all returns the tips of a repository, those of ref first. The caller owns the slice.
func (b *tipBook) all(repo, ref string) []tip {
	b.mu.Lock()
	tips := slices.Clone(b.repos[repo])
	b.mu.Unlock()
	slices.SortStableFunc(tips, func(a, b tip) int { return btoi(b.ref == ref) - btoi(a.ref == ref) })
	return tips
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

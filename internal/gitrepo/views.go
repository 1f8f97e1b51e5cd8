package gitrepo

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// views keeps what is known of repositories, by URL, up to a number of bytes. It drops the repository whose bytes are
// worth least: one that was used long ago, or of those that were used together, the largest, as the smaller ones cost
// more to fetch again for each byte ("GreedyDual-Size", Cao and Irani 1997). Safe for concurrent use.
type views struct {
	mu    sync.Mutex
	limit int64 // in bytes, as is size
	size  int64
	kept  map[string]*keptViews
	// worth is that of the repository that was dropped last. What is used from then on is worth more.
	worth float64
}

type keptViews struct {
	repository *repository
	bytes      int64
	worth      float64
}

const (
	// fetchBytes is what it costs to fetch a repository, however small it is, in bytes of trees that cost as much.
	fetchBytes = 2 << 20
	// leastBytes is the size below which a smaller repository is worth no more.
	leastBytes = 64 << 10
)

// of returns what is known of a repository.
func (v *views) of(url string) *repository {
	v.mu.Lock()
	k := v.kept[url]
	if k == nil {
		r := &repository{url: url, views: v, nodes: map[oid]*node{}, fetching: map[oid]chan struct{}{}}
		v.keep(r, repositoryBytes+int64(len(url)), 0) // there is nothing to fetch again
		v.mu.Unlock()
		return r
	}
	v.mu.Unlock()
	k.repository.use()
	return k.repository
}

// keep keeps a repository that takes so many bytes, unless that is more than all may take. worth is what it is worth
// beyond what was dropped before.
func (v *views) keep(r *repository, bytes int64, worth float64) {
	if k := v.kept[r.url]; k != nil {
		v.drop(k)
	}
	if bytes > v.limit {
		return
	}
	for v.size+bytes > v.limit {
		least := slices.MinFunc(slices.Collect(maps.Values(v.kept)), func(a, b *keptViews) int {
			return cmp.Or(cmp.Compare(a.worth, b.worth), cmp.Compare(a.repository.url, b.repository.url))
		})
		v.worth = least.worth
		v.drop(least)
	}
	v.kept[r.url] = &keptViews{r, bytes, v.worth + worth}
	v.size += bytes
}

func (v *views) drop(k *keptViews) {
	delete(v.kept, k.repository.url)
	v.size -= k.bytes
}

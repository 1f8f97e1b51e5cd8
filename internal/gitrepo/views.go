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
	gain       float64 // by which its worth exceeds that of what was dropped last, whenever it is used
}

const (
	// fetchBytes is what it costs to fetch a repository, however small it is, in bytes of trees that cost as much.
	fetchBytes = 2 << 20
	// leastBytes is the size below which a smaller repository is worth no more.
	leastBytes = 64 << 10
	// repositoryBytes is how much an empty repository is counted as.
	repositoryBytes = 8 << 10
)

// of returns what is known of a repository.
func (v *views) of(url string) *repository {
	v.mu.Lock()
	defer v.mu.Unlock()
	if k := v.kept[url]; k != nil {
		k.worth = v.worth + k.gain
		return k.repository
	}
	r := &repository{url: url, views: v, nodes: map[oid]*node{}, fetching: map[oid]*fetching{}}
	v.put(&keptViews{repository: r, bytes: repositoryBytes}) // without a gain: there is nothing to fetch again
	return r
}

// keep keeps a repository that takes so many bytes now, unless that is more than all may take.
func (v *views) keep(r *repository, bytes int64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.drop(v.kept[r.url])
	v.put(&keptViews{repository: r, bytes: bytes, gain: 1 + fetchBytes/float64(max(bytes, leastBytes))})
}

func (v *views) put(k *keptViews) {
	if k.bytes > v.limit {
		return
	}
	if v.size+k.bytes > v.limit {
		for _, least := range slices.SortedFunc(maps.Values(v.kept), func(a, b *keptViews) int {
			return cmp.Or(cmp.Compare(a.worth, b.worth), cmp.Compare(a.repository.url, b.repository.url))
		}) {
			if v.size+k.bytes > v.limit {
				v.worth = least.worth
				v.drop(least)
			}
		}
	}
	k.worth = v.worth + k.gain
	v.kept[k.repository.url] = k
	v.size += k.bytes
}

func (v *views) drop(k *keptViews) {
	if k != nil {
		delete(v.kept, k.repository.url)
		v.size -= k.bytes
	}
}

package retrieve

import (
	"cmp"
	"iter"
	"math"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/tenon-bot/tenon/bot/paths"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
)

// Bounds on ranking the sources of a repository.
const (
	maxSources     = 3000     // files whose contents are ranked; of more, those whose paths fit best
	maxSourceBytes = 32 << 20 // of those
	maxPathsRanked = 200_000  // files whose paths are ranked
	maxRanked      = 30       // files of the ranking that become candidates
	// Of a repository with more sources than maxSources, at most maxFolderMore further ones are ranked: those in the
	// folders of the first folderHits of the ranking.
	maxFolderMore = 1000
	folderHits    = 20
	// documentBytes bounds the documents that are kept where a query brings no cache.
	documentBytes = 32 << 20
	// maxDocumentBytes bounds the documents that one selection uses, up to one more. Files behind those are ranked by
	// their paths. The documents of maxSourceBytes of ordinary source take less than half of that.
	maxDocumentBytes = 48 << 20
	// maxDefiningBytes is how many bytes regular expressions read for what the files of one selection define, which takes
	// less than a second. Of maxSourceBytes of ordinary source they read half of that. What later files define is not
	// known; they are ranked by their words.
	maxDefiningBytes = 6 << 20
)

// sourceList is a list of sources, which have numbers from 0 on, in the order of their paths. What is known of their
// names is that of the blocks that their paths are in.
type sourceList struct {
	blocks []sourceBlock
	// len is how many sources there are, without those that are left out, which have numbers too.
	len  int
	kept *lexical.Cache
}

// sourceBlock are the sources in a block of paths, from the number start on.
type sourceBlock struct {
	paths *paths.Block
	names *lexical.Names
	start int32
	// out tells of each source whether it is left out; nil if none is. It is that of names, unless own is set.
	out []bool
	own bool
}

// at returns the path of a source by its index in the block.
func (b sourceBlock) at(i uint16) string { return b.paths.At(int(b.names.Sources[i])) }

// numbered returns how many sources have numbers.
func (l *sourceList) numbered() int {
	if len(l.blocks) == 0 {
		return 0
	}
	last := l.blocks[len(l.blocks)-1]
	return int(last.start) + len(last.names.Sources)
}

// cut leaves out the sources after the first n.
func (b *sourceBlock) cut(n int) {
	b.ownOut()
	for i := n; i < len(b.out); i++ {
		b.out[i] = true
	}
}

// ownOut makes out a slice of this list.
func (b *sourceBlock) ownOut() {
	if !b.own {
		b.out, b.own = append(make([]bool, 0, len(b.names.Sources)), b.out...)[:len(b.names.Sources)], true
	}
}

// at returns the path of a source.
func (l *sourceList) at(number int32) string {
	b := l.blocks[l.blockOf(number)]
	return b.at(uint16(number - b.start))
}

func (l *sourceList) blockOf(number int32) int {
	return sort.Search(len(l.blocks), func(i int) bool { return l.blocks[i].start > number }) - 1
}

// paths returns the paths of sources.
func (l *sourceList) paths(numbers []int32) []string {
	out := make([]string, len(numbers))
	for i, n := range numbers {
		out[i] = l.at(n)
	}
	return out
}

// leaveOut leaves a path out, if it is that of a source.
func (l *sourceList) leaveOut(path string) {
	block := sort.Search(len(l.blocks), func(i int) bool { return l.blocks[i].paths.At(0) > path }) - 1
	if block < 0 {
		return
	}
	b := &l.blocks[block]
	i, found := sort.Find(len(b.names.Sources), func(i int) int { return cmp.Compare(path, b.at(uint16(i))) })
	if !found || b.out != nil && b.out[i] {
		return
	}
	b.ownOut()
	b.out[i] = true
	l.len--
}

// rank returns the sources whose paths fit a query, the best first.
func (l *sourceList) rank(query *lexical.Query) []int32 {
	among := make([]lexical.Among, len(l.blocks))
	for i, b := range l.blocks {
		among[i] = lexical.Among{Out: b.out, Paths: l.kept.Terms(b.paths.ID(), func() *lexical.Paths {
			return lexical.NewPaths(func(yield func(string) bool) {
				for i := range b.names.Sources {
					if !yield(b.at(uint16(i))) {
						return
					}
				}
			})
		})}
	}
	return lexical.RankPaths(query, among)
}

// likeliest returns the sources whose paths fit a query best, at most maxSources, in their order.
func (l *sourceList) likeliest(query *lexical.Query) (out []int32) {
	var best []int32
	if l.len > maxSources {
		best = l.rank(query)
	}
	out = append(out, best[:min(len(best), maxSources)]...)
	chosen := map[int32]bool{}
	for _, n := range out {
		chosen[n] = true
	}
	for n := range l.named() {
		if len(out) >= min(l.len, maxSources) {
			break
		}
		if !chosen[n] {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// beside returns at most n sources that were not ranked and are in the folders of the best ones.
func (l *sourceList) beside(ranked rankedSources, n int) (out []int32) {
	folders, known := map[string]bool{}, map[int32]bool{}
	for _, number := range ranked.best[:min(len(ranked.best), folderHits)] {
		folders[path.Dir(l.at(number))] = true
	}
	for _, number := range ranked.read {
		known[number] = true
	}
	for number, name := range l.named() {
		if len(out) < n && folders[path.Dir(name)] && !known[number] {
			out = append(out, number)
		}
	}
	return out
}

// named returns the numbers and paths of all sources that are not left out.
func (l *sourceList) named() iter.Seq2[int32, string] {
	return func(yield func(int32, string) bool) {
		for _, b := range l.blocks {
			for i := range b.names.Sources {
				if (b.out == nil || !b.out[i]) && !yield(b.start+int32(i), b.at(uint16(i))) {
					return
				}
			}
		}
	}
}

// levels returns the sources by the number of folders that they are in, and the length of the shortest base name.
func (l *sourceList) levels() (levels [][]int32, shortest int) {
	shortest = math.MaxInt
	for n, name := range l.named() {
		depth := strings.Count(name, "/")
		for len(levels) <= depth {
			levels = append(levels, nil)
		}
		levels[depth] = append(levels[depth], n)
		shortest = min(shortest, len(name)-strings.LastIndexByte(name, '/')-1)
	}
	return levels, shortest
}

// count counts the sources by their languages and by their folders at the top, which end with a slash.
func (l *sourceList) count() (languages, folders map[string]int) {
	languages, folders = map[string]int{}, map[string]int{}
	for _, name := range l.named() {
		languages[lexical.Language(name)]++
		if slash := strings.IndexByte(name, '/'); slash >= 0 {
			folders[name[:slash+1]]++
		}
	}
	return languages, folders
}

// rankedSources are some sources of a list, by their numbers.
type rankedSources struct {
	read        []int32 // those that were ranked
	best, plain []int32 // those that fit, the best first: by all measures, and by their words alone
	weights     lexical.Weights
}

package lexical

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"
)

// Names say which of some paths are those of sources and of tests, and what is known of them without their contents.
// They do not change, and are safe for concurrent use.
type Names struct {
	// Sources and Tests are numbers of paths, in order.
	Sources, Tests []uint16
	// Ignored tells of each source whether it is left out; nil if none is.
	Ignored []bool
	// Shortest is the length of the shortest base name of a source, in bytes.
	Shortest int
	// Languages and Folders count the sources that are not ignored, by their languages and by their folders at the top,
	// which have a slash behind.
	Languages, Folders []Count
	// byDepth has the indexes of the sources in Sources, the shallowest first; levels are their depths.
	byDepth []uint16
	levels  []level
}

// Count says how many sources have a name.
type Count struct {
	Name string
	N    int
}

// level says where the sources end that are in so many folders.
type level struct{ depth, end int }

// NewNames returns the Names of at most MaxPaths paths. Those for which hidden is true are neither sources nor tests;
// ignored tells of a source whether it is left out.
func NewNames(paths iter.Seq[string], hidden, ignored func(name string) bool) *Names {
	n := &Names{Shortest: math.MaxInt}
	var sources []string
	languages, folders := map[string]int{}, map[string]int{}
	number := -1
	for name := range paths {
		number++
		if !IsSource(name) || hidden(name) {
			continue
		}
		if IsTest(name) {
			n.Tests = append(n.Tests, uint16(number))
			continue
		}
		out := ignored(name)
		if out && n.Ignored == nil {
			n.Ignored = make([]bool, len(sources))
		}
		if n.Ignored != nil {
			n.Ignored = append(n.Ignored, out)
		}
		sources, n.Sources = append(sources, name), append(n.Sources, uint16(number))
		n.Shortest = min(n.Shortest, len(name)-strings.LastIndexByte(name, '/')-1)
		if out {
			continue
		}
		languages[Language(name)]++
		if slash := strings.IndexByte(name, '/'); slash >= 0 {
			folders[name[:slash+1]]++
		}
	}
	n.Languages, n.Folders = counts(languages), counts(folders)
	n.sortByDepth(sources)
	n.Sources, n.Tests, n.Ignored = slices.Clip(n.Sources), slices.Clip(n.Tests), slices.Clip(n.Ignored)
	return n
}

func counts(of map[string]int) []Count {
	out := make([]Count, 0, len(of))
	for name, n := range of {
		out = append(out, Count{strings.Clone(name), n})
	}
	return out
}

func (n *Names) sortByDepth(sources []string) {
	depths := make([]int, len(sources))
	n.byDepth = make([]uint16, len(sources))
	for i, name := range sources {
		depths[i], n.byDepth[i] = strings.Count(name, "/"), uint16(i)
	}
	slices.SortStableFunc(n.byDepth, func(a, b uint16) int { return cmp.Compare(depths[a], depths[b]) })
	for i, at := range n.byDepth {
		if len(n.levels) == 0 || n.levels[len(n.levels)-1].depth != depths[at] {
			n.levels = append(n.levels, level{depth: depths[at]})
		}
		n.levels[len(n.levels)-1].end = i + 1
	}
}

// Depth returns the number of folders that the deepest source is in, -1 if there is none.
func (n *Names) Depth() int {
	if len(n.levels) == 0 {
		return -1
	}
	return n.levels[len(n.levels)-1].depth
}

// At returns the indexes, in Sources, of the sources that are in so many folders.
func (n *Names) At(depth int) []uint16 {
	start := 0
	for _, l := range n.levels {
		if l.depth == depth {
			return n.byDepth[start:l.end]
		}
		start = l.end
	}
	return nil
}

// Bytes returns about how much memory the names take.
func (n *Names) Bytes() int64 {
	size := int64(cap(n.Sources)+cap(n.Tests)+cap(n.byDepth))*2 + int64(cap(n.Ignored)) +
		int64(cap(n.levels))*16 + 200
	for _, c := range slices.Concat(n.Languages, n.Folders) {
		size += int64(len(c.Name)) + 24
	}
	return size
}

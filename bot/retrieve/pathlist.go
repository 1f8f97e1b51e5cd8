package retrieve

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/tenon-bot/tenon/prompts"
)

// shallowestFirst returns paths by the number of their folders, and else in the order in which they are given.
func shallowestFirst(names []string) (out []string) {
	byDepth := map[int][]string{}
	for _, name := range names {
		depth := strings.Count(name, "/")
		byDepth[depth] = append(byDepth[depth], name)
	}
	for _, depth := range slices.Sorted(maps.Keys(byDepth)) {
		out = append(out, byDepth[depth]...)
	}
	return out
}

// listPaths returns the paths of the sources and of their tests, each folder once, in at most room bytes: the likeliest
// if there is no room for all. unlisted counts the others.
func (s *selector) listPaths(room int) (out []prompts.Listing, unlisted int) {
	l := pathLister{room: room, names: map[string][]string{}}
	sources := &s.ranking.sources
	levels, shortest := sources.levels()
	fits := make([]bool, sources.numbered())
	for _, n := range s.ranking.best {
		fits[n] = true
	}
	for n := range likeliestFirst(s.ranking.best, levels, fits) {
		if l.room < shortest+len(", ") {
			break // for all
		}
		l.add(sources.at(n))
	}
	tests := s.tests()
	for _, name := range tests {
		l.add(name)
	}
	for _, folder := range slices.Sorted(maps.Keys(l.names)) {
		slices.Sort(l.names[folder])
		out = append(out, prompts.Listing{Folder: cmp.Or(strings.TrimSuffix(folder, "/"), "."), Names: l.names[folder]})
	}
	return out, sources.len + len(tests) - l.listed
}

// likeliestFirst returns the best sources, and then the others, the shallowest first.
func likeliestFirst(best []int32, levels [][]int32, isBest []bool) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for _, n := range best {
			if !yield(n) {
				return
			}
		}
		for _, level := range levels {
			for _, n := range level {
				if !isBest[n] && !yield(n) {
					return
				}
			}
		}
	}
}

// pathLister lists paths by folder as long as there is room.
type pathLister struct {
	room, listed int
	names        map[string][]string // by folder
}

func (l *pathLister) add(name string) {
	folder, base := path.Split(name)
	cost := len(base) + len(", ")
	if l.names[folder] == nil {
		cost += len(folder) + len("./: \n")
	}
	if len(base) > maxPathListName || len(folder) > maxPathListName || ambiguous(folder, base) || cost > l.room {
		return
	}
	l.room -= cost
	l.listed++
	l.names[folder] = append(l.names[folder], base)
}

// tests returns the tests in programming languages that may be shown, maxSources at most, the shallowest first.
func (s *selector) tests() (out []string) {
	for block, names := range s.names() {
		for _, i := range names.Tests {
			if name := block.At(int(i)); Withheld(s.Policy, name) == "" {
				if out = append(out, name); len(out) == maxSources {
					return shallowestFirst(out)
				}
			}
		}
	}
	return shallowestFirst(out)
}

// ambiguous reports whether a name in a folder would be read as several, in a list where a folder ends with "/: " and a
// name with ", ".
func ambiguous(folder, base string) bool {
	return strings.Contains(base, ", ") || strings.Contains(folder, "/: ") || strings.HasPrefix(folder, ": ")
}

// fittingListings returns listings cut to so many bytes, each with as many of its first names as there is room for.
func fittingListings(list []prompts.Listing, room int) (out []prompts.Listing) {
	for _, l := range list {
		room -= len(l.Folder) + len("/: \n")
		cut := prompts.Listing{Folder: l.Folder}
		for _, name := range l.Names {
			if room -= len(name) + len(", "); room < 0 {
				break
			}
			cut.Names = append(cut.Names, name)
		}
		if len(cut.Names) > 0 {
			out = append(out, cut)
		}
	}
	return out
}

// listingBytes returns how many bytes the list of paths takes in a prompt.
func listingBytes(list []prompts.Listing) (n int) {
	for _, l := range list {
		n += len(l.Folder) + len("/: \n")
		for _, name := range l.Names {
			n += len(name) + len(", ")
		}
	}
	return n
}

// project describes the project in a line: how many sources it has, in which languages, and its folders.
func (s *selector) project() string {
	n := s.ranking.sources.len
	if n == 0 {
		return ""
	}
	languages, folders := s.ranking.sources.count()
	maps.DeleteFunc(folders, func(folder string, _ int) bool { return len(folder) > maxPathListName+len("/") })
	text := fmt.Sprintf("%s source files besides tests: %s.", humanize.Comma(int64(n)), most(languages))
	if len(folders) > 0 {
		text += fmt.Sprintf(" Top folders: %s.", most(folders))
	}
	return text
}

// most lists what is counted most, with its number.
func most(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	var out []string
	for _, name := range names[:min(len(names), maxProjectNames)] {
		out = append(out, fmt.Sprintf("%s (%s)", name, humanize.Comma(int64(counts[name]))))
	}
	return strings.Join(out, ", ")
}

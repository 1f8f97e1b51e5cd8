package lexical

import (
	"cmp"
	"iter"
	"maps"
	"slices"
)

// Paths are the terms of some paths, by which these are ranked without their contents. They do not change, and are safe
// for concurrent use.
type Paths struct {
	terms []Term // of all, sorted, each once
	// first is where the postings of each term begin, and where those of the last one end.
	first []uint32
	// files are the paths that have the term, by number, and counts how often each has it.
	files  []uint16
	counts []uint8
	beside []bool // is it beside the product?
}

// NewPaths returns the terms of at most 65,536 paths.
func NewPaths(paths iter.Seq[string]) *Paths {
	p := &Paths{}
	var all []uint64 // a term, and the number of a path that has it
	for name := range paths {
		for _, t := range pathTerms(name) {
			all = append(all, uint64(t)<<16|uint64(len(p.beside)))
		}
		p.beside = append(p.beside, isBeside(name))
	}
	slices.Sort(all)
	for i, one := range all {
		if i > 0 && one == all[i-1] {
			p.counts[len(p.counts)-1]++
			continue
		}
		if t := Term(one >> 16); len(p.terms) == 0 || p.terms[len(p.terms)-1] != t {
			p.terms, p.first = append(p.terms, t), append(p.first, uint32(len(p.files)))
		}
		p.files, p.counts = append(p.files, uint16(one)), append(p.counts, 1)
	}
	p.first = append(p.first, uint32(len(p.files)))
	return &Paths{slices.Clone(p.terms), slices.Clone(p.first), slices.Clone(p.files), slices.Clone(p.counts),
		slices.Clone(p.beside)} // without spare capacity
}

// Len returns how many paths there are.
func (p *Paths) Len() int { return len(p.beside) }

// Bytes returns about how much memory the terms take.
func (p *Paths) Bytes() int64 {
	return int64(cap(p.terms)+cap(p.first))*4 + int64(cap(p.files))*2 + int64(cap(p.counts)+cap(p.beside)) + 150
}

// Among are paths of which some are left out: those for which Out is true, none if Out is nil.
type Among struct {
	*Paths
	Out []bool
}

func (a Among) has(file uint16) bool { return a.Out == nil || !a.Out[file] }

// RankPaths returns the numbers of the paths that fit a query, the best first, counted from 0 over all of them: as
// Index.Rank would of files of which nothing is known but their paths. It takes time for the paths that fit.
func RankPaths(q *Query, among []Among) []int32 {
	having, all := make([]int, len(q.words.terms)), 0
	for _, a := range among {
		all += a.Len()
		for _, out := range a.Out {
			if out {
				all--
			}
		}
		a.find(q, func(term int, _ uint16, _ uint8) { having[term]++ })
	}
	weights, norm := q.rare(having, all), contentNorm(0, 1)
	classes := map[pathWorth]*pathClass{}
	var worth []pathWorth // of the paths of a group, used again for the next one
	start := 0
	for _, a := range among {
		worth = slices.Grow(worth[:0], a.Len())[:a.Len()]
		clear(worth)
		a.find(q, func(term int, file uint16, count uint8) {
			worth[file].content += contentWorth(weights[term], pathCount*float64(count), norm)
			worth[file].path += weights[term]
		})
		for file, w := range worth {
			if w.content <= 0 {
				continue
			}
			w.beside = a.beside[file]
			class := classes[w]
			if class == nil {
				class = &pathClass{pathWorth: w}
				classes[w] = class
			}
			class.paths = append(class.paths, int32(start+file))
		}
		start += a.Len()
	}
	return inOrder(slices.Collect(maps.Values(classes)))
}

// pathWorth is what decides about the rank of a path. Many have the same, so classes of them are ranked.
type pathWorth struct {
	content, path float64
	beside        bool
}

type pathClass struct {
	pathWorth
	score float64
	paths []int32 // their numbers, in order
}

// find calls found for each path that has a term of the query and is not left out.
func (a Among) find(q *Query, found func(term int, file uint16, count uint8)) {
	query, terms := cursor{terms: q.words.terms}, cursor{terms: a.terms}
	for meet(&query, &terms) {
		for i := a.first[terms.at]; i < a.first[terms.at+1]; i++ {
			if file := a.files[i]; a.has(file) {
				found(query.at, file, a.counts[i])
			}
		}
		query.skip(1)
		terms.skip(1)
	}
}

// inOrder returns the numbers of the paths, the best first. Classes are ranked like the files in them by fuse.
func inOrder(classes []*pathClass) (out []int32) {
	for _, ranking := range []struct {
		weight float64
		of     func(*pathClass) float64
	}{
		{1, func(c *pathClass) float64 { return c.content }},
		{pathWeight, func(c *pathClass) float64 { return c.path }},
	} {
		slices.SortFunc(classes, func(a, b *pathClass) int { return cmp.Compare(ranking.of(b), ranking.of(a)) })
		rank, better := 0, 0 // better is how many paths come before
		for i, c := range classes {
			if i > 0 && ranking.of(c) < ranking.of(classes[i-1]) {
				rank = better
			}
			c.score += ranking.weight / (rankK + float64(rank))
			better += len(c.paths)
		}
	}
	for _, c := range classes {
		if c.beside {
			c.score *= sideFactor
		}
	}
	slices.SortFunc(classes, func(a, b *pathClass) int { return cmp.Compare(b.score, a.score) })
	same := 0 // where the paths of the present score begin
	for i, c := range classes {
		if i > 0 && c.score < classes[i-1].score {
			same = len(out)
		}
		if out = append(out, c.paths...); len(out) > same+len(c.paths) {
			slices.Sort(out[same:])
		}
	}
	return out
}

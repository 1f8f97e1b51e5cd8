package lexical

import (
	"cmp"
	"iter"
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
	r := pathRanker{query: q, having: make([]int, len(q.words.terms)), classes: map[pathClass]uint32{}}
	for i, a := range among {
		r.find(i, a)
	}
	r.measure(among, q.rare(r.having, r.all))
	return r.order(r.scores())
}

// pathRanker ranks paths. Many have the same worth, so it ranks classes of them.
type pathRanker struct {
	query *Query
	found []termSpan
	// having is how many paths have each term of the query, all how many paths there are, numbered those that are left
	// out among them.
	having        []int
	all, numbered int
	classes       map[pathClass]uint32 // by number, from 1
	sizes         []int                // of each class
	classOf       []uint32             // of each path; 0 for those that do not fit
}

// termSpan is where a group of paths has a term of the query.
type termSpan struct {
	group, term int
	from, to    uint32 // of the postings
}

// pathClass is what decides about the rank of a path.
type pathClass struct {
	content, path float64
	beside        bool
}

// find finds the terms of the query in a group of paths.
func (r *pathRanker) find(group int, a Among) {
	r.numbered += a.Len()
	r.all += a.Len()
	for _, out := range a.Out {
		if out {
			r.all--
		}
	}
	query, terms := cursor{terms: r.query.words.terms}, cursor{terms: a.terms}
	for meet(&query, &terms) {
		s := termSpan{group, query.at, a.first[terms.at], a.first[terms.at+1]}
		n := int(s.to - s.from)
		if a.Out != nil {
			for _, file := range a.files[s.from:s.to] {
				if a.Out[file] {
					n--
				}
			}
		}
		r.having[s.term] += n
		r.found = append(r.found, s)
		query.skip(1)
		terms.skip(1)
	}
}

// measure finds the class of each path.
func (r *pathRanker) measure(among []Among, weights []float64) {
	r.classOf = make([]uint32, r.numbered)
	var worth []pathClass // of the paths of a group, used again for the next one
	norm := contentNorm(0, 1)
	spans, start := r.found, 0
	for group, a := range among {
		worth = slices.Grow(worth[:0], a.Len())[:a.Len()]
		clear(worth)
		fits := false
		for ; len(spans) > 0 && spans[0].group == group; spans = spans[1:] {
			fits = true
			w := weights[spans[0].term]
			for i := spans[0].from; i < spans[0].to; i++ {
				of := &worth[a.files[i]]
				count := pathCount * float64(a.counts[i])
				of.content += contentWorth(w, count, norm)
				of.path += w
			}
		}
		for file := range worth {
			if fits && worth[file].content > 0 && a.has(uint16(file)) {
				worth[file].beside = a.beside[file]
				r.classOf[start+file] = r.class(worth[file])
			}
		}
		start += a.Len()
	}
}

// class returns the number of a class that has one more path.
func (r *pathRanker) class(c pathClass) uint32 {
	n := r.classes[c]
	if n == 0 {
		r.sizes = append(r.sizes, 0)
		n = uint32(len(r.sizes))
		r.classes[c] = n
	}
	r.sizes[n-1]++
	return n
}

// scores returns the score of each class.
func (r *pathRanker) scores() []float64 {
	classes := make([]pathClass, len(r.sizes))
	for c, n := range r.classes {
		classes[n-1] = c
	}
	scores, order := make([]float64, len(classes)), make([]int, len(classes))
	for i := range order {
		order[i] = i
	}
	for _, ranking := range []struct {
		weight float64
		of     func(int) float64
	}{
		{1, func(i int) float64 { return classes[i].content }},
		{pathWeight, func(i int) float64 { return classes[i].path }},
	} {
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(ranking.of(b), ranking.of(a)) })
		rank, better := 0, 0 // better is how many paths come before
		for i, class := range order {
			if i > 0 && ranking.of(class) < ranking.of(order[i-1]) {
				rank = better
			}
			scores[class] += ranking.weight / (rankK + float64(rank))
			better += r.sizes[class]
		}
	}
	for i, c := range classes {
		if c.beside {
			scores[i] *= sideFactor
		}
	}
	return scores
}

// order returns the numbers of the paths that fit by their scores, those of the same score in order.
func (r *pathRanker) order(scores []float64) []int32 {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	next := make([]int, len(scores)) // where the next path of each class goes, by the first class of its score
	first, at := make([]int, len(scores)), 0
	for i, class := range order {
		first[class] = class
		if i > 0 && scores[class] == scores[order[i-1]] {
			first[class] = first[order[i-1]]
		} else {
			next[class] = at
		}
		at += r.sizes[class]
	}
	out := make([]int32, at)
	for file, class := range r.classOf {
		if class > 0 {
			slot := &next[first[class-1]]
			out[*slot] = int32(file)
			*slot++
		}
	}
	return out
}

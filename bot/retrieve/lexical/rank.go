package lexical

import (
	"cmp"
	"math"
	"slices"
)

// Hit is a file that fits a query. File is its index among the files of the Index, Score is positive.
type Hit struct {
	File  int
	Score float64
	// Defined are lines of the file that define names in the query.
	Defined []int
}

// The constants of the ranking were chosen by cross-validation over repositories: ADR 0017.
const (
	contentK, contentB = 3.0, 0.6 // BM25's constants for files
	windowK, windowB   = 1.2, 0.6 // and for windows
	pathCount          = 4.0      // how often a word of the path counts
	rankK              = 10.0     // the constant of reciprocal rank fusion
	windowWeight       = 0.7      // of the ranking by the best window
	nameWeight         = 0.45     // of that by definitions
	pathWeight         = 0.4      // of that by paths
	sideFactor         = 0.7      // for files beside the product
	maxDefining        = 10       // files that define a name; with more of them it says too little
)

// measures are what files are ranked by; each makes a ranking of its own, and these are fused.
type measures struct{ content, window, names, path float64 }

// Rank returns the files that fit a query, the best first.
func (x *Index) Rank(q *Query) []Hit {
	matches, having := x.match(q)
	weights := make([]float64, len(q.terms))
	for i, t := range q.terms {
		weights[i] = t.weight * x.rarity(having[i])
	}
	hits, found := make([]Hit, len(x.files)), make([]measures, len(x.files))
	for i := range x.files {
		hits[i].File = i
		found[i] = x.measure(i, matches[i], weights)
	}
	x.findDefinitions(q, hits, found)
	fuse(hits, found)
	for i, f := range x.files {
		if isBeside(f.Path) {
			hits[i].Score *= sideFactor
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.File, b.File))
	})
	end, _ := slices.BinarySearchFunc(hits, 0, func(h Hit, _ int) int {
		if h.Score > 0 {
			return -1
		}
		return 0
	})
	return hits[:end]
}

// match is where a file has a term of a query.
type match struct {
	term     int // its index in the query
	postings []posting
	path     int // how often the path has it
}

// match returns, for each file, where it has which terms of a query, and for each term how many files have it.
func (x *Index) match(q *Query) (matches [][]match, having []int) {
	matches, having = make([][]match, len(x.files)), make([]int, len(q.terms))
	for i, f := range x.files {
		for n, t := range q.terms {
			m := match{term: n, path: x.inPath(i, t.term)}
			if f.Document != nil {
				m.postings = f.Document.of(t.term)
			}
			if m.path > 0 || m.postings != nil {
				having[n]++
				matches[i] = append(matches[i], m)
			}
		}
	}
	return matches, having
}

// measure returns by how much a file fits, apart from its definitions.
func (x *Index) measure(file int, matches []match, weights []float64) (out measures) {
	d := x.files[file].Document
	length := 0.0
	var windows, norms []float64
	if d != nil {
		length = float64(d.length)
		windows, norms = make([]float64, len(d.lengths)), d.norms(x.window)
	}
	norm := contentK * (1 - contentB + contentB*length/x.length)
	for _, m := range matches {
		w := weights[m.term]
		count := pathCount * float64(m.path)
		for _, p := range m.postings {
			count += float64(p.count)
		}
		out.content += w * count * (contentK + 1) / (count + norm)
		if m.path > 0 {
			out.path += w
		}
		addWindows(windows, norms, m.postings, w)
	}
	for _, score := range windows {
		out.window = math.Max(out.window, score)
	}
	return out
}

// norms returns BM25's norm of each window, by its length. A window is a piece and the next one.
func (d *Document) norms(average float64) []float64 {
	norms := make([]float64, len(d.lengths))
	for i, n := range d.lengths {
		if i+1 < len(d.lengths) {
			n += d.lengths[i+1]
		}
		norms[i] = windowK * (1 - windowB + windowB*float64(n)/average)
	}
	return norms
}

// addWindows adds a term's worth to each window that has it.
func addWindows(windows, norms []float64, postings []posting, weight float64) {
	add := func(at int, count uint16) {
		n := float64(count)
		windows[at] += weight * n * (windowK + 1) / (n + norms[at])
	}
	for i, p := range postings {
		at := int(p.piece)
		if at > 0 && (i == 0 || int(postings[i-1].piece) != at-1) {
			add(at-1, p.count)
		}
		if i+1 < len(postings) && int(postings[i+1].piece) == at+1 {
			p.count = uint16(min(int(p.count)+int(postings[i+1].count), math.MaxUint16))
		}
		add(at, p.count)
	}
}

// findDefinitions adds to the files what they define of the names in a query. A name that several files define counts
// less for each of them.
func (x *Index) findDefinitions(q *Query, hits []Hit, found []measures) {
	for _, name := range q.names {
		var defining []int
		for i, f := range x.files {
			if f.Document != nil && f.Document.defines(name.term) {
				defining = append(defining, i)
			}
		}
		if len(defining) > maxDefining {
			continue
		}
		for _, i := range defining {
			found[i].names += name.weight / float64(len(defining)*len(defining))
			hits[i].Defined = append(hits[i].Defined, x.files[i].Document.definitions(name.term)...)
		}
	}
	for i := range hits {
		slices.Sort(hits[i].Defined)
		hits[i].Defined = slices.Compact(hits[i].Defined)
	}
}

// fuse gives each file its score by reciprocal rank fusion: the sum, over the rankings by each measure, of the
// measure's weight divided by the file's rank and a constant. See Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion
// outperforms Condorcet and individual Rank Learning Methods", 2009.
func fuse(hits []Hit, found []measures) {
	order := make([]int, len(hits))
	for i := range order {
		order[i] = i
	}
	for _, ranking := range []struct {
		weight float64
		of     func(int) float64
	}{
		{1, func(i int) float64 { return found[i].content }},
		{windowWeight, func(i int) float64 { return found[i].window }},
		{nameWeight, func(i int) float64 { return found[i].names }},
		{pathWeight, func(i int) float64 { return found[i].path }},
	} {
		slices.SortFunc(order, func(a, b int) int {
			return cmp.Or(cmp.Compare(ranking.of(b), ranking.of(a)), cmp.Compare(a, b))
		})
		rank := 0
		for i, file := range order {
			worth := ranking.of(file)
			if worth <= 0 {
				break
			}
			if i > 0 && worth < ranking.of(order[i-1]) {
				rank = i
			}
			hits[file].Score += ranking.weight / (rankK + float64(rank))
		}
	}
}

package lexical

import (
	"cmp"
	"slices"
)

// Hit is a file that fits a query. File is its index among the files of the Index, Score is positive.
type Hit struct {
	File  int
	Score float64
	// Content is how well its words alone fit, as BM25 has it.
	Content float64
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
	sideFactor         = 0.3      // for files beside the product
	maxDefining        = 10       // files that define a name; with more of them it says too little
)

// measures are what files are ranked by; each makes a ranking of its own, and these are fused.
type measures struct{ content, window, names, path float64 }

// Rank returns the files that fit a query, the best first.
func (x *Index) Rank(q *Query) []Hit {
	m := matcher{index: x, query: q}
	weights := q.rare(m.count(), len(x.files))
	hits, found := make([]Hit, len(x.files)), make([]measures, len(x.files))
	for i := range x.files {
		hits[i].File = i
		found[i] = m.measure(i, weights)
		hits[i].Content = found[i].content
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

// findDefinitions adds to the files what they define of the names in a query. A name that several files define counts
// less for each of them.
func (x *Index) findDefinitions(q *Query, hits []Hit, found []measures) {
	defining := make([]int, len(q.names.terms)) // how many files define each name
	for _, f := range x.files {
		f.Document.eachDefined(q.names.terms, func(name int, _ []uint32) { defining[name]++ })
	}
	for i, f := range x.files {
		f.Document.eachDefined(q.names.terms, func(name int, lines []uint32) {
			n := defining[name]
			if n > maxDefining {
				return
			}
			found[i].names += q.names.weights[name] / float64(n*n)
			for _, line := range lines {
				hits[i].Defined = append(hits[i].Defined, int(line))
			}
		})
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

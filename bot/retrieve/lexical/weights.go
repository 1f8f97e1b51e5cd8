package lexical

import (
	"bytes"
	"math"
	"slices"
)

// Weights say how much each term of a query counts. They do not change, and are safe for concurrent use.
type Weights struct{ words weighted }

// Weights returns the weights of a query for texts of which nothing else is known: its terms by how often it has them.
func (q *Query) Weights() Weights { return Weights{q.words} }

// Weights returns the weights of a query for the files of an index, where a term counts less the more files have it.
func (x *Index) Weights(q *Query) Weights {
	having := make([]int, len(q.words.terms))
	for _, f := range x.files {
		if f.Document == nil {
			continue
		}
		query, content := cursor{terms: q.words.terms}, cursor{terms: f.Document.terms}
		for meet(&query, &content) {
			having[query.at]++
			query.skip(1)
		}
	}
	return Weights{weighted{q.words.terms, q.rare(having, len(x.files))}}
}

// rare returns how much each term of a query counts if so many of all files have it.
func (q *Query) rare(having []int, all int) []float64 {
	weights := make([]float64, len(having))
	for i, n := range having {
		weights[i] = q.words.weights[i] * rarity(n, all)
	}
	return weights
}

// rarity returns how much a term counts that n of all files have: the inverse document frequency of BM25.
func rarity(n, all int) float64 {
	return math.Log(1 + (float64(all)-float64(n)+0.5)/(float64(n)+0.5))
}

// Scores returns how well each of several texts fits, as BM25 does: the texts are the lines between one bound and the
// next. bounds count lines from 0 and ascend; the first is where the first text begins, the last where the last one
// ends. Terms that many of the texts have count less.
func (w Weights) Scores(data []byte, bounds []int) []float64 {
	scores := make([]float64, max(0, len(bounds)-1))
	n := len(w.words.terms)
	if len(scores) == 0 || n == 0 {
		return scores
	}
	c := termCounter{terms: w.words.terms, counts: make([]int, n), having: make([]int, n)}
	found := make([][]termCount, len(scores))
	for i := range found {
		data = c.skip(data, bounds[i]-c.line)
		data = c.read(data, bounds[i+1]-c.line)
		found[i] = c.take()
	}
	for i, terms := range found {
		lines := float64(bounds[i+1] - bounds[i])
		norm := windowK * (1 - windowB + windowB*lines/(2*PieceLines))
		for _, t := range terms {
			rare := math.Sqrt(math.Log(1 + float64(len(found))/float64(c.having[t.term])))
			n := float64(t.count)
			scores[i] += w.words.weights[t.term] * rare * n * (windowK + 1) / (n + norm)
		}
	}
	return scores
}

// termCount says how often a text has a term, by the term's index in the weights.
type termCount struct{ term, count int }

// termCounter counts the terms of one text after the other.
type termCounter struct {
	terms  []Term
	counts []int // of the present text, by the index of the term
	seen   []int // the terms that it has
	having []int // how many texts have a term
	line   int   // how many lines were read
}

// skip and read go on by some lines of data, and return the rest.
func (c *termCounter) skip(data []byte, lines int) []byte {
	for ; lines > 0 && len(data) > 0; lines-- {
		_, data, _ = bytes.Cut(data, newline)
		c.line++
	}
	return data
}

func (c *termCounter) read(data []byte, lines int) []byte {
	for ; lines > 0 && len(data) > 0; lines-- {
		var line []byte
		line, data, _ = bytes.Cut(data, newline)
		c.line++
		eachTerm(line, c.count)
	}
	return data
}

var newline = []byte("\n")

func (c *termCounter) count(t Term) {
	i, ok := slices.BinarySearch(c.terms, t)
	if !ok {
		return
	}
	if c.counts[i] == 0 {
		c.seen = append(c.seen, i)
		c.having[i]++
	}
	c.counts[i]++
}

// take returns the counts of the present text, and begins the next one.
func (c *termCounter) take() (out []termCount) {
	slices.Sort(c.seen)
	for _, i := range c.seen {
		out = append(out, termCount{i, c.counts[i]})
		c.counts[i] = 0
	}
	c.seen = c.seen[:0]
	return out
}

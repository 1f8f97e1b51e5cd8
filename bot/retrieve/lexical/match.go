package lexical

import (
	"math"
	"slices"
)

// matcher compares the files of an index with a query, one after the other. Its memory is used again for the next file,
// so what it takes does not grow with the number of files.
type matcher struct {
	index          *Index
	query          *Query
	found          []match
	windows, norms []float64
}

// match is where a file has a term of a query.
type match struct {
	term     int // its index in the query
	path     int // how often the path has it
	postings []posting
}

// matches returns where a file has terms of the query, in the order of the query. The next call overwrites it.
func (m *matcher) matches(file int) []match {
	m.found = m.found[:0]
	d := m.index.files[file].Document
	query, path, content := cursor{terms: m.query.words.terms}, cursor{terms: m.index.paths[file]}, cursor{}
	if d != nil {
		content.terms = d.terms
	}
	for next, ok := least(path, content); ok; next, ok = least(path, content) {
		if query.pass(next); len(query.terms) == 0 {
			break
		}
		if t := query.terms[0]; t > next {
			path.pass(t)
			content.pass(t)
			continue
		}
		match := match{term: query.at, path: path.take(next)}
		if at := content.at; content.take(next) > 0 {
			match.postings = d.postings[d.first[at]:d.first[at+1]]
		}
		m.found = append(m.found, match)
	}
	return m.found
}

// least returns the lesser of the present terms of two cursors, and whether there is one.
func least(a, b cursor) (t Term, ok bool) {
	switch {
	case len(a.terms) == 0 && len(b.terms) == 0:
		return 0, false
	case len(a.terms) == 0, len(b.terms) > 0 && b.terms[0] < a.terms[0]:
		return b.terms[0], true
	}
	return a.terms[0], true
}

// count returns how many files have each term of the query.
func (m *matcher) count() []int {
	having := make([]int, len(m.query.words.terms))
	for i := range m.index.files {
		for _, match := range m.matches(i) {
			having[match.term]++
		}
	}
	return having
}

// measure returns by how much a file fits, apart from its definitions.
func (m *matcher) measure(file int, weights []float64) (out measures) {
	matches := m.matches(file)
	if len(matches) == 0 {
		return measures{}
	}
	length := 0.0
	m.windows, m.norms = m.windows[:0], m.norms[:0]
	if d := m.index.files[file].Document; d != nil {
		length = float64(d.length)
		m.windows = slices.Grow(m.windows, len(d.lengths))[:len(d.lengths)]
		clear(m.windows)
		m.norms = d.norms(m.norms, m.index.window)
	}
	norm := contentNorm(length, m.index.length)
	for _, match := range matches {
		w := weights[match.term]
		count := pathCount * float64(match.path)
		for _, p := range match.postings {
			count += float64(p.count)
		}
		out.content += contentWorth(w, count, norm)
		if match.path > 0 {
			out.path += w
		}
		addWindows(m.windows, m.norms, match.postings, w)
	}
	for _, score := range m.windows {
		out.window = math.Max(out.window, score)
	}
	return out
}

// contentNorm returns BM25's norm of a file by its length, and contentWorth what a term is worth that it has so often.
func contentNorm(length, average float64) float64 {
	return contentK * (1 - contentB + contentB*length/average)
}

func contentWorth(weight, count, norm float64) float64 {
	return weight * count * (contentK + 1) / (count + norm)
}

// norms returns BM25's norm of each window, by its length. A window is a piece and the next one.
func (d *Document) norms(buffer []float64, average float64) []float64 {
	for i, n := range d.lengths {
		if i+1 < len(d.lengths) {
			n += d.lengths[i+1]
		}
		buffer = append(buffer, windowK*(1-windowB+windowB*float64(n)/average))
	}
	return buffer
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
			p.count += postings[i+1].count
		}
		add(at, p.count)
	}
}

package lexical

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Query is the words of a text by which files are ranked. It does not change, and is safe for concurrent use.
type Query struct {
	words weighted
	names weighted // hashes of what the code may define, as it is written
}

// weighted are terms in order, or hashes of names, and how much each counts.
type weighted struct {
	terms   []Term
	weights []float64
}

// Bounds on queries.
const (
	maxQueryBytes = 64 << 10 // of text that is read
	maxQueryTerms = 600
	maxQueryNames = 600
)

// How much the words of a query count.
const (
	titleCount   = 2        // how often a word of the title counts
	termK        = 2.0      // BM25's constant for how often a term is in the query
	plainWeight  = 0.1      // of a word of prose as a name in code
	capitalised  = 0.5      // of one with a capital letter
	codeWeight   = 1.0      // of one that is written as code is
	fencedFactor = 0.7      // of words in fenced code
	ownFactor    = 1.0 / 16 // of the words of the project's own name
	minNameBytes = 3
)

// NewQuery returns the query for a title and the texts below it. Of 64 KiB of text, what follows is not read. The words
// of the project's name count less: they are in every text about it, and in few of its paths.
func NewQuery(project, title string, texts ...string) *Query {
	b := queryBuilder{counts: map[Term]float64{}, names: map[Term]float64{}, room: maxQueryBytes}
	b.read(title, titleCount)
	for _, text := range texts {
		b.read(text, 1)
	}
	return b.query(project)
}

// Empty reports whether the query has no words that say anything.
func (q *Query) Empty() bool { return len(q.words.terms) == 0 }

// queryBuilder collects the words of a query.
type queryBuilder struct {
	counts map[Term]float64
	names  map[Term]float64
	room   int // bytes that are still read
}

// read adds the words of a text, each of which counts so often. In fenced code they count less: that is mostly output,
// or how to reproduce a problem, and little of it is in the sources.
func (b *queryBuilder) read(text string, count float64) {
	text = text[:min(len(text), b.room)]
	b.room -= len(text)
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		each := count
		if fenced {
			each *= fencedFactor
		}
		for len(line) > 0 { // a paragraph may be one long line
			part := line[:min(len(line), maxLineBytes)]
			line = line[len(part):]
			b.line(part, each)
		}
	}
}

func (b *queryBuilder) line(line string, count float64) {
	eachTerm([]byte(line), func(t Term) {
		if !stopTerms[t] && (b.counts[t] > 0 || len(b.counts) < maxQueryTerms) {
			b.counts[t] += count
		}
	})
	eachName(line, func(name Term, weight float64) {
		if b.names[name] > 0 || len(b.names) < maxQueryNames {
			b.names[name] = max(b.names[name], weight)
		}
	})
}

func (b *queryBuilder) query(project string) *Query {
	for t, n := range b.counts {
		b.counts[t] = n * (termK + 1) / (n + termK)
	}
	eachTerm([]byte(project), func(t Term) { lessen(b.counts, t) })
	eachName(project, func(name Term, _ float64) { lessen(b.names, name) })
	return &Query{words: sorted(b.counts), names: sorted(b.names)}
}

// lessen makes a word count as little as one of the project's own name.
func lessen(weights map[Term]float64, t Term) {
	if w, ok := weights[t]; ok {
		weights[t] = w * ownFactor
	}
}

func sorted(weights map[Term]float64) weighted {
	out := weighted{terms: slices.Sorted(maps.Keys(weights)), weights: make([]float64, len(weights))}
	for i, t := range out.terms {
		out.weights[i] = weights[t]
	}
	return out
}

// eachName calls yield with the words of a line that may be names in code, and how much each looks like one: written in
// parts, beside a backtick, a dot, a colon or a parenthesis, or with a capital letter.
func eachName(line string, yield func(Term, float64)) {
	inName := func(c byte) bool { return c < utf8.RuneSelf && classes[c] != separator }
	for at := 0; at < len(line); {
		for at < len(line) && !inName(line[at]) {
			at++
		}
		start := at
		for at < len(line) && inName(line[at]) {
			at++
		}
		if word := line[start:at]; len(word) >= minNameBytes && len(word) <= maxWordBytes {
			yield(nameTerm(word), nameWeightOf(word, line[:start], line[at:]))
		}
	}
}

func nameWeightOf(word, before, after string) float64 {
	_, first := nextPart([]byte(word), 0)
	switch {
	case first < len(word) && strings.Trim(word, "0123456789") != "",
		before != "" && strings.ContainsRune("`.:", rune(before[len(before)-1])),
		after != "" && strings.ContainsRune("`(", rune(after[0])), strings.HasPrefix(after, "::"):
		return codeWeight
	case classes[word[0]] == upper:
		return capitalised
	}
	return plainWeight
}

// stopTerms are words of English that say nothing about code, and those of issue forms.
var stopTerms = func() map[Term]bool {
	out := map[Term]bool{}
	eachWord := strings.FieldsSeq(`
		a about after again all also am an and any are as at be because been before being but by can cannot could did do does
		doing don done down each either else even ever every few for from further get gets getting give given go goes going
		got had has have having he her here him his how i if in instead into is it its itself just know let like ll look
		looks made make makes many may maybe me might more most much must my need needs no nor not now of off on once only
		or other our out over own please re really s same see seem seems she should shouldn since so some something still
		such sure t than thank thanks that the their them then there these they thing things this those through to too
		try trying tried under until up us use used uses using ve very want wants was way we well were what when where which
		while who why will with without won would wouldn yes you your
		issue bug fix problem expected actual behavior behaviour version hi hello`)
	for word := range eachWord {
		eachTerm([]byte(word), func(t Term) { out[t] = true })
	}
	return out
}()

package lexical

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// weightOf returns how much a word counts in a query, 0 if it does not.
func weightOf(q *Query, word string) float64 { return q.words.of(hash(stem([]byte(word)))) }

// weightAsName returns how much a word counts as a name.
func weightAsName(q *Query, name string) float64 { return q.names.of(nameTerm(name)) }

func (w weighted) of(t Term) float64 {
	for i := range w.terms {
		if w.terms[i] == t {
			return w.weights[i]
		}
	}
	return 0
}

func TestHowMuchTheWordsOfAQueryCount(t *testing.T) {
	t.Parallel()
	q := NewQuery("okhttp", "gateway okhttp", "proxy\n```\nlistener\n```\nsocket socket socket\nproxy", "cookie")
	plain := weightOf(q, "cookie")
	require.Positive(t, plain)
	require.InDelta(t, plain*1.5, weightOf(q, "gateway"), 1e-9, "the title counts twice")
	require.InDelta(t, weightOf(q, "gateway"), weightOf(q, "proxy"), 1e-9, "as does what is there twice")
	require.Greater(t, weightOf(q, "socket"), weightOf(q, "proxy"))
	require.Less(t, weightOf(q, "socket"), 3*plain, "a word that is repeated counts less each time")
	require.Less(t, weightOf(q, "listener"), plain, "fenced code counts less")
	require.InDelta(t, weightOf(q, "gateway")*ownFactor, weightOf(q, "okhttp"), 1e-9, "the project's name counts less")
	require.InDelta(t, plainWeight*ownFactor, weightAsName(q, "okhttp"), 1e-9)
}

func TestWordsThatSayNothingAreNotInAQuery(t *testing.T) {
	t.Parallel()
	require.True(t, NewQuery("", "").Empty())
	require.True(t, NewQuery("", "Why does it not seem so?", "Hi! Please fix the bugs; I don't know how.").Empty())
	require.False(t, NewQuery("", "Why does it not parse?").Empty())
	q := NewQuery("", "The parser should be using the fixed version")
	for _, word := range strings.Fields("the should be using fixed version") {
		require.Zero(t, weightOf(q, word), word)
	}
	require.Positive(t, weightOf(q, "parser"))
}

func TestWhatLooksLikeANameInCodeCountsAsOne(t *testing.T) {
	t.Parallel()
	q := NewQuery("", "When Cookie calls parse_header or parseURL, `reset` and close() or client.send fail: "+
		"retry, e2e, 12345, ab")
	for name, want := range map[string]float64{
		"parse_header": codeWeight, "parseURL": codeWeight, "reset": codeWeight, "close": codeWeight, "send": codeWeight,
		"e2e": codeWeight, "Cookie": capitalised, "retry": plainWeight, "calls": plainWeight, "ab": 0, "cookie": 0,
		"12345": plainWeight,
	} {
		require.InDelta(t, want, weightAsName(q, name), 0, name)
	}
}

func TestQueriesAreBounded(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, "word%dx ", i)
	}
	q := NewQuery("", "", text.String())
	require.LessOrEqual(t, len(q.words.terms), maxQueryTerms)
	require.LessOrEqual(t, len(q.names.terms), maxQueryNames)

	filler := strings.Repeat("filler words\n", maxQueryBytes/len("filler words\n"))
	q = NewQuery("", "", "first\n"+filler, "last")
	require.Positive(t, weightOf(q, "first"))
	require.Zero(t, weightOf(q, "last"))
	q = NewQuery("", "", strings.Repeat("long line ", 500)+"lastly")
	require.Positive(t, weightOf(q, "lastly"), "a paragraph may be one long line")
}

// FuzzQuery makes a query of any text, which is bounded, and ranks files with it.
func FuzzQuery(f *testing.F) {
	f.Add("acme", "Title", "text with `code` and\n```\nfences\n")
	f.Add("", "\xff\x00", strings.Repeat("x", 2000))
	f.Fuzz(func(t *testing.T, project, title, text string) {
		q := NewQuery(project, title, text)
		require.LessOrEqual(t, len(q.words.terms), maxQueryTerms)
		require.LessOrEqual(t, len(q.names.terms), maxQueryNames)
		files := []File{
			{"title.go", NewDocument("title.go", []byte(title))}, {text, nil}, {"text.py", NewDocument("text.py", []byte(text))},
		}
		x := NewIndex(files)
		hits := x.Rank(q)
		require.Equal(t, hits, x.Rank(q))
		last := 1e9
		for _, h := range hits {
			require.Positive(t, h.Score)
			require.LessOrEqual(t, h.Score, last)
			last = h.Score
		}
	})
}

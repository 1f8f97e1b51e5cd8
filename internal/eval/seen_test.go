package eval

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/retrieve"
)

// shown returns what is seen of views alone.
func shown(views ...View) *Seen {
	s := newSeen("", retrieve.Found{})
	for _, v := range views {
		s.See(v)
	}
	return s
}

func TestALineIsSeenIfAPartOfItsFileHasIt(t *testing.T) {
	t.Parallel()
	s := shown(View{"a.go", 100, []retrieve.Span{{From: 10, To: 20}, {From: 90, To: 100}}}, View{Path: "empty.go"})
	for line, want := range map[int]bool{9: false, 10: true, 20: true, 21: false, 100: true} {
		require.Equal(t, want, s.Shows("a.go", line), line)
	}
	require.True(t, s.Shows("a.go", 101), "what is appended is seen with the last line")
	require.False(t, s.Shows("b.go", 10), "of another file")
	require.True(t, s.Shows("empty.go", 1), "an empty file is seen whole")
	s.See(View{"a.go", 100, []retrieve.Span{{From: 1, To: 9}}})
	require.True(t, s.Shows("a.go", 0), "what is inserted at the top is seen with the first line")
	require.True(t, s.Shows("a.go", 15), "what was shown before stays seen")
}

func TestAPathIsNamedOnlyAsAWhole(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"look at `shop/total.go`.":       true,
		"shop/total.go:12 is wrong":      true,
		"old/shop/total.go is wrong":     false,
		"shop/total.gohtml":              false,
		"myshop/total.go":                false,
		"total.go":                       false,
		"a/shop/total.go, shop/total.go": true,
	} {
		s := newSeen(text, retrieve.Found{})
		require.Equal(t, want, s.Names("shop/total.go"), text)
		require.False(t, s.Listed("shop/total.go"), "an issue is no list")
	}
}

func TestAResultTellsHowMuchOfTheFixIsShown(t *testing.T) {
	t.Parallel()
	pair := Pair{Gold: []string{"a.go", "b.go"}, Lines: map[string][]int{"a.go": {5, 50}, "b.go": {7}}}
	half := View{"a.go", 60, []retrieve.Span{{From: 1, To: 10}}}
	whole := []View{{"a.go", 60, []retrieve.Span{{From: 1, To: 60}}}, {"b.go", 9, []retrieve.Span{{From: 1, To: 9}}}}
	other := View{"c.go", 9, []retrieve.Span{{From: 1, To: 9}}}
	for name, c := range map[string]struct {
		views []View
		want  Result
	}{
		"nothing":        {nil, Result{None: true}},
		"another file":   {[]View{other}, Result{}},
		"half of a file": {[]View{half}, Result{Any: true, LinesAny: true}},
		"one file":       {whole[1:], Result{Any: true, LinesAny: true}},
		"all":            {whole, Result{Any: true, All: true, LinesAny: true, LinesAll: true, Nameable: true}},
	} {
		var got Result
		got.compare(pair, shown(c.views...))
		require.Equal(t, c.want, got, name)
	}
	s := shown(half)
	s.List("", "b.go")
	var got Result
	got.compare(pair, s)
	require.True(t, got.Nameable, "a path in a list is enough to ask for it")
}

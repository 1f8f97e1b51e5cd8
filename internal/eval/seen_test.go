package eval

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/retrieve"
)

// shown returns what is seen of views alone.
func shown(views ...view) *seen {
	s := newSeen("", retrieve.Found{})
	for _, v := range views {
		s.see(v)
	}
	return s
}

func TestALineIsSeenIfAPartOfItsFileHasIt(t *testing.T) {
	t.Parallel()
	s := shown(view{"a.go", 100, []retrieve.Span{{From: 10, To: 20}, {From: 90, To: 100}}}, view{path: "empty.go"})
	for line, want := range map[int]bool{9: false, 10: true, 20: true, 21: false, 100: true} {
		require.Equal(t, want, s.shows("a.go", line), line)
	}
	require.True(t, s.shows("a.go", 101), "what is appended is seen with the last line")
	require.False(t, s.shows("b.go", 10), "of another file")
	require.True(t, s.shows("empty.go", 1), "an empty file is seen whole")
	s.see(view{"a.go", 100, []retrieve.Span{{From: 1, To: 9}}})
	require.True(t, s.shows("a.go", 0), "what is inserted at the top is seen with the first line")
	require.True(t, s.shows("a.go", 15), "what was shown before stays seen")
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
		require.Equal(t, want, s.names("shop/total.go"), text)
		require.False(t, s.listed("shop/total.go"), "an issue is no list")
	}
}

func TestAResultTellsHowMuchOfTheFixIsShown(t *testing.T) {
	t.Parallel()
	pair := Pair{Gold: []string{"a.go", "b.go"}, Lines: map[string][]int{"a.go": {5, 50}, "b.go": {7}}}
	half := view{"a.go", 60, []retrieve.Span{{From: 1, To: 10}}}
	whole := []view{{"a.go", 60, []retrieve.Span{{From: 1, To: 60}}}, {"b.go", 9, []retrieve.Span{{From: 1, To: 9}}}}
	other := view{"c.go", 9, []retrieve.Span{{From: 1, To: 9}}}
	for name, c := range map[string]struct {
		views []view
		want  Result
	}{
		"nothing":        {nil, Result{None: true}},
		"another file":   {[]view{other}, Result{}},
		"half of a file": {[]view{half}, Result{Any: true, LinesAny: true}},
		"one file":       {whole[1:], Result{Any: true, LinesAny: true}},
		"all":            {whole, Result{Any: true, All: true, LinesAny: true, LinesAll: true, Nameable: true}},
	} {
		var got Result
		got.compare(pair, shown(c.views...))
		require.Equal(t, c.want, got, name)
	}
	s := shown(half)
	s.list("", "b.go")
	var got Result
	got.compare(pair, s)
	require.True(t, got.Nameable, "a path in a list is enough to ask for it")
}

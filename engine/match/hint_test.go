package match

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/meter"
)

func newText(content string) *text.Text { return text.New(meter.Of(meter.Default), []byte(content)) }

const twins = `class A:
    def open(self):
        log("x")

    def close(self):
        log("x")

class B:
    def open(self):
        log("x")
`

// hinted returns where the line of log is found with a hint.
func hinted(t *testing.T, content string, h Hint) Location {
	t.Helper()
	f := File{Text: newText(content), Path: "x.py", Hint: h}
	return Locate(f, block.Block{Find: []string{`        log("x")`}, Replace: []string{`        log("y")`}}, nil)
}

func TestAHintChoosesBetweenEqualPlaces(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		hint Hint
		line int // 0 if it chooses none
	}{
		"the line of one":                      {Hint{Line: 6}, 6},
		"a line beside one":                    {Hint{Line: 7}, 0},
		"nothing":                              {Hint{}, 0},
		"a scope":                              {Hint{Scope: []string{"class B:"}}, 10},
		"a scope with two":                     {Hint{Scope: []string{"class A:"}}, 0},
		"nested scopes":                        {Hint{Scope: []string{"class A:", "def close(self):"}}, 6},
		"the start of a line":                  {Hint{Scope: []string{"class B"}}, 10},
		"a scope that is there twice":          {Hint{Scope: []string{"def open(self):"}}, 0},
		"a scope that is not there":            {Hint{Scope: []string{"class C:"}}, 0},
		"between the hunks around":             {Hint{After: 3, Before: 9}, 6},
		"after a hunk":                         {Hint{After: 6}, 10},
		"before a hunk":                        {Hint{Before: 5}, 3},
		"between hunks with two":               {Hint{After: 2, Before: 8}, 0},
		"the line counts more than the others": {Hint{Line: 3, Scope: []string{"class B:"}, After: 4, Before: 8}, 3},
	} {
		l := hinted(t, twins, c.hint)
		if c.line == 0 {
			require.Equal(t, block.Ambiguous, l.Reason, story)
			continue
		}
		require.Empty(t, l.Reason, story)
		require.Equal(t, c.line, l.Match.First()+1, story)
	}
}

func TestAHintDoesNotCountWhereTheLinesFitAtOnePlace(t *testing.T) {
	t.Parallel()
	once := strings.Replace(twins, `log("x")`, `log("z")`, 2)
	for _, h := range []Hint{{Line: 3}, {Scope: []string{"class A:"}}, {After: 1, Before: 4}} {
		l := hinted(t, once, h)
		require.Empty(t, l.Reason)
		require.Equal(t, 10, l.Match.First()+1)
	}
}

func TestTheBodyOfAScopeEndsAtALineThatIsIndentedNoMore(t *testing.T) {
	t.Parallel()
	const content = "func a(\n\tx int,\n) {\n\tlog()\n}\n\nfunc b() {\n\tlog()\n}\n"
	f := File{Text: newText(content), Path: "x.go"}
	from, to := Hint{Scope: []string{"func a("}}.scope(f)
	require.Equal(t, []int{1, 6}, []int{from, to}, "the line that closes the parameters belongs to it")
	from, to = Hint{Scope: []string{"func b"}}.scope(f)
	require.Equal(t, []int{7, 9}, []int{from, to})
}

func TestAnEditIsMadeWhereItsHintSays(t *testing.T) {
	t.Parallel()
	made := strings.Replace(twins, `        log("x")`+"\n\n"+`    def close`, `        log("y")`+"\n\n"+`    def close`, 1)
	f := File{Text: newText(made), Path: "x.py"}
	p := NewPattern(f.Work, []string{`        log("x")`}, []string{`        log("y")`})
	for _, found := range []Match{{}, {At: []int{9}}} {
		line, ok := Hint{Line: 3}.IsMadeAt(f, p, found)
		require.True(t, ok)
		require.Equal(t, 2, line)
	}
	short := File{Text: newText("a\ny\nx\nx\n"), Path: "x.txt"}
	_, ok := Hint{Line: 2}.IsMadeAt(short, NewPattern(f.Work, []string{"x"}, []string{"y"}), Match{})
	require.False(t, ok, "a line that may be there by coincidence tells nothing while several places are left")
	_, ok = Hint{Line: 4}.IsMadeAt(f, p, Match{At: []int{9}})
	require.False(t, ok)
	_, ok = Hint{}.IsMadeAt(f, p, Match{At: []int{9}})
	require.False(t, ok)
}

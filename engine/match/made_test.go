package match

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// locationOf returns where a block matches in a file, which must be somewhere.
func locationOf(t *testing.T, file, find, replace string) Location {
	t.Helper()
	f := File{Text: text.New(nil, []byte(file)), Path: "f.py"}
	p := NewPattern(nil, strings.Split(find, "\n"), strings.Split(replace, "\n"))
	l := LocateUpTo(block.LevelFuzzyContext, f, p, nil)
	require.Empty(t, l.Reason, find)
	return l
}

func TestNewLinesThatAreAtTheirPlaceAreMade(t *testing.T) {
	t.Parallel()
	const parts, added = "one(1)\nnew(0)\nx\ntwo(2)\n", "one(1)\nnew(0)\n...\ntwo(2)\nnew(9)"
	for story, c := range map[string]struct {
		file, find, replace string
		made                bool
	}{
		"added below":                   {"one(1)\ntwo(2)\n", "one(1)", "one(1)\ntwo(2)", true},
		"added above":                   {"one(1)\ntwo(2)\n", "two(2)", "one(1)\ntwo(2)", true},
		"not added":                     {"one(1)\nx\ntwo(2)\n", "one(1)", "one(1)\ntwo(2)", false},
		"one more of the same":          {"a1\na1\nb2\n", "a1\nb2", "a1\na1\nb2", true},
		"none more":                     {"x\na1\nb2\n", "a1\nb2", "a1\na1\nb2", false},
		"added beside one of two parts": {parts, "one(1)\n...\ntwo(2)", added, false},
		"added beside both":             {parts + "new(9)\n", "one(1)\n...\ntwo(2)", added, true},
		"added with a blank line": {
			"alpha(1)\nbeta(2)\nnew(3)\n\ngamma(4)\ndelta(5)\n",
			"alpha(1)\nbeta(2)\ngamma(4)\ndelta(5)", "alpha(1)\nbeta(2)\nnew(3)\n\ngamma(4)\ndelta(5)", true,
		},
	} {
		require.Equal(t, c.made, locationOf(t, c.file, c.find, c.replace).IsMade(), story)
	}
}

func TestAReplacementTellsThatItWasMade(t *testing.T) {
	t.Parallel()
	const file = "one(1)\ntwo(2)\nthree(3)\n"
	for story, c := range map[string]struct {
		file, find, replace string
		once                bool
	}{
		"by its words":                         {file, "one(1)", "eins(1)", true},
		"not by punctuation":                   {file, "one(1)", "}", false},
		"not at another level":                 {"one(1) \n", "one(1)", "eins(1)", false},
		"not if it is there before":            {file, "one(1)\ntwo(2)\nthree(3)", "one(1)\ntwo(2)", false},
		"not if a file would begin with it":    {file, "one(1)", text.BOM + "eins(1)", false},
		"not if its line ends would be others": {file, "one(1)", "eins(1)\r", false},
		"not if its indentation is another":    {"f:\n  a\n  b\n  c\none(1)\n", "one(1)", "f:\n\teins(1)", false},
	} {
		l := locationOf(t, c.file, c.find, c.replace)
		l.Match = Style(l.file, l.Match)
		require.Equal(t, c.once, l.IsOnce(), story)
	}
}

func TestLinesToFindAreGoneAfterTheEdit(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		file, find, replace string
		gone                bool
	}{
		"all of them":             {"x\none(1)\ny\n", "one(1)", "two(2)", true},
		"those that stay":         {"x\none(1)\ny\n", "one(1)", "one(1)\ntwo(2)", true},
		"not with the line below": {"a1\nb2\nb2\n", "a1\nb2", "a1", false},
		"not with the line above": {"a1\na1\nb2\n", "a1\nb2", "b2", false},
	} {
		require.Equal(t, c.gone, locationOf(t, c.file, c.find, c.replace).IsGone(), story)
	}
}

func TestWhatIsAtThePlaceAnywayIsNoReplacement(t *testing.T) {
	t.Parallel()
	for story, c := range map[string][3]string{
		"the lines that a removal keeps": {
			"one(1)\ntwo(2)\nthree(3) \n", "one(1)\ntwo(2)\nthree(3)", "one(1)\ntwo(2)"},
		"the new line below a line that the file has twice": {
			"Kind: tool\nCommit: 2222\n\nName: lathe\nArch: arm64\nKind: tool\nCommit: 1111\nEnd: lathe\n",
			"Name: lathe\nArch: arm\nKind: tool\nCommit: 1111\nEnd: lathe",
			"Name: lathe\nArch: arm\nKind: tool\nCommit: 2222\nEnd: lathe"},
	} {
		_, replaced := locationOf(t, c[0], c[1], c[2]).Replaced()
		require.False(t, replaced, story)
	}
}

// The block and the file differ in the same blanks that the block changes: it is the file's that stay.
func TestBlanksThatTheFileHasOtherwiseStay(t *testing.T) {
	t.Parallel()
	l := locationOf(t, "one(1)\t\ntwo(2)\n", "one(1) \ntwo(2)", "one(1)\nzwei(2)")
	require.Equal(t, []text.Edit{{From: 1, To: 2, Lines: []string{"zwei(2)"}}}, l.Match.Edits)
}

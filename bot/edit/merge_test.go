package edit

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

// changes are lines of a poem, by their numbers.
type changes map[int]string

// poem is a text of lines that can be told apart.
func poem(c changes) string {
	var b strings.Builder
	for i := 1; i <= 20; i++ {
		line, ok := c[i]
		if !ok {
			line = fmt.Sprintf("line %d\n", i)
		}
		b.WriteString(line)
	}
	return b.String()
}

func TestAnUndoTakesBackItsOwnLinesAndKeepsLaterOnes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, after, tip, want changes }{
		"far away": {
			changes{5: "old\n"}, changes{5: "new\n"},
			changes{5: "new\n", 1: "", 15: "later\nand more\n"}, changes{5: "old\n", 1: "", 15: "later\nand more\n"},
		},
		"several places": {
			changes{3: "", 17: "old\nolder\n"}, changes{3: "new\n", 17: ""},
			changes{3: "new\n", 17: "", 10: "later\n"}, changes{3: "", 17: "old\nolder\n", 10: "later\n"},
		},
		"one line between": {
			changes{5: "old\n"}, changes{5: "new\n"}, changes{5: "new\n", 7: "later\n"}, changes{5: "old\n", 7: "later\n"},
		},
		"one of two by hand": {
			changes{5: "old\n", 12: "old\n"}, changes{5: "new\n", 12: "new\n"},
			changes{5: "old\n", 12: "new\n", 20: "later\n"}, changes{5: "old\n", 12: "old\n", 20: "later\n"},
		},
		"at both ends": {
			changes{1: "", 20: ""}, changes{}, changes{10: "later\n"}, changes{1: "", 10: "later\n", 20: ""},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := func(c changes) map[string]string { return map[string]string{"f": poem(c)} }
			files, out := revert(t, file(c.before), file(c.after), file(c.tip))
			require.Equal(t, []string{"f applied"}, verdicts(out), out.Results[0].Detail)
			require.Equal(t, poem(c.want), files["f"])
			require.Positive(t, out.Results[0].Line)
		})
	}
}

func TestWhatWasChangedAgainIsAnOverlapAndNoGuess(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, after, tip string }{
		"the same line": {poem(changes{5: "old\n"}), poem(changes{5: "new\n"}), poem(changes{5: "newer\n"})},
		"the line beside it": {poem(changes{5: "old\n"}), poem(changes{5: "new\n"}),
			poem(changes{5: "new\n", 6: "later\n"})},
		"gone since":          {poem(changes{5: "old\n"}), poem(changes{5: "new\n"}), poem(changes{5: ""})},
		"moved since":         {poem(changes{5: "old\n"}), poem(changes{5: "new\n"}), poem(changes{5: "", 15: "new\n"})},
		"a copy since":        {"a\nold\nb\n", "a\nnew\nb\n", "a\nnew\nb\na\nnew\nb\n"},
		"a copy beside it":    {"a\nb\n", "a\nb\nb\n", "x\na\nb\nb\nb\n"},
		"other line endings":  {"a\nold\nb\n", "a\nnew\nb\n", "a\r\nnew\r\nb\r\n"},
		"no text":             {"a\nold\x00\nb\n", "a\nnew\x00\nb\n", "a\nnew\x00\nb\nc\nd\n"},
		"something else":      {"a\n", "b\n", "c\n"},
		"made, changed since": {"", poem(nil), poem(changes{5: "later\n"})},
		"gone, another there": {"a\n", "", "b\n"},
		"removed since":       {"a\n", "b\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := func(text string) map[string]string {
				files := map[string]string{"other": "as it was\n"}
				if text != "" {
					files["f"] = text
				}
				return files
			}
			before, after := file(c.before), file(c.after)
			after["other"] = "changed\n"
			tip := file(c.tip)
			tip["other"] = "changed\n"
			files, out := revert(t, before, after, tip)
			require.Equal(t, []string{"f failed overlap", "other skipped held"}, verdicts(out))
			require.Equal(t, tip, files, "nothing is staged")
			require.Empty(t, out.Changed)
			require.NotEmpty(t, out.Results[0].Detail)
		})
	}
}

func TestAnOverlapShowsTheLinesAsTheyAreToday(t *testing.T) {
	t.Parallel()
	before, after := map[string]string{"f": poem(changes{9: "old\n"})}, map[string]string{"f": poem(changes{9: "new\n"})}
	_, out := revert(t, before, after, map[string]string{"f": poem(changes{2: "", 9: "newer\n"})})
	require.Equal(t, 8, out.Results[0].Line)
	require.Equal(t, &engine.Excerpt{Line: 6, Lines: []string{"line 7", "line 8", "newer", "line 10", "line 11"}},
		out.Results[0].ClosestMatch)
}

// TestAMergeGivesWhatBothSidesDid changes random lines on both sides: what stands apart is merged, and nothing else is.
func TestAMergeGivesWhatBothSidesDid(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	merged := 0
	for range 3000 {
		ours, theirs, both := changes{}, changes{}, changes{}
		apart, alike := true, false
		for range 1 + r.IntN(4) {
			i, j := 1+r.IntN(20), 1+r.IntN(20)
			ours[i], theirs[j] = strings.Repeat(fmt.Sprintf("ours %d\n", i), r.IntN(3)),
				strings.Repeat(fmt.Sprintf("theirs %d\n", j), r.IntN(3))
		}
		for i := range ours {
			for j := range theirs {
				apart, alike = apart && (i-j > 1 || j-i > 1), alike || i == j && ours[i] == theirs[j]
			}
		}
		if alike {
			continue
		}
		maps.Copy(both, ours)
		maps.Copy(both, theirs)
		tip := fileState{kind: engine.File, data: []byte(poem(theirs))}
		res, state, err := mergeRevert(nil, engine.Result{}, fileState{kind: engine.File, data: []byte(poem(ours))},
			fileState{kind: engine.File, data: []byte(poem(nil))}, tip)
		require.NoError(t, err)
		switch res.Reason {
		case "":
			require.True(t, apart, "%q %q", ours, theirs)
			merged++
			require.Equal(t, poem(both), string(state.data))
		case ReasonOverlap:
			require.False(t, apart, "%q %q", ours, theirs)
			require.NotNil(t, res.ClosestMatch)
		default: // the undo changes nothing that is there
			require.Equal(t, poem(both), poem(theirs))
		}
	}
	require.Greater(t, merged, 300)
}

// The commit removed a statement, and a later one copied its function: the removed line goes where it was, or nowhere.
func TestAnUndoAfterALaterCopyPutsTheLineIntoTheOriginalOrNowhere(t *testing.T) {
	t.Parallel()
	function := func(name string, lines ...string) string {
		return "func " + name + "() {\n\tlock()\n" + strings.Join(lines, "") + "\tstore()\n}\n\n"
	}
	before, after := function("one", "\tcheck()\n"), function("one")
	end := "var last = 1\nvar end = 2\nvar more = 3\n"
	file := func(text string) map[string]string { return map[string]string{"f": text} }
	for name, c := range map[string]struct{ tip, want string }{
		"the copy below it":      {after + function("two") + end, ""},
		"the copy above it":      {function("two") + after + end, function("two") + before + end},
		"the copy far below it":  {after + end + function("two"), before + end + function("two")},
		"two copies of the line": {after + end + "\tstore()\n\tstore()\n", before + end + "\tstore()\n\tstore()\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files, out := revert(t, file(before+end), file(after+end), file(c.tip))
			if c.want == "" {
				require.Equal(t, []string{"f failed overlap"}, verdicts(out))
				require.NotNil(t, out.Results[0].ClosestMatch)
				return
			}
			require.Equal(t, []string{"f applied"}, verdicts(out), out.Results[0].Detail)
			require.Equal(t, c.want, files["f"])
		})
	}
}

func TestAnOverlapAtTheEndOfAnEmptyFileShowsNothing(t *testing.T) {
	t.Parallel()
	require.Nil(t, excerpt("", 1, 1))
	require.Nil(t, difference("a\n", "a\n"))
}

func TestAnExcerptIsCut(t *testing.T) {
	t.Parallel()
	require.Equal(t, &engine.Excerpt{Line: 2, Lines: strings.Split(strings.Repeat("x", maxExcerpt), "")},
		excerpt("y\n"+strings.Repeat("x\n", 40), 4, 40))
}

func TestTheLastLineOfAFileNeedsNoEnd(t *testing.T) {
	t.Parallel()
	text := strings.TrimSuffix(poem(nil), "\n")
	file := func(text string) map[string]string { return map[string]string{"f": text} }
	files, out := revert(t, file(strings.Replace(text, "line 20", "old", 1)), file(text),
		file(strings.Replace(text, "line 3\n", "", 1)))
	require.Equal(t, []string{"f applied"}, verdicts(out))
	require.Equal(t, strings.Replace(strings.Replace(text, "line 20", "old", 1), "line 3\n", "", 1), files["f"])
}

func TestTheModeOfAMergedFileIsRevertedToo(t *testing.T) {
	t.Parallel()
	before, after := newCheckout(map[string]string{"f": poem(nil)}), newCheckout(map[string]string{"f": poem(nil)})
	tip := newCheckout(map[string]string{"f": poem(changes{5: "later\n"})})
	after.executable["f"], tip.executable["f"] = true, true
	out, err := Revert{Before: before, After: after, Tip: tip, Protected: protects}.Stage(t.Context(), []string{"f"})
	require.NoError(t, err)
	require.Equal(t, []string{"f applied"}, verdicts(out))
	require.False(t, tip.executable["f"])
	require.Equal(t, poem(changes{5: "later\n"}), tip.texts()["f"])
}

package match

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/text"
)

// elidesIn reports whether a new content of a file leaves out lines.
func elidesIn(before, after string, markup bool) bool {
	have, lines := strings.Split(before, "\n"), strings.Split(after, "\n")
	var edits []text.Edit
	for _, h := range text.Diff(newText("").Work, have, lines) {
		edits = append(edits, text.Edit{From: h.From, To: h.To, Lines: lines[h.NewFrom:h.NewTo]})
	}
	return Elides(have, edits, markup)
}

func TestALineThatStandsForOthersIsFound(t *testing.T) {
	t.Parallel()
	const code = "one()\ntwo()\nthree()\nfour()\nfive()\nsix()"
	for _, line := range []string{
		"// ... existing code ...", "# ... rest of the file ...", "/* ... */", "<!-- unchanged -->", "{/* ... */}",
		"-- ... same as before", "; the rest is unchanged", "% ...", "...", "…", "[... remaining lines ...]",
		"(unchanged)", "// The other calls stay here",
	} {
		require.True(t, elidesIn(code, "one()\n"+line+"\nsix()", false), line)
	}
	require.True(t, elidesIn("# A\n\none\n\ntwo\n\nthree", "# A\n\n[... the rest stays ...]", true))
}

func TestACommentThatSaysUnchangedIsAPlaceholderWhateverGoes(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"// unchanged", "# --- snip ---", "// {{ existing code }}", "// (no changes in between)",
	} {
		require.True(t, elidesIn("// one\ntwo()", line+"\ntwo()\nthree()\nfour()", false), line)
	}
	long := "// The order of the rows stays unchanged if two of them have the same key"
	require.False(t, elidesIn("one()\ntwo()", "one()\n"+long+"\ntwo()", false))
}

func TestALineThatIsContentIsNoPlaceholder(t *testing.T) {
	t.Parallel()
	for story, c := range map[string][2]string{
		"dots that the file has":            {"def f():\n    ...\n\nx = 1", "def f():\n    ...\n\nx = 2"},
		"code for code":                     {"one()\ntwo()\nthree()", "one()\nall()\nthree()"},
		"a comment beside new code":         {"one()\ntwo()\nthree()", "one()\n// Counts them.\nfour()\nfive()\nsix()"},
		"a comment for a comment":           {"one()\n// Two.\nthree()", "one()\n// Both are counted.\nthree()"},
		"code that was commented out":       {"one()\ntwo()\nthree()\nfour()\nfive()", "one()\n// two();\nfive()"},
		"an added comment":                  {"one()\ntwo()", "one()\n// and then ...\ntwo()"},
		"fewer lines without a placeholder": {"one()\ntwo()\nthree()\nfour()", "one()\nfour()"},
	} {
		require.False(t, elidesIn(c[0], c[1], false), story)
	}
	require.False(t, elidesIn("# A\n\none\n\ntwo\n\nthree", "# A\n\n# All of the others are here\n\nthree", true))
}

func FuzzElides(f *testing.F) {
	for _, s := range []string{"#", "// ...", "[", "(rest)", "…", "/* the rest is unchanged */", "#if x", "<!-- -->"} {
		f.Add("a\nb\nc\n"+s, s+"\n", false)
	}
	f.Fuzz(func(t *testing.T, have, want string, markup bool) {
		before, after := strings.Split(have, "\n"), strings.Split(want, "\n")
		var edits []text.Edit
		for _, h := range text.Diff(nil, before, after) {
			edits = append(edits, text.Edit{From: h.From, To: h.To, Lines: after[h.NewFrom:h.NewTo]})
		}
		if Elides(before, edits, markup) {
			require.NotEqual(t, before, after, "the file as it is leaves nothing out")
		}
	})
}

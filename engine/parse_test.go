package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

const simple = "src/a.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"

func TestTwoHundredEditsOfTwentyFiles(t *testing.T) {
	t.Parallel()
	for _, format := range []engine.Format{engine.FormatV3, engine.FormatAnchored, engine.FormatDiff, engine.FormatDiffFenced, engine.FormatSection} {
		var blocks []engine.Block
		for n := range 200 {
			blocks = append(blocks, engine.Block{Format: format, Path: fmt.Sprintf("src/file%d.ts", n/10),
				Anchor: []string{"// before"}, Old: []string{fmt.Sprintf("const v%d = %d;", n, n+1)}, New: []string{fmt.Sprintf("const v%d = 0;", n)},
				Find: []string{"// before", fmt.Sprintf("const v%d = %d;", n, n+1)}, Replace: []string{"// before", fmt.Sprintf("const v%d = 0;", n)}})
		}
		reply := engine.Parse(engine.Print(blocks), engine.ParseOptions{})
		require.Empty(t, reply.Problems)
		require.Len(t, reply.Blocks, 200)
		for n, b := range reply.Blocks {
			require.Equal(t, blocks[n].Path, b.Path)
			require.Equal(t, format, b.Format)
			require.Equal(t, blocks[n].Find, b.Find)
			require.Equal(t, blocks[n].Old, b.Old)
			require.Equal(t, blocks[n].New, b.New)
		}
	}
}

func TestLinesOfTenThousandCharacters(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x=", 5000)
	b := only(t, "src/a.py\n<<<<<<< SEARCH\n"+long+"\n=======\n"+long+"!\n>>>>>>> REPLACE\n")
	require.Equal(t, []string{long}, b.Find)
	require.Equal(t, []string{long + "!"}, b.Replace)
}

func TestWindowsLineEndingsMakeNoDifference(t *testing.T) {
	t.Parallel()
	for _, reply := range goldenReplies(t) {
		plain := engine.Parse(reply, engine.ParseOptions{})
		windows := engine.Parse(strings.ReplaceAll(reply, "\n", "\r\n"), engine.ParseOptions{})
		require.Equal(t, dump(plain), dump(windows))
		require.Equal(t, plain.Prose, windows.Prose)
	}
}

func TestAConfiguredFenceIsAFence(t *testing.T) {
	t.Parallel()
	reply := engine.Parse("src/a.py\n%%%python\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n%%%\n", engine.ParseOptions{Fence: "%%%"})
	require.Len(t, reply.Blocks, 1)
	require.Equal(t, "src/a.py", reply.Blocks[0].Path)
	require.Empty(t, strings.TrimSpace(reply.Prose))
}

func TestAStandardFenceMayBeConfigured(t *testing.T) {
	t.Parallel()
	text := "````go\nsrc/a.go\n<<<<<<< SEARCH\n```\n=======\n~~~\n>>>>>>> REPLACE\n````\n"
	for _, fence := range []string{"```", "````", "~~~"} {
		require.Equal(t, engine.Parse(text, engine.ParseOptions{}), engine.Parse(text, engine.ParseOptions{Fence: fence}))
	}
}

func TestABareWordNeverNamesANewFile(t *testing.T) {
	t.Parallel()
	body := "\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n"
	for _, word := range []string{"Solution", "## Solution", "**Solution**", "Solution:", "See src/a.py"} {
		reply := engine.Parse(word+body, engine.ParseOptions{})
		require.Empty(t, reply.Blocks, word)
		require.Equal(t, engine.ProblemNoPath, reply.Problems[0].Kind, word)
	}
	for word, path := range map[string]string{"Makefile": "Makefile", "`Solution`": "Solution", "src/a.py": "src/a.py"} {
		require.Equal(t, path, only(t, word+body).Path)
	}
}

func TestProseIsTheReplyWithoutBlocksAndThinking(t *testing.T) {
	t.Parallel()
	reply := engine.Parse("<think>hm\n</think>\nI change it.\n\n"+simple+"\nThat is all.\n", engine.ParseOptions{})
	require.Equal(t, "\nI change it.\n\n\nThat is all.\n", reply.Prose)
	require.Equal(t, "src/a.py\n<<<<<<< SEARCH\na\n", engine.Parse("src/a.py\n<<<<<<< SEARCH\na\n", engine.ParseOptions{}).Prose, "nothing of a cut reply is lost")
}

func TestRawIsTheTextInTheReply(t *testing.T) {
	t.Parallel()
	b := only(t, "x\n\n"+simple+"\n")
	require.Equal(t, "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", b.Raw)
	require.Equal(t, 4, b.Line)
	require.Equal(t, 8, b.EndLine)
}

func TestAppendingToABlockDoesNotChangeAnother(t *testing.T) {
	t.Parallel()
	b := only(t, simple)
	_ = append(b.Find, "changed")
	_ = append(b.Anchor, "changed")
	require.Equal(t, []string{"b"}, b.Replace)
	require.Equal(t, []string{"a"}, b.Find)
}

func TestABlockWithTooManyDividersIsRefused(t *testing.T) {
	t.Parallel()
	reply := engine.Parse("src/a.py\n<<<<<<< SEARCH\n"+strings.Repeat("=======\n", 33)+">>>>>>> REPLACE\n", engine.ParseOptions{})
	require.Empty(t, reply.Blocks)
	require.Equal(t, engine.ProblemManyDividers, reply.Problems[0].Kind)
}

func TestSuggestionsAreBounded(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for n := range 300 {
		fmt.Fprintf(&text, "```bash\ngit rm f%d\n```\n", n)
	}
	require.Len(t, engine.Parse(text.String(), engine.ParseOptions{}).Suggestions, 100)
	deep := "```bash\n" + strings.Repeat("$(", 2000) + "\n```\n"
	require.Len(t, engine.Parse(deep, engine.ParseOptions{}).Suggestions, 1, "a script that cannot be read is shown as it is")
	require.Empty(t, engine.Parse(deep, engine.ParseOptions{}).Suggestions[0].Op)
	long := "```bash\ngit rm a\n" + strings.Repeat("# why\n", 1000) + "```\n"
	require.Equal(t, []engine.Suggestion{{Command: "git rm a", Line: 2}}, engine.Parse(long, engine.ParseOptions{}).Suggestions)
}

func TestDetectFormatKnowsEveryFormat(t *testing.T) {
	t.Parallel()
	for _, f := range engine.Formats() {
		body := strings.Join(append(append([]string{f.Head, "a"}, strings.Join(f.Dividers, "\nb\n")), "c", f.End), "\n")
		text := map[engine.PathPosition]string{
			engine.PathBeforeHead:  "src/a.py\n" + body,
			engine.PathBeforeFence: "src/a.py\n```py\n" + body + "\n```",
			engine.PathInFence:     "```py\nsrc/a.py\n" + body + "\n```",
			engine.PathHeader:      "### File: src/a.py\n" + body,
		}[f.Path]
		require.Equal(t, f.ParsesAs, engine.DetectFormat(text), f.Name)
	}
	require.Empty(t, engine.DetectFormat("no block at all"))
}

func only(t *testing.T, text string) engine.Block {
	t.Helper()
	reply := engine.Parse(text, engine.ParseOptions{})
	require.Empty(t, reply.Problems)
	require.Len(t, reply.Blocks, 1)
	return reply.Blocks[0]
}

package reply

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/block"
)

const simple = "src/a.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"

func TestTwoHundredEditsOfTwentyFiles(t *testing.T) {
	t.Parallel()
	for _, format := range []block.Format{
		block.FormatV3, block.FormatAnchored, block.FormatDiff, block.FormatDiffFenced, block.FormatSection,
	} {
		var blocks []block.Block
		for n := range 200 {
			from, to := fmt.Sprintf("const v%d = %d;", n, n+1), fmt.Sprintf("const v%d = 0;", n)
			blocks = append(blocks, block.Block{Format: format, Path: fmt.Sprintf("src/file%d.ts", n/10),
				Anchor: []string{"// before"}, Old: []string{from}, New: []string{to},
				Find: []string{"// before", from}, Replace: []string{"// before", to}})
		}
		printed, err := Print(blocks)
		require.NoError(t, err)
		reply := Parse(printed, Options{})
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
		plain := Parse(reply, Options{})
		windows := Parse(strings.ReplaceAll(reply, "\n", "\r\n"), Options{})
		require.Equal(t, dump(plain), dump(windows))
		require.Equal(t, plain.Prose, windows.Prose)
	}
}

func TestAConfiguredFenceIsAFence(t *testing.T) {
	t.Parallel()
	text := "src/a.py\n%%%python\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n%%%\n"
	reply := Parse(text, Options{Fence: "%%%"})
	require.Len(t, reply.Blocks, 1)
	require.Equal(t, "src/a.py", reply.Blocks[0].Path)
	require.Empty(t, strings.TrimSpace(reply.Prose))
}

func TestAStandardFenceMayBeConfigured(t *testing.T) {
	t.Parallel()
	text := "````go\nsrc/a.go\n<<<<<<< SEARCH\n```\n=======\n~~~\n>>>>>>> REPLACE\n````\n"
	for _, fence := range []string{"```", "````", "~~~"} {
		want := Parse(text, Options{})
		require.Equal(t, want, Parse(text, Options{Fence: fence}))
	}
}

func TestABareWordNeverNamesANewFile(t *testing.T) {
	t.Parallel()
	body := "\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n"
	for _, word := range []string{"Solution", "## Solution", "**Solution**", "Solution:", "See src/a.py"} {
		reply := Parse(word+body, Options{})
		require.Empty(t, reply.Blocks, word)
		require.Equal(t, block.ProblemNoPath, reply.Problems[0].Kind, word)
	}
	for word, path := range map[string]string{
		"Makefile": "Makefile", "`Solution`": "Solution", "src/a.py": "src/a.py",
	} {
		require.Equal(t, path, only(t, word+body).Path)
	}
}

// What is said is for people: no line of it is half a block.
func TestWhatIsSaidHasNothingOfABlockThatIsNotWhole(t *testing.T) {
	t.Parallel()
	whole := "a.go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	for reply, want := range map[string]string{
		"It was lost.\n\n" + whole + "\nThat is all.\n": "It was lost.\n\n\nThat is all.\n",
		"It was lost.\n\nCOMMIT: fix: it\n\nReturn it.\n\nb.go\n```go\n<<<<<<< SEARCH\nx\n=======\n": "It was lost." +
			"\n\nCOMMIT: fix: it\n\n",
		"It was lost.\n\nb.go\n<<<<<<< SEARCH\nx\n\n" + whole + "That is all.\n": "It was lost.\n\nThat is all.\n",
		"\treturn err\n}\n>>>>>>> REPLACE\n```\n\nThat is all.\n":                "```\n\nThat is all.\n",
		"It was lost.\n\na.go\n```go\n=======\nb\n>>>>>>> REPLACE\n\nDone.\n":    "It was lost.\n\n\nDone.\n",
		"COMMIT: fix: it\nb\n>>>>>>> REPLACE\nDone.\n":                           "COMMIT: fix: it\nDone.\n",
	} {
		got := Parse(reply, Options{})
		require.Equal(t, want, got.Said, "%q", reply)
	}
}

func TestProseIsTheReplyWithoutBlocksAndThinking(t *testing.T) {
	t.Parallel()
	reply := Parse("<think>hm\n</think>\nI change it.\n\n"+simple+"\nThat is all.\n", Options{})
	require.Equal(t, "\nI change it.\n\n\nThat is all.\n", reply.Prose)
	cut := "src/a.py\n<<<<<<< SEARCH\na\n"
	require.Equal(t, cut, Parse(cut, Options{}).Prose, "nothing of a reply that was cut off is lost")
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
	text := "src/a.py\n<<<<<<< SEARCH\n" + strings.Repeat("=======\n", 33) + ">>>>>>> REPLACE\n"
	reply := Parse(text, Options{})
	require.Empty(t, reply.Blocks)
	require.Equal(t, block.ProblemManyDividers, reply.Problems[0].Kind)
}

func TestSuggestionsAreBounded(t *testing.T) {
	t.Parallel()
	var fences, script, prose strings.Builder
	for n := range 300 {
		fmt.Fprintf(&fences, "```bash\ngit rm f%d\n```\n", n)
		fmt.Fprintf(&script, "git rm f%d\n", n)
		fmt.Fprintf(&prose, "`git rm f%d`\n", n)
	}
	for _, text := range []string{fences.String(), "```bash\n" + script.String() + "```\n", prose.String()} {
		require.Len(t, Parse(text, Options{}).Suggestions, 100)
	}
	twice := "```bash\ngit rm a\ngit rm a\n```\n"
	require.Len(t, Parse(twice, Options{}).Suggestions, 1)
	deep := "```bash\n" + strings.Repeat("$(", 2000) + "\n```\n"
	unreadable := Parse(deep, Options{}).Suggestions
	require.Len(t, unreadable, 1, "a script that cannot be parsed is suggested line by line")
	require.Empty(t, unreadable[0].Op)
	long := "```bash\ngit rm a\n" + strings.Repeat("# why\n", 1000) + "```\n"
	want := []block.Suggestion{{Command: "git rm a", Line: 2}}
	require.Equal(t, want, Parse(long, Options{}).Suggestions)
}

func TestOperationsAreTakenFromPlainCommandsOnly(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]*block.Op{
		"mv a.go b/a.go":        {Kind: block.OpMove, Paths: []string{"a.go"}, To: "b/a.go"},
		"mv a.go":               nil,
		"mv a.go b/":            nil,
		"mv -t b a.go":          nil,
		"git mv a.go b.go":      {Kind: block.OpMove, Paths: []string{"a.go"}, To: "b.go"},
		"git mv":                nil,
		"rm -- a.go":            {Kind: block.OpRemove, Paths: []string{"a.go"}},
		"rm -- -a.go":           nil,
		"rm -i a.go":            nil,
		"rm -Rf dir/ a.go":      {Kind: block.OpRemoveAll, Paths: []string{"dir", "a.go"}},
		"rm -f -- dir":          {Kind: block.OpRemove, Paths: []string{"dir"}},
		"git rm -q -r dir":      {Kind: block.OpRemoveAll, Paths: []string{"dir"}},
		"git rm -- dir -r":      nil,
		"rm":                    nil,
		"rm ../a.go":            nil,
		"rm *.go":               nil,
		"rm 'a.go'":             nil,
		"rm a.go > log":         nil,
		"rm a.go &":             nil,
		"! rm a.go":             nil,
		"X=1 rm a.go":           nil,
		"git rm -q a.go":        {Kind: block.OpRemove, Paths: []string{"a.go"}},
		"git rm --cached a.go":  nil,
		"git status":            nil,
		"mkdir -p a/b":          {Kind: block.OpMkdir, Paths: []string{"a/b"}},
		"mkdir -m 700 a/b":      nil,
		"touch a.go":            nil,
		"if true; then ls; fi":  nil,
		"(rm a.go)":             nil,
		"sudo rm a.go":          nil,
		"rm a.go; cd b":         nil,
		"f() { :; }; rm a.go":   nil,
		"source x.sh; rm a.go":  nil,
		"rm a.go; pushd b":      nil,
		"rm a.go || exit 1":     nil,
		"rm a.go; unknown_tool": {Kind: block.OpRemove, Paths: []string{"a.go"}},
	} {
		reply := Parse("```sh\n"+command+"\n```\n", Options{})
		require.NotEmpty(t, reply.Suggestions, command)
		var got *block.Op
		for _, s := range reply.Suggestions {
			if s.Op != nil {
				got = s.Op
			}
		}
		require.Equal(t, want, got, command)
	}
}

func TestDetectFormatKnowsEveryFormat(t *testing.T) {
	t.Parallel()
	for _, f := range Formats() {
		if len(f.Dividers) == 0 {
			continue // without halves
		}
		body := strings.Join(append(append([]string{f.Head, "a"}, strings.Join(f.Dividers, "\nb\n")), "c", f.End), "\n")
		text := map[PathPosition]string{
			PathBeforeHead:  "src/a.py\n" + body,
			PathBeforeFence: "src/a.py\n```py\n" + body + "\n```",
			PathInFence:     "```py\nsrc/a.py\n" + body + "\n```",
			PathHeader:      "### File: src/a.py\n" + body,
			PathInHeader: map[block.Format]string{
				block.FormatUnified: "--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b\n",
				block.FormatPatch:   f.Head + "\n*** Update File: src/a.py\n@@\n-a\n+b\n" + f.End,
			}[f.ParsesAs],
		}[f.Path]
		require.Equal(t, f.ParsesAs, DetectFormat(text), f.Name)
	}
	for want, text := range map[block.Format]string{
		block.FormatUnified: "```diff\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b\n```\n",
		block.FormatPatch:   "*** Begin Patch\n*** Update File: src/a.py\n@@\n-a\n+b\n*** End Patch\n",
		block.FormatWhole:   "src/a.py\n```py\nb\n```\n",
		block.FormatXML:     "<write_to_file>\n<path>src/a.py</path>\n<content>\nb\n</content>\n</write_to_file>\n",
		block.FormatJSON:    "```json\n{\"path\": \"src/a.py\", \"old_string\": \"a\", \"new_string\": \"b\"}\n```\n",
		"":                  "no block at all",
	} {
		require.Equal(t, want, DetectFormat(text))
	}
}

func only(t *testing.T, text string) block.Block {
	t.Helper()
	reply := Parse(text, Options{})
	require.Empty(t, reply.Problems)
	require.Len(t, reply.Blocks, 1)
	return reply.Blocks[0]
}

func TestAnAnchoredBlockNeedsAllItsSeparators(t *testing.T) {
	t.Parallel()
	for body, text := range map[string]string{
		"───────\nold\n":               "Block at line 2 has no divider (═══════)",
		"───────\nold\n═══════\nnew\n": "Block at line 2 has no second separator (───────)",
	} {
		reply := Parse("a.py\n««« EDIT\nanchor\n"+body+"»»» EDIT END\n", Options{})
		require.Empty(t, reply.Blocks)
		require.Equal(t, block.ProblemNoDivider, reply.Problems[0].Kind)
		require.Equal(t, text, reply.Problems[0].Text)
	}
}

func TestANoteAfterTheWordOfAMarkerIsIgnored(t *testing.T) {
	t.Parallel()
	parse := func(head, end string) []block.Block {
		return Parse("a.py\n<<<<<<< "+head+"\nx\n=======\ny\n>>>>>>> "+end+"\n", Options{}).Blocks
	}
	for _, marks := range [][2]string{
		{"SEARCH", "REPLACE (end)"}, {"SEARCH <!-- old -->", "REPLACE"}, {"SEARCH (the old lines, 1-2)", "REPLACE (new)"},
		{"SEARCH", "REPLACE <!-- new -->\r"},
	} {
		blocks := parse(marks[0], marks[1])
		require.Len(t, blocks, 1, "%q", marks)
		require.Equal(t, []string{"x"}, blocks[0].Find)
		require.Equal(t, []string{"y"}, blocks[0].Replace)
	}
	for story, marks := range map[string][2]string{
		"a note that may name a file":  {"SEARCH (b.py)", "REPLACE"},
		"a note that is not closed":    {"SEARCH (old", "REPLACE"},
		"code in a note":               {"SEARCH", "REPLACE (f())"},
		"words without a sign":         {"SEARCH old", "REPLACE"},
		"a note right after the word":  {"SEARCH(old)", "REPLACE"},
		"a note without a word before": {"(SEARCH)", "REPLACE"},
	} {
		require.Empty(t, parse(marks[0], marks[1]), story)
	}
}

func TestLinesThatBeginLikeMarkersAreContent(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"======= x", "=====x", "====", "<<<<<<<x", "<<<< SEARCH", "©2020", "— a dash", "═════x", "═══════ x", "════",
		"─────── x", "««« x", "»»»x", "»» EDIT END", ">>>>", "~~~~~~~",
	} {
		b := only(t, "src/a.py\n<<<<<<< SEARCH\n"+line+"\n=======\n"+line+"!\n>>>>>>> REPLACE\n")
		require.Equal(t, []string{line}, b.Find)
		require.Equal(t, []string{line + "!"}, b.Replace)
		require.Empty(t, b.Splits)
	}
}

func TestTheDividerOfAMergeConflictDividesNoBlock(t *testing.T) {
	t.Parallel()
	reply := Parse("a.go\n<<<<<<< SEARCH\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\nb\n>>>>>>> REPLACE\n", Options{})
	require.Empty(t, reply.Blocks)
	require.Equal(t, block.ProblemNoDivider, reply.Problems[0].Kind)
}

func TestProblemsAreBounded(t *testing.T) {
	t.Parallel()
	nameless := strings.Repeat("<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", 150)
	reply := Parse(nameless+"<<<<<<< SEARCH\na", Options{})
	byKind := map[block.ProblemKind]int{}
	for _, p := range reply.Problems {
		byKind[p.Kind]++
	}
	require.Equal(t, map[block.ProblemKind]int{
		block.ProblemNoPath: 100, block.ProblemCutOff: 1, block.ProblemMismatch: 1, block.ProblemNoBlock: 1,
	}, byKind, "those of the whole reply are always reported")
}

func TestFencesThatAreNeverClosedAreForgotten(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("```go\n", 16)
	hidden := Parse(deep+"`git rm a`\n", Options{})
	require.Empty(t, hidden.Suggestions, "it is code of some language")
	shown := Parse(deep+"```text\n`git rm a`\n", Options{})
	require.Len(t, shown.Suggestions, 1)
}

func TestAReplyThatOnlyThinks(t *testing.T) {
	t.Parallel()
	for text, problem := range map[string]string{
		"<think>\nhm":                     "Reply was cut off inside its think section",
		"\n  \n<thinking>\nhm\n" + simple: "Reply was cut off inside its thinking section",
		"<think>hm</think>":               "",
		"<think>hm</think>\n  ":           "",
		" ":                               "",
	} {
		reply := Parse(text, Options{})
		require.Empty(t, reply.Blocks)
		if problem == "" {
			require.Empty(t, reply.Problems, "%q", text)
			continue
		}
		require.Len(t, reply.Problems, 1, "%q", text)
		require.Equal(t, block.ProblemCutOff, reply.Problems[0].Kind)
		require.Equal(t, problem, reply.Problems[0].Text)
	}
}

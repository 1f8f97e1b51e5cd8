package bot

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

// reasons are the codes of the engine, as its source lists them.
func reasons(t *testing.T) []engine.Reason {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../engine/result.go", nil, 0)
	require.NoError(t, err)
	var out []engine.Reason
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if name, ok := v.Type.(*ast.Ident); ok && name.Name == "Reason" {
			code, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			require.NoError(t, err)
			out = append(out, engine.Reason(code))
		}
		return true
	})
	return out
}

func TestEachReasonOfTheEngineHasItsAdvice(t *testing.T) {
	t.Parallel()
	all := reasons(t)
	require.Len(t, all, 17)
	all = append(all, reasonOverlap, reasonHeld)
	for _, reason := range all {
		require.NotEmpty(t, remedies[reason], reason)
		require.True(t, strings.HasSuffix(remedies[reason], "."), reason)
	}
	require.Len(t, remedies, len(all))
}

func TestNumbersAndTimesAreWrittenAsPeopleReadThem(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 12345: "12,345", 1234567: "1,234,567"} {
		require.Equal(t, want, thousands(n))
	}
	require.Equal(t, "4.2 s", duration(4200*time.Millisecond))
	require.Equal(t, "2 min 5 s", duration(125*time.Second))
}

// A hint at a command that nobody can give would only be in the way.
func TestOnlyCommandsThatThereAreAreHintedAt(t *testing.T) {
	t.Parallel()
	r := summary{
		SHA: someSHA, Results: []row{{Path: "a", Status: "failed"}, {Path: "b", Status: "applied"}},
		Reply: reply{Suggestions: []engine.Suggestion{{Command: "go test"}, {Command: "git rm a", Op: &engine.Op{Kind: engine.OpRemove, Paths: []string{"a"}}}}},
	}
	require.NotContains(t, r.body(), "/tenon")
	require.Empty(t, r.check().Buttons)
	r.Offers = func(string) bool { return true }
	require.Contains(t, r.body(), "1. `go test`\n2. `git rm a` → `/tenon run 2`\n")
	require.Contains(t, r.body(), "`/tenon retry` asks again for what failed. `/tenon undo` takes the commit back.")
	require.Equal(t, []string{"retry", "undo"}, verbsOf(r.check().Buttons))
	r.SHA, r.Preview = "", true
	require.Equal(t, []string{"apply", "retry"}, verbsOf(r.check().Buttons))
}

func verbsOf(buttons []CheckButton) (out []string) {
	for _, b := range buttons {
		out = append(out, b.Verb)
	}
	return out
}

func TestButtonsAreAsShortAsGitHubWantsThem(t *testing.T) {
	t.Parallel()
	require.LessOrEqual(t, len(buttons), 3)
	for _, b := range buttons {
		require.LessOrEqual(t, len(b.Label), 20)
		require.LessOrEqual(t, len(b.Description), 40)
		require.LessOrEqual(t, len(b.Verb), 20)
	}
}

func TestACheckTellsFailuresAtTheirLines(t *testing.T) {
	t.Parallel()
	r := summary{SHA: someSHA, Results: []row{
		{Path: "a.go", Status: "applied", Line: 2},
		{Path: "b.go", Status: "failed", Reason: string(engine.NotFound), Detail: "Content sequence not found in file", Line: 7},
		{Path: "../c.go", Status: "failed", Reason: string(engine.UnsafePath), Detail: "no"},
	}}
	c := r.check()
	require.Equal(t, "failure", c.Conclusion)
	require.Equal(t, "Applied 1, failed 2, skipped 0 of 3 edits", c.Title)
	require.Equal(t, []Annotation{{
		Path: "b.go", StartLine: 7, EndLine: 7, Level: "warning", Title: "Edit 2 was not applied",
		Message: "Content sequence not found in file. " + remedies[engine.NotFound],
	}}, c.Annotations, "what has no line cannot be told at one")
	r.Results = r.Results[:1]
	require.Equal(t, "success", r.check().Conclusion)
	r.SHA = ""
	require.Equal(t, "neutral", r.check().Conclusion)
	for range 300 {
		r.Results = append(r.Results, row{Path: "b.go", Status: "failed", Line: 1})
	}
	require.Len(t, r.check().Annotations, maxAnnotations)
}

func TestADiffIsRecordedInBoundsAndWithoutSecrets(t *testing.T) {
	t.Parallel()
	key := "AKIA" + "Q3EGRIPLKJHGFDSA"
	long := strings.Repeat("x", 1000) + "\n"
	files := map[string][]byte{"a.txt": []byte("one\n" + key + "\nthree\n")}
	reply := "a.txt\n<<<<<<< SEARCH\nthree\n=======\n" + strings.Repeat(long, 500) + ">>>>>>> REPLACE\n\nb.txt\n<<<<<<< SEARCH\nx " + key + "\n=======\ny " + key + "\n>>>>>>> REPLACE\n"
	results := applyReply(t, files, reply, someSHA).Results
	require.LessOrEqual(t, len(results[0].Diff), maxDiff)
	require.Regexp(t, `… and \d+ more lines\n$`, results[0].Diff)
	require.Equal(t, 500, results[0].Added)
	require.Equal(t, 1, results[0].Removed)
	require.Contains(t, results[0].Diff, "[redacted: AWS access key]")
	require.Contains(t, results[1].Diff, "+y [redacted: AWS access key]")
	data, err := json.Marshal(results)
	require.NoError(t, err)
	require.NotContains(t, string(data), key)
}

func TestTheDiffsOfAllBlocksTogetherAreBounded(t *testing.T) {
	t.Parallel()
	var reply strings.Builder
	for i := range 100 {
		fmt.Fprintf(&reply, "new%d.txt\n<<<<<<< SEARCH\n=======\n%s>>>>>>> REPLACE\n\n", i, strings.Repeat("some line of a file\n", 400))
	}
	total := 0
	for _, r := range applyReply(t, map[string][]byte{}, reply.String(), someSHA).Results {
		total += len(r.Diff)
		require.Equal(t, 400, r.Added)
	}
	require.LessOrEqual(t, total, maxDiffs)
	require.Greater(t, total, maxDiffs/2)
}

// The patch in an answer is what git takes: made by copying it from the page.
func TestGitTakesThePatch(t *testing.T) {
	t.Parallel()
	changes := []fileChange{
		{Path: "a.txt", Before: []byte("one\ntwo\nthree\n"), After: []byte("one\n2\nthree\nfour")},
		{Path: "end.txt", Before: []byte("no end"), After: []byte("no end\nbut one\n")},
		{Path: "odd name \"(1)\"\\ä.md", Before: nil, After: []byte("New.\n")},
		{Path: "run.sh", Before: nil, After: []byte("#!/bin/sh\n"), Executable: true},
		{Path: "empty.txt", Before: nil, After: []byte{}},
		{Path: "gone.txt", Before: []byte("x\n"), After: nil},
		{Path: "dos.txt", Before: []byte("a\r\n"), After: []byte("b\r\n")},
		{Path: "logo.png", Before: []byte("\x00"), After: []byte("\xff")},
		{Path: "far.txt", Before: []byte(strings.Repeat("l\n", 50)), After: []byte("first\n" + strings.Repeat("l\n", 50) + "last\n")},
	}
	p := makePatch(changes)
	require.Equal(t, []leftOut{{"dos.txt", "its lines end with carriage returns, which a comment does not keep"}, {"logo.png", "it is not text in UTF-8"}}, p.LeftOut)
	dir := t.TempDir()
	git := func(args ...string) {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", out, p.Text)
	}
	git("init", "-q")
	for _, c := range changes {
		if c.Before != nil {
			require.NoError(t, os.WriteFile(filepath.Join(dir, c.Path), c.Before, 0o644))
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tenon.patch"), []byte(p.Text), 0o644))
	git("add", ".")
	git("apply", "--index", "tenon.patch")
	for _, c := range changes {
		data, err := os.ReadFile(filepath.Join(dir, c.Path))
		switch {
		case c.After == nil:
			require.ErrorIs(t, err, os.ErrNotExist)
		case c.unfit() != "":
			require.Equal(t, string(c.Before), string(data))
		default:
			require.NoError(t, err)
			require.Equal(t, string(c.After), string(data), c.Path)
		}
	}
	info, err := os.Stat(filepath.Join(dir, "run.sh"))
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&0o100)
}

func TestAPatchThatDoesNotFitIsNotCutButLeftOut(t *testing.T) {
	t.Parallel()
	r := summary{
		Results: []row{{Path: "a", Status: "applied"}}, Changed: []string{"a"}, Unpushed: "the fork was deleted",
		Patch: patch{Text: strings.Repeat("+x\n", 40_000), LeftOut: []leftOut{{"<img>", "it holds secrets"}}},
	}
	body := r.body()
	require.LessOrEqual(t, utf8.RuneCountInString(body), bodyRoom)
	require.Contains(t, body, "The patch of these changes has 120,000 characters, more than fits here.")
	require.Contains(t, body, "- `<img>`: it holds secrets")
}

func TestASuggestionIsOfferedOnLinesOfTheDiffAlone(t *testing.T) {
	t.Parallel()
	lines := func(from, to int) string {
		var b strings.Builder
		for i := from; i <= to; i++ {
			fmt.Fprintf(&b, "line %d\n", i)
		}
		return b.String()
	}
	diff := []ChangedFile{{Path: "a.txt", Patch: "@@ -8,6 +10,7 @@ func\n line 10\n…\n@@ -30 +40 @@\n-x\n+line 40"}}
	whole := lines(1, 60)
	for story, c := range map[string]struct {
		after string
		want  []Note
		rest  int
	}{
		"one line":                   {strings.Replace(whole, "line 12\n", "twelve\n", 1), []Note{{Path: "a.txt", Line: 12, Body: "```suggestion\ntwelve\n```"}}, 0},
		"several lines":              {strings.Replace(whole, lines(12, 14), "x\n```\ny\n", 1), []Note{{Path: "a.txt", StartLine: 12, Line: 14, Body: "````suggestion\nx\n```\ny\n````"}}, 0},
		"lines that go":              {strings.Replace(whole, lines(12, 13), "", 1), []Note{{Path: "a.txt", StartLine: 12, Line: 13, Body: "```suggestion\n```"}}, 0},
		"lines that come":            {strings.Replace(whole, "line 13\n", "new\nline 13\n", 1), []Note{{Path: "a.txt", Line: 12, Body: "```suggestion\nline 12\nnew\n```"}}, 0},
		"before a hunk's first line": {strings.Replace(whole, "line 10\n", "new\nline 10\n", 1), []Note{{Path: "a.txt", Line: 10, Body: "```suggestion\nnew\nline 10\n```"}}, 0},
		"two on one line":            {strings.Replace(whole, "line 10\n", "new\nline 10\nnewer\n", 1), []Note{{Path: "a.txt", Line: 10, Body: "```suggestion\nnew\nline 10\n```"}}, 1},
		"a hunk of one line":         {strings.Replace(whole, "line 40\n", "forty\n", 1), []Note{{Path: "a.txt", Line: 40, Body: "```suggestion\nforty\n```"}}, 0},
		"outside":                    {strings.Replace(whole, "line 30\n", "thirty\n", 1), nil, 1},
		"over the edge":              {strings.Replace(whole, lines(15, 18), "x\n", 1), nil, 1},
		"invisible":                  {strings.Replace(whole, "line 12\n", "twel\u202eve\n", 1), nil, 1},
		"two places":                 {strings.Replace(strings.Replace(whole, "line 12\n", "twelve\n", 1), "line 50\n", "fifty\n", 1), []Note{{Path: "a.txt", Line: 12, Body: "```suggestion\ntwelve\n```"}}, 1},
	} {
		notes, rest := suggested([]fileChange{{Path: "a.txt", Before: []byte(whole), After: []byte(c.after)}}, diff)
		require.Equal(t, c.want, notes, story)
		require.Equal(t, c.rest, rest, story)
	}
	notes, rest := suggested([]fileChange{
		{Path: "new.txt", After: []byte("x\n")},
		{Path: "b.txt", Before: []byte("x\n"), After: []byte("y\n")},
		{Path: "a.txt", Before: []byte("x"), After: []byte("y")},
	}, append(diff, ChangedFile{Path: "b.txt"}))
	require.Empty(t, notes)
	require.Equal(t, 3, rest)
}

// Whatever a model, a file or a person wrote: an answer is under GitHub's limit, its folds are whole, and its HTML is ours.
func FuzzReport(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, 3)
	}
	f.Add(strings.Repeat(strings.Join(hostile, " "), 5), 25)
	f.Fuzz(func(t *testing.T, s string, n int) {
		r := hostileSummary(s, min(max(n, 0), 200))
		asking := testSession()
		asking.inv.text = s
		check := r.check()
		for text, room := range map[string]int{
			r.body(): bodyRoom, pullBody(asking.subject(), asking.summary(target{}, question{}, talk{}, committed{applied: applied{Results: r.Results}})): bodyRoom,
			check.Text: checkRoom, check.Summary: checkRoom,
		} {
			require.LessOrEqual(t, utf8.RuneCountInString(text), room)
			page(t, text)
		}
	})
}

// hostileSummary says s wherever somebody else has a say.
func hostileSummary(s string, n int) summary {
	s = strings.ToValidUTF8(s, "")
	r := summary{
		RepoURL: "https://github.example/acme/lathe", SHA: someSHA, Base: headSHA, Branch: s, CheckURL: "https://github.example/acme/lathe/pull/12/checks",
		Reply:   reply{Prose: s, Problems: []engine.Problem{{Text: s}}, Suggestions: []engine.Suggestion{{Command: s}}},
		Context: question{Selection: Selection{Files: []shownFile{{Path: s, Why: "named"}}, LeftOut: []leftOut{{s, "it is not text"}}}},
		Costs:   costs{Model: s, Calls: 1, Run: "abc123def456"},
	}
	for i := range n {
		status := []string{"applied", "failed", "skipped"}[i%3]
		d := newDiff([]string{s, s}, []string{s})
		r.Results = append(r.Results, row{
			Path: s, Status: status, Reason: string(engine.EarlierFailed), Detail: s, Line: i, Diff: d.text(maxDiff),
			Nearest: []string{s}, NearestLine: 3, Differs: 3, Want: s, Have: s,
		})
		r.Changed = append(r.Changed, s)
	}
	return r
}

func TestTheLongestAnswersStayUnderGitHubsLimit(t *testing.T) {
	t.Parallel()
	longest := 0
	for _, s := range []string{strings.Repeat("ä|`", 300), strings.Repeat("a/b.go ", 100), strings.Repeat("<", 3000), strings.Repeat("x\n", 3000)} {
		for _, n := range []int{0, 7, 21, 200} {
			r := hostileSummary(s, n)
			longest = max(longest, utf8.RuneCountInString(r.body()))
			r.SHA, r.Unpushed, r.Patch = "", s, patch{Text: strings.Repeat(s, 20), LeftOut: []leftOut{{s, "it holds secrets"}}}
			longest = max(longest, utf8.RuneCountInString(r.body()))
			check := r.check()
			require.LessOrEqual(t, utf8.RuneCountInString(check.Text), checkRoom)
			require.LessOrEqual(t, utf8.RuneCountInString(check.Summary), checkRoom)
		}
	}
	require.LessOrEqual(t, longest, bodyRoom)
	require.Greater(t, longest, bodyRoom*9/10, "what fits is shown")
	t.Logf("the longest answer has %d characters", longest)
}

package report

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/gh/links"
)

const previewRun = "k3v9x1p7q2m4"

// previewOf is a preview of these results, as the bot makes it.
func previewOf(rows ...record.Result) Preview {
	r := summaryOf(record.Target{}, record.Prompt{},
		conversation.Conversation{Turns: []record.Turn{{}}, Replies: []engine.Reply{{}}},
		record.Committed{Application: record.Application{Base: someSHA, Results: rows}})
	r.Preview, r.Links = true, links.On("https://github.com/", "acme/lathe")
	r.Offers = func(verb string) bool { return verb != "retry" && anyCommand(verb) }
	return Preview{Summary: r, Run: previewRun}
}

// posted is an answer as it is posted: with the marker of its run.
func posted(body, run string) string { return body + "\n\n<!-- tenon:run=" + run + " -->" }

func fitting(path, diff string) record.Result {
	return record.Result{Path: path, Status: record.StatusApplied, Line: 3, Diff: diff, Added: 1}
}

func failing(path string) record.Result {
	return record.Result{
		Path: path, Status: record.StatusFailed, Reason: string(engine.NotFound),
		Detail: "Content sequence not found in file",
	}
}

var boxMarker = regexp.MustCompile(`(?m)^- \[[ x]\] .*<!-- tenon:block=(\d+) -->$`)

// boxNumbers are the blocks that have a box which counts once it is ticked.
func boxNumbers(body string) []int {
	ticked := boxMarker.ReplaceAllStringFunc(body, func(line string) string {
		return strings.Replace(line, "- [ ]", "- [x]", 1)
	})
	return markdown.TickedBoxes(ticked)
}

func TestEveryBoxOfAPreviewReadsBack(t *testing.T) {
	t.Parallel()
	p := previewOf(
		fitting("a.go", "+x\n"),
		fitting("`b` <!-- tenon:block=9 -->.go", "@@ -1 +1 @@\n-- [x] **4** `c` <!-- tenon:block=4 -->\n+</details>\n"),
		failing("c.go"),
		fitting("d.go", "+```\n+- [x] **1** x <!-- tenon:block=1 -->\n+````\n"),
		fitting("e.go", "+x\n "+strings.Repeat("> ", 140)+"\n"),
		fitting("f.go", " \n+\n+<!-- tenon:preview=aaaaaaaaaaaa -->\n"),
	)
	p.Outcomes = map[int]history.BlockOutcome{1: {SHA: someSHA}, 2: {Why: "no <!-- tenon:block=2 -->\n- [x] **6** x"}}
	p.Ticked = []int{1, 4}
	body := posted(p.Body(), previewRun)
	require.Equal(t, []int{1, 4}, markdown.TickedBoxes(body))
	require.Equal(t, []int{1, 2, 4, 6}, boxNumbers(body))
	run, ok := markdown.PreviewRun(body)
	require.True(t, ok)
	require.Equal(t, previewRun, run)
	require.Contains(t, body, "**Edit 3**, `c.go`: ")
	require.Contains(t, body, "5 of 6 edits fit · 1 committed")
	require.Contains(t, body, "- ⚠️ **5** `e.go:3` · +1 · no box, because its diff is not shown whole here",
		"a line that is too deep hides nothing unnoticed")
}

func TestAPreviewOfManyEditsStaysWithinGitHubsLimit(t *testing.T) {
	t.Parallel()
	var rows []record.Result
	for i := range 200 {
		rows = append(rows, fitting(fmt.Sprintf("%s/%d.go", strings.Repeat("deep/", 70), i), strings.Repeat("+ü\n", 500)))
	}
	p := previewOf(rows...)
	p.ReadOnly = strings.Repeat("the fork is gone, ", 200)
	for range 20 {
		p.Reply.Problems = append(p.Reply.Problems, engine.Problem{Text: strings.Repeat("x", 300)})
	}
	body := p.Body()
	require.LessOrEqual(t, utf8.RuneCountInString(body), bodyRoom)
	require.Greater(t, utf8.RuneCountInString(body), bodyRoom*9/10)
	boxes := boxNumbers(body)
	require.Greater(t, len(boxes), 5)
	require.Contains(t, body, "```diff", "there is room for diffs as well")
	require.Regexp(t, `… and [0-9]+ more, for which there is no room here: [0-9]+-200`, body)
	require.Contains(t, body, "no box, because its diff is not shown whole here: there is no room for it")
	require.Contains(t, body, "The whole diff of edits ")
	require.Contains(t, body, "is not shown anywhere, so it cannot be committed from here")
	require.Equal(t, boxes, p.Seen(body, "").Boxes)
}

func TestAPreviewWithoutAnyEditThatFitsOffersNothing(t *testing.T) {
	t.Parallel()
	body := previewOf(failing("c.go")).Body()
	require.Contains(t, body, "👀 **Preview** · 0 of 1 edit fit")
	require.NotContains(t, body, "apply")
	require.Empty(t, boxNumbers(body))
}

func TestAPreviewWithoutEditsSaysWhy(t *testing.T) {
	t.Parallel()
	p := previewOf()
	p.Reply = conversation.Reply{Explanation: "It is fine.", NoChange: true}
	require.Contains(t, p.Body(), "💬 **Nothing to change**\n\nIt is fine.")
}

func TestAPreviewThatMayNotBeAppliedIsToLookAt(t *testing.T) {
	t.Parallel()
	p := previewOf(fitting("a.go", "+x\n"))
	p.Offers = func(verb string) bool { return verb == "preview" }
	body := p.Body()
	require.Contains(t, body, "The settings of this repository do not allow `/tenon apply`")
	require.NotContains(t, body, "Tick what")
}

func TestAPreviewSaysHowItIsApplied(t *testing.T) {
	t.Parallel()
	p := previewOf(fitting("a.go", "+x\n"), fitting("b.go", "+x\n"), failing("c.go"), fitting("d.go", "+x\n"))
	p.Changed = []string{"a.go", "b.go", "d.go"}
	require.Contains(t, p.Body(), "👀 **Preview** · 3 of 4 edits fit\n\n"+
		"Tick the edits to commit, or comment `/tenon apply` for all of them, `/tenon apply 1,4` for some.\n\n"+
		"- [ ] **1** `a.go:3` · +1 <!-- tenon:block=1 -->")
	p.Outcomes = map[int]history.BlockOutcome{4: {SHA: someSHA}}
	require.Contains(t, p.Body(), "`/tenon apply` for all of them, `/tenon apply 1` for one. "+
		"`/tenon undo` reverts the latest commit.\n")
	require.Contains(t, p.Body(),
		"**4** `d.go:3` · +1 · ✅ committed in [`0123456`]("+p.Links.Commit(someSHA)+") <!--")
	p.Outcomes[1], p.ReadOnly = history.BlockOutcome{Present: true}, "the fork is @gone"
	require.Contains(t, p.Body(),
		"Tick the edit to commit it, or comment `/tenon apply`. The change will come as a patch, "+
			"and as suggestions on the diff: "+
			"tenon cannot push here, because the fork is `@gone`. `/tenon undo`")
	require.Contains(t, p.Body(), "**1** `a.go:3` · +1 · ✅ is already in the file <!--")
	p.Outcomes[2] = history.BlockOutcome{SHA: someSHA}
	require.NotContains(t, p.Body(), "Tick", "nothing is left")
	require.NotContains(t, p.Body(), "```diff\n+x", "the commits show the diffs")
}

func TestABoxSaysWhatItsEditIsForAndShowsAShortDiffAtOnce(t *testing.T) {
	t.Parallel()
	lines := func(n int) string { return "@@ -1 +1 @@\n" + strings.Repeat("+x\n", n) }
	short, long := fitting("a.go", lines(15)), fitting("b.go", lines(16))
	short.Purpose = "Return the error of `Listen`, @maria."
	rest := []record.Result{fitting("c.go", lines(15)), fitting("d.go", lines(15)), fitting("e.go", lines(15))}
	body := previewOf(append([]record.Result{short, long}, rest...)...).Body()
	require.Contains(t, body, "- [ ] **1** Return the error of `Listen`, `@maria` · `a.go:3` · +1 "+
		"<!-- tenon:block=1 -->\n\n  ```diff\n  @@ -1 +1 @@\n  +x\n")
	require.Contains(t, body, "**2** `b.go:3` · +1 <!-- tenon:block=2 -->\n\n  <details><summary>Diff</summary>\n")
	require.Equal(t, 2, strings.Count(body, "<summary>Diff"), "what would be too long in all is folded too")
	require.Equal(t, []int{1, 2, 3, 4, 5}, boxNumbers(body))
}

// What a model says of an edit makes no box, and ticks none.
func TestThePurposeOfAnEditIsInert(t *testing.T) {
	t.Parallel()
	for _, purpose := range []string{
		"x <!-- tenon:block=9 -->", "- [x] **9** y", "`a <!-- tenon:block=2 -->", "a\n- [x] **2** `b` <!-- tenon:block=2 -->",
		"<details><summary>x", "![x](https://evil.example/x.png) [y](https://evil.example)", "closes #1", "\u202ereversed",
	} {
		row := fitting("a.go", "+x\n")
		row.Purpose = purpose
		body := previewOf(row, fitting("b.go", "+x\n")).Body()
		require.Equal(t, []int{1, 2}, boxNumbers(body), purpose)
		require.Empty(t, markdown.TickedBoxes(body), purpose)
		require.NotContains(t, body, "\u202e")
		page(t, purposeText(row))
	}
}

func TestABoxSaysWhatIsToBeKnownOfItsBlock(t *testing.T) {
	t.Parallel()
	row := fitting("a.go", "+x\n")
	row.Detail = "Fits in a.go at line 3 only without its indentation"
	p := previewOf(row)
	p.Outcomes = map[int]history.BlockOutcome{1: {Why: "a.go was changed by @jan"}}
	require.Equal(t, "`new.go` · +1", p.boxText(2, record.Result{Path: "new.go", Added: 1}))
	require.Equal(t, "`a.go:3` · +1 · Fits in `a.go` at line 3 only without its indentation · "+
		"❌ not committed: `a.go` was changed by `@jan`", p.boxText(1, row))
}

// The check of a preview is no judgement.
func TestTheCheckOfAPreviewIsNeutral(t *testing.T) {
	t.Parallel()
	p := previewOf(fitting("a.go", "+x\n"), failing("c.go"))
	c := p.Check()
	require.Equal(t, "neutral", c.Conclusion)
	require.Equal(t, "Preview: 1 of 2 edits fits", c.Title)
	require.Equal(t, []string{"apply"}, verbsOf(c.Buttons), "nothing has failed to be committed yet")
	require.True(t, strings.HasPrefix(c.Summary, "👀 **Preview** · 1 of 2 edits fits\n\n"),
		c.Summary)
	require.NotContains(t, c.Summary, "Tick")
	require.Contains(t, c.Text, "| 2 | `c.go` | ❌ failed")
}

// Whatever a model wrote, the boxes that count are those of the blocks that fit.
func FuzzPreview(f *testing.F) {
	f.Add("a.go", "+x\n", "it did not fit")
	f.Add("`b` <!-- tenon:block=9 -->.go", "-- [x] **4** `c` <!-- tenon:block=4 -->\n+</details>\n", "- [x] **6** x")
	f.Add("d", "+```\n+- [x] **1** x <!-- tenon:block=1 -->\n", "<!-- tenon:preview=aaaaaaaaaaaa -->")
	f.Fuzz(func(t *testing.T, path, diff, why string) {
		p := previewOf(fitting(path, diff), failing(path), fitting("b.go", diff), fitting(path, "+x\n"))
		p.Outcomes = map[int]history.BlockOutcome{3: {Why: why}}
		p.Ticked = []int{4}
		p.Reply.Problems = []engine.Problem{{Text: why}}
		p.Reply.Suggestions = []engine.Suggestion{{Command: why}}
		body := posted(p.Body(), previewRun)
		require.Equal(t, []int{4}, markdown.TickedBoxes(body), strconv.Quote(body))
		run, ok := markdown.PreviewRun(body)
		require.True(t, ok)
		require.Equal(t, previewRun, run)
	})
}

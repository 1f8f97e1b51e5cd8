package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/markdowntest"
)

// breaking is an edit after which its file does not parse.
func breaking(path string, status record.Status, text string) record.Result {
	r := record.Result{Path: path, Status: status, Line: 4, Diff: "-a\n+b\n", Added: 1, Removed: 1,
		Problems: []record.Problem{{Line: 9, Text: text, Syntax: true}}, Around: []string{"x", "y"}, AroundLine: 8}
	if status.Failed() {
		r.Reason, r.Detail = string(engine.SyntaxError), "After this edit "+path+" does not parse: line 9: "+text
	}
	return r
}

func TestAFileThatDoesNotParseIsNamedOnceWithAllItsEdits(t *testing.T) {
	t.Parallel()
	other := breaking("b.go", record.StatusFailed, "f is defined twice")
	other.Problems = []record.Problem{{Text: "f is defined twice"}, {Line: 3, Text: "a conflict marker"}}
	r := Summary{Links: onLathe, Branch: "speed", SHA: someSHA, Offers: anyCommand, Results: []record.Result{
		breaking("a.go", record.StatusFailed, "expected }"), fitting("c.go", "+x\n"),
		breaking("a.go", record.StatusFailed, "expected }"), other, breaking("d.go", record.StatusApplied, "expected )"),
	}}
	require.Equal(t, "⚠️ **Committed, though `d.go` does not parse** after edit 5: line 9: expected )", r.broken())
	require.Contains(t, r.Body(),
		"**Edits 1 and 3**, [`a.go:4`]("+lathe+"/blob/"+someSHA+"/a.go#L4): the file would no longer "+
			"parse (line 9: expected `}`); `/tenon retry` asks again.\n\n<details><summary>What edit 1 would change</summary>")
	require.Contains(t, r.Body(),
		"): the file would have a problem (f is defined twice, and more); `/tenon retry` asks again.")
	require.Contains(t, r.Body(),
		"\n`/tenon apply 1,3,4` commits edits 1, 3 and 4 "+
			"anyway.\n")
	require.Contains(t, r.Body(), "The file after its edits would have:\n\n```text\n8  x\n9  y\n```")
	c := r.Check()
	require.Equal(t, "neutral", c.Conclusion)
	require.Contains(t, c.Text, "`b.go`")
	require.Equal(t, "d.go", c.Annotations[0].Path)
	require.Equal(t, 9, c.Annotations[0].StartLine, "at its line in the commit")
	require.Equal(t, 4, c.Annotations[1].StartLine)
	require.Contains(t, c.Annotations[1].Message, "does not parse: line 9: expected }. `/tenon retry` asks again.")

	r.SHA = ""
	require.Contains(t, r.broken(), "⚠️ `d.go` does not parse after edit 5: line 9: ")
	require.Equal(t, "a.go", r.Check().Annotations[0].Path, "there is no commit with that line")
	r.Offers = func(verb string) bool { return verb != command.Apply && anyCommand(verb) }
	require.NotContains(t, r.Body(), "/tenon apply", "nobody may give it here")
}

func TestOnlySoManyFilesThatDoNotParseAreNamed(t *testing.T) {
	t.Parallel()
	r := Summary{SHA: someSHA, Offers: anyCommand}
	for n := range 200 {
		r.Results = append(r.Results, breaking(fmt.Sprintf("%d.go", n), record.StatusFailed, strings.Repeat("<", 300)))
	}
	require.Less(t, len([]rune(r.Body())), bodyRoom)
	for i := range r.Results {
		r.Results[i].Status, r.Results[i].Reason = record.StatusApplied, ""
	}
	require.Contains(t, r.broken(), "⚠️ … and 195 more files")
	require.Less(t, len([]rune(r.Body())), bodyRoom)
	for i := range r.Results {
		r.Results[i].Path = "one.go"
	}
	require.Less(t, len([]rune(r.broken())), 1000)
	require.Less(t, len([]rune(r.Body())), bodyRoom)
}

// What a parser says may quote the file, which anybody may have written.
func TestWhatAParserSaysIsShownAsText(t *testing.T) {
	t.Parallel()
	const nasty = "found <img src=x> @maria #1 [x](https://evil.example) ![y](//evil.example) | `z` **b** </details> " +
		"<!-- tenon:block=1 --> fixes #1\n- [ ] x"
	for _, status := range []record.Status{record.StatusFailed, record.StatusApplied} {
		row := breaking("a|`b`.go", status, nasty)
		row.Around = []string{"```", nasty, "</details>"}
		r := Summary{Links: onLathe, SHA: someSHA, Offers: anyCommand, Results: []record.Result{row}}
		p := previewOf(row, row)
		p.Links = onLathe
		for _, html := range []string{page(t, r.Body()), markdowntest.RenderHTML(p.Body())} {
			for _, text := range []string{"<img", "evil.example\"", "<strong>b"} {
				require.NotContains(t, html, text)
			}
		}
		require.Contains(t, page(t, r.Body()), " <code>@maria</code> ")
		if status.Applied() {
			require.Equal(t, []int{1, 2}, boxNumbers(p.Body()))
		}
	}
}

func TestAPreviewSaysWhatAnApplyLeavesOut(t *testing.T) {
	t.Parallel()
	broken := breaking("b.go", record.StatusApplied, "expected )")
	p := previewOf(fitting("a.go", "+x\n"), broken, fitting("c.go", "+x\n"))
	require.Contains(t, p.Body(), "comment `/tenon apply` for all except edit 2, which breaks a file; "+
		"`/tenon apply 2` commits that one anyway.")
	require.Contains(t, p.Body(), "⚠️ the file would not parse: line 9: expected )")
	require.Equal(t, "⚠️ Preview: 3 edits fit; not all files parse", p.Check().Title)
	require.Contains(t, p.Check().Summary, "⚠️ `b.go` does not parse after edit 2")
	p.WarnOnly = true
	require.Contains(t, p.Body(), "`/tenon apply` for all of them, `/tenon apply 1,3` for some.")

	p = previewOf(broken, fitting("a.go", "+x\n"), broken)
	p.Outcomes = history.BlockOutcomes{2: {SHA: someSHA}}
	require.Contains(t, p.Body(),
		"`/tenon apply 1,3`: no file parses after the edits that are left, so each has to be named.")
	p.Outcomes = history.BlockOutcomes{1: {SHA: someSHA}, 2: {Why: "it does not parse", Breaks: true}, 3: {SHA: someSHA}}
	require.Contains(t, p.Body(), "`/tenon apply 2`: no file parses", "what was found since counts too")
}

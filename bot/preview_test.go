package bot

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

const previewID = "k3v9x1p7q2m4"

// previewOfRows is a preview that came to these results.
func previewOfRows(rows ...row) preview {
	v := preview{run: previewID}
	v.Results, v.Base = rows, someSHA
	v.talk = talk{turns: []turn{{}}, replies: []engine.Reply{{}}}
	return v
}

func fitting(path, diff string) row {
	return row{Path: path, Status: engine.Applied.String(), Line: 3, Diff: diff, Added: 1}
}

func previewSession() *session {
	s := testSession()
	s.Now = time.Now
	s.ev.Thread.URL = "https://github.com/acme/lathe/pull/1"
	return s
}

func TestEveryBoxOfAPreviewReadsBack(t *testing.T) {
	t.Parallel()
	rows := []row{
		fitting("a.go", "+x\n"),
		fitting("`b` <!-- tenon:block=9 -->.go", "@@ -1 +1 @@\n-- [x] **4** `c` <!-- tenon:block=4 -->\n+</details>\n"),
		{Path: "c.go", Status: engine.Failed.String(), Reason: string(engine.NotFound), Detail: "Content sequence not found in file"},
		fitting("d.go", "+```\n+- [x] **1** x <!-- tenon:block=1 -->\n+````\n"),
		fitting("e.go", "+x\n "+strings.Repeat("> ", 140)+"\n"),
		fitting("f.go", " \n+\n+<!-- tenon:preview=aaaaaaaaaaaa -->\n"),
	}
	s := previewSession()
	fates := map[int]fate{1: {SHA: someSHA}, 2: {Why: "no <!-- tenon:block=2 -->\n- [x] **6** x"}}
	body := markedBy(s.previewBody(previewOfRows(rows...), fates, []int{1, 4}), previewID)
	require.Equal(t, []int{1, 4}, tickedBoxes(body))
	var numbers []int
	for _, b := range boxesIn(body) {
		numbers = append(numbers, b.number)
	}
	require.Equal(t, []int{1, 2, 4, 5, 6}, numbers)
	run, ok := previewRun(body)
	require.True(t, ok)
	require.Equal(t, previewID, run)
	require.Contains(t, body, "| 3 | ")
	require.Contains(t, body, "5 of 6 edits fit · 1 committed")
	require.Contains(t, body, "⚠️ The diff of edit 5 cannot be shown here. Commit only what you know.", "a line that is too deep hides nothing unnoticed")
}

func TestAPreviewOfManyEditsStaysWithinGitHubsLimit(t *testing.T) {
	t.Parallel()
	var rows []row
	for i := range 200 {
		rows = append(rows, fitting(fmt.Sprintf("%s/%d.go", strings.Repeat("deep/", 70), i), strings.Repeat("+ü\n", 500)))
	}
	body := previewSession().previewBody(previewOfRows(rows...), nil, nil)
	require.LessOrEqual(t, utf8.RuneCountInString(markedBy(body, previewID)), maxBody)
	boxes := boxesIn(body)
	require.Greater(t, len(boxes), 20)
	last := boxes[len(boxes)-1].number
	require.Contains(t, body, fmt.Sprintf("… and %d more, for which there is no room here: `/tenon apply %d-200`", 200-last, last+1))
	require.Contains(t, body, "```diff", "there is room for diffs as well")
	require.Regexp(t, fmt.Sprintf(`⚠️ The diffs of edits [0-9, -]+-%d cannot be shown here`, last), body)
}

func TestAPreviewWithoutAnyEditThatFitsOffersNothing(t *testing.T) {
	t.Parallel()
	body := previewSession().previewBody(previewOfRows(row{Path: "c.go", Status: engine.Failed.String(), Reason: string(engine.NotFound)}), nil, nil)
	require.Contains(t, body, "**Preview**: 0 of 1 edit fit")
	require.NotContains(t, body, "apply")
	require.Empty(t, boxesIn(body))
}

func TestNumbersAreWrittenAsPeopleDo(t *testing.T) {
	t.Parallel()
	for want, list := range map[string][]int{"": nil, "2": {2}, "1, 2": {1, 2}, "1, 3-5": {1, 3, 4, 5}, "1-3, 7, 8": {1, 2, 3, 7, 8}} {
		require.Equal(t, want, numberList(list))
	}
}

func TestTheLatestWordOnABlockCountsUntilItIsCommitted(t *testing.T) {
	t.Parallel()
	results := func(status engine.Status, reason engine.Reason) []row {
		return []row{{Status: status.String(), Reason: string(reason), Detail: "it did not fit"}}
	}
	all := map[int]fate{}
	settle(choice{Numbers: []int{4}}, all, "a", committed{applied: applied{Results: results(engine.Failed, engine.NotFound)}})
	require.Equal(t, fate{Why: "it did not fit"}, all[4])
	settle(choice{Numbers: []int{4}}, all, "b", committed{applied: applied{Results: results(engine.Applied, "")}, Unpushed: "it is a fork"})
	require.Equal(t, fate{Why: "it is a fork"}, all[4])
	settle(choice{Numbers: []int{4}}, all, "c", committed{applied: applied{Results: results(engine.Applied, "")}, SHA: someSHA})
	settle(choice{Numbers: []int{4}}, all, "d", committed{applied: applied{Results: results(engine.Failed, engine.NotFound)}})
	require.Equal(t, fate{SHA: someSHA, Run: "c"}, all[4])
	settle(choice{Numbers: []int{5}}, all, "e", committed{applied: applied{Results: results(engine.Skipped, engine.AlreadyApplied)}})
	require.True(t, all[5].settled())
}

func TestAPreviewThatMayNotBeAppliedIsToLookAt(t *testing.T) {
	t.Parallel()
	s := previewSession()
	s.policy.Verbs = []string{"preview"}
	body := s.previewBody(previewOfRows(fitting("a.go", "+x\n")), nil, nil)
	require.Contains(t, body, "The settings of this repository do not allow `/tenon apply`")
	require.NotContains(t, body, "Tick what")
}

package report

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/record"
)

func TestAReviewThreadIsAnsweredWithItsEdits(t *testing.T) {
	t.Parallel()
	r := Summary{Links: onLathe, SHA: someSHA, Base: headSHA}
	a := conversation.ThreadOutcome{
		ReviewThread: record.ReviewThread{Path: "a.go", Line: 3}, Remark: "Renamed `x`, **thanks** @jan",
		Results: []record.Result{
			{Path: "a.go", Line: 3, Status: record.StatusApplied},
			{Path: "b.go", Line: 9, Status: record.StatusFailed, Detail: "Not found in b.go"},
		},
	}
	edits := "Renamed `x`, thanks `@jan`\n\n" +
		"- ✅ [`a.go:3`](" + lathe + "/blob/" + someSHA + "/a.go#L3)\n" +
		"- ❌ [`b.go:9`](" + lathe + "/blob/" + someSHA + "/b.go#L9): not found in `b.go`; give the command again and " +
		"name the file."
	require.Equal(t, edits+"\n\nCommitted as [`0123456`]("+lathe+"/commit/"+someSHA+").", ThreadBody(a, r))
	r.SHA, r.Held = "", true
	require.Contains(t, ThreadBody(a, r), "- ✅ fits: `a.go:3`\n")
	require.Contains(t, ThreadBody(a, r), "\n\nNothing was committed; the answer in the conversation says why.")
	r.Held = false
	require.NotContains(t, ThreadBody(a, r), "ommitted")
	for range 10 {
		a.Results = append(a.Results, a.Results[0])
	}
	require.Contains(t, ThreadBody(a, r), "\n- … and 2 more")
	page(t, ThreadBody(a, r))
}

func TestAReviewThreadWithoutAnEditIsAnsweredWithTheReason(t *testing.T) {
	t.Parallel()
	require.Equal(t, "**No change**: it is `fine`, see `#3`",
		ThreadBody(conversation.ThreadOutcome{Remark: "it is `fine`, see #3"}, Summary{SHA: someSHA}))
}

func TestTheAnswerOfTheRunSaysWhichThreadsItAnswered(t *testing.T) {
	t.Parallel()
	thread := func(n int, remark string) conversation.ThreadOutcome {
		return conversation.ThreadOutcome{
			ReviewThread: record.ReviewThread{Number: n, Path: "a.go", Line: n, URL: fmt.Sprintf("%s/pull/12#r%d", lathe, n)},
			Remark:       remark,
		}
	}
	r := Summary{Addressed: []conversation.ThreadOutcome{thread(1, "done")}}
	require.Equal(t, "Answered in 1 of 1 review thread.", r.threads())
	silent := thread(3, "")
	silent.URL, silent.Line = "", 0
	r.Addressed = append(r.Addressed, thread(2, ""), silent)
	r.Context.MoreReviews = 1
	text := "Answered in 1 of 3 review threads. The model left out [`a.go:2`](" + lathe +
		"/pull/12#r2) and `a.go`; `/tenon address` asks again. "
	require.Equal(t, text+"1 more was not looked at: give `/tenon address` again when these are resolved.", r.threads())
	r.Context.MoreReviews = 2
	require.Equal(t, text+"2 more were not looked at: give `/tenon address` again when these are resolved.", r.threads())
	require.Empty(t, Summary{}.threads())
}

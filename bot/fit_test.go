package bot

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/prompts"
)

func TestOfAThreadTheFirstAndTheNewestRemarksAreKept(t *testing.T) {
	t.Parallel()
	list := []prompts.Remark{{Author: "the issue"}, {Author: "old"}, {Author: "newer"}, {Author: "newest"}}
	for i := range list {
		list[i].Text = strings.Repeat("é", 500)
	}
	authors := func(room int) (names []string) {
		total := 0
		for _, r := range clipRemarks(list, room) {
			total += len(r.Text) + quoteBytes
			names = append(names, r.Author)
		}
		require.LessOrEqual(t, total, room)
		return names
	}
	require.Equal(t, []string{"the issue", "old", "newer", "newest"}, authors(10_000))
	require.Equal(t, []string{"the issue", "old", "newer", "newest"}, authors(4*(minQuote+quoteBytes)))
	require.Equal(t, []string{"the issue", "newer", "newest"}, authors(4*(minQuote+quoteBytes)-1))
	require.Equal(t, []string{"the issue"}, authors(minQuote+quoteBytes))
	require.Empty(t, authors(minQuote+quoteBytes-1))
	require.Empty(t, authors(0))
	require.Len(t, list[0].Text, 1000, "the list itself is as it was")
	require.True(t, strings.HasSuffix(clipRemarks(list, 2_000)[0].Text, "é…"), "no half of a character")
}

func TestOfConventionsTheFirstAreKept(t *testing.T) {
	t.Parallel()
	list := []prompts.Convention{{Path: "of the organisation", Text: "Be kind."},
		{Path: "AGENTS.md", Text: strings.Repeat("x", 8_000)}, {Path: "CLAUDE.md", Text: strings.Repeat("y", 8_000)}}
	got := clipConventions(list, 3_000)
	require.Len(t, got, 3)
	require.Equal(t, "Be kind.", got[0].Text)
	require.Equal(t, len(got[1].Text), len(got[2].Text))
	require.Len(t, clipConventions(list, 700), 2)
	require.Equal(t, list[:1], clipConventions(list, 200))
	require.Empty(t, clipConventions(list, 100))
}

func TestNamesBeyondTheirRoomAreLeftOut(t *testing.T) {
	t.Parallel()
	folder := prompts.Listing{Folder: "src", Names: []string{"a.go", "b.go", "c.go"}}
	listings, missing := clipNames([]prompts.Listing{folder}, []string{"gone.go"}, 6_000)
	require.Equal(t, []prompts.Listing{folder}, listings)
	require.Equal(t, []string{"gone.go"}, missing)
	listings, missing = clipNames([]prompts.Listing{folder, folder}, []string{"gone.go"}, 2*quoteBytes+8+3+10)
	require.Equal(t, []prompts.Listing{{Folder: "src", Names: []string{"a.go", "b.go"}}}, listings)
	require.Equal(t, []string{"gone.go"}, missing)
	listings, missing = clipNames([]prompts.Listing{folder}, []string{"gone.go"}, 0)
	require.Empty(t, listings)
	require.Empty(t, missing)
}

func TestReviewThreadsAreCutToTheirRoom(t *testing.T) {
	t.Parallel()
	all := reviews{more: 2}
	for i := range 4 {
		remark := prompts.Remark{Text: strings.Repeat("x", 1_000)}
		all.shown = append(all.shown, prompts.ReviewThread{Number: i + 1, Place: "a.go, line 1",
			Hunk: strings.Repeat("h", 1_000), Remarks: []prompts.Remark{remark, remark}})
		all.recorded = append(all.recorded, record.ReviewThread{Number: i + 1, Path: "a.go"})
	}
	for room, want := range map[int]struct {
		threads, more int
		hunks         bool
	}{
		20_000: {4, 2, true}, 8_000: {4, 2, true}, 5_000: {4, 2, false}, 2_000: {2, 4, false}, 720: {1, 5, false},
	} {
		got := all.within(room)
		require.LessOrEqual(t, got.size(), room)
		require.Len(t, got.shown, want.threads, room)
		require.Len(t, got.recorded, want.threads, room)
		require.Equal(t, want.more, got.more, room)
		require.Equal(t, want.hunks, got.shown[0].Hunk != "", room)
		require.Len(t, got.shown[0].Remarks, 2, room)
	}
	last := all.within(100)
	require.Len(t, last.shown, 1, "one thread is always addressed")
	require.Len(t, last.shown[0].Remarks, 1)
	require.Len(t, last.shown[0].Remarks[0].Text, minQuote)
	require.Len(t, all.shown[0].Remarks, 2, "the threads themselves are as they were")
	require.NotEmpty(t, all.shown[0].Hunk)
}

func TestARetryThatDoesNotFitGoesWithoutTheDiffsOfWhatFailed(t *testing.T) {
	t.Parallel()
	model := port.ModelInfo{ContextTokens: 8_000}
	retry := func(n int) *prompts.Retry {
		return &prompts.Retry{Failed: []prompts.LostEdit{{Number: 1, Path: "a.go", Why: "no such lines",
			Diff: strings.Repeat("-x\n", n)}}}
	}
	in, what := prompts.Input{Task: "Go on.", Retry: retry(10)}, task{write: prompts.Fix}
	_, _, err := fit(&in, &what, model, policy.Bounds{})
	require.NoError(t, err)
	require.Equal(t, retry(10), in.Retry)
	long := retry(8_000)
	in.Retry = long
	room, _, err := fit(&in, &what, model, policy.Bounds{})
	require.NoError(t, err)
	require.Equal(t, retry(0), in.Retry)
	require.NotEmpty(t, long.Failed[0].Diff)
	require.Greater(t, room.Code, 3_000)
	in.Task = strings.Repeat("x", 10_000)
	_, _, err = fit(&in, &what, model, policy.Bounds{})
	var user *port.UserError
	require.ErrorAs(t, err, &user)
}

func TestALargeContextChangesNothingInThePrompt(t *testing.T) {
	t.Parallel()
	files := map[string]string{"AGENTS.md": strings.Repeat("Write tests.\n", 600), "a.go": "package a\n"}
	unknown := promptOn(t, files, "/tenon fix a.go", port.ModelInfo{})
	large := promptOn(t, files, "/tenon fix a.go", port.ModelInfo{ContextTokens: 128_000})
	require.Equal(t, withKey(unknown, ""), withKey(large, ""))
	require.Equal(t, 600, strings.Count(unknown.Request.Messages[0].Text, "Write tests."))
}

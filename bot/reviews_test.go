package bot

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// before is before the command.
var before = started.Add(-time.Second)

func TestReviewThreadsAreWhatTheAskerCouldRead(t *testing.T) {
	t.Parallel()
	say := func(login, body string, age time.Duration) port.Comment {
		return port.Comment{
			ID: 500, Author: port.User{Login: login, Bot: strings.HasSuffix(login, "[bot]")}, Body: body,
			Updated: started.Add(-age), Hunk: "@@ -1 +1 @@\n" + strings.Repeat("+x\n", 1000),
		}
	}
	long := strings.Repeat("long ", 2000)
	github := &discussedGitHub{writers: "ada", threads: []port.ReviewThread{
		{Path: "a.go", Line: 3, Comments: []port.Comment{say("ada", long, time.Hour), say("stranger", long, time.Hour)}},
		{Path: "b.go", Outdated: true, Comments: []port.Comment{
			say("lint[bot]", "Unused.", time.Hour), say("ada", "edited after the command", -time.Second),
		}},
		{Path: "c.go", Line: 1, Comments: []port.Comment{
			say("tenon[bot]", "A suggestion of mine", time.Hour), say("ada", "Nice", time.Hour),
		}},
		{Path: "d.go", Line: 1, Comments: []port.Comment{say("ada", "<!-- hidden -->", time.Hour)}},
		{Path: ".env", Line: 1, Comments: []port.Comment{say("", "Of an account that is gone", time.Hour)}},
	}}
	out, err := discussion(github).reviews(t.Context())
	require.NoError(t, err)
	require.Len(t, out.shown, 3)
	require.Equal(t, "a.go, line 3", out.shown[0].Place)
	require.NotEmpty(t, out.hunks[0])
	require.Empty(t, out.shown[0].Hunk, "it is not masked yet")
	require.True(t, out.shown[0].Remarks[0].Trusted)
	require.Len(t, []rune(out.shown[0].Remarks[0].Text), maxReviewComment)
	require.False(t, out.shown[0].Remarks[1].Trusted)
	require.Len(t, []rune(out.shown[0].Remarks[1].Text), maxStrangers)
	require.Equal(t, "b.go, outdated", out.shown[1].Place)
	require.Len(t, out.shown[1].Remarks, 1)
	require.False(t, out.shown[1].Remarks[0].Trusted, "no bot is trusted")
	require.False(t, out.shown[2].Remarks[0].Trusted)
	require.Equal(t, 2, github.asked, "nobody is asked for twice, and neither a bot nor an account that is gone")
}

func TestReviewThreadsAreBounded(t *testing.T) {
	t.Parallel()
	github := &discussedGitHub{writers: "ada"}
	for range 100 {
		var comments []port.Comment
		for range 100 {
			comments = append(comments,
				port.Comment{Author: port.User{Login: "ada"}, Body: strings.Repeat("y", 5000), Updated: before})
		}
		github.threads = append(github.threads,
			port.ReviewThread{Path: strings.Repeat("p", 4000) + "\n", Line: 1, Comments: comments})
	}
	out, err := discussion(github).reviews(t.Context())
	require.NoError(t, err)
	require.Len(t, out.shown, len(out.recorded))
	require.Equal(t, 100, len(out.recorded)+out.more)
	all := 0
	for _, r := range out.shown {
		require.LessOrEqual(t, len(r.Remarks), maxReviewComments)
		require.NotContains(t, r.Place, "\n")
		require.Less(t, len(r.Place), markdown.MaxCell+30)
		for _, c := range r.Remarks {
			all += len(c.Text)
		}
	}
	require.LessOrEqual(t, all, maxReviewsTogether+maxReviewComment*2)
}

func TestReviewThreadsAreBoundedInNumber(t *testing.T) {
	t.Parallel()
	github := &discussedGitHub{writers: "ada"}
	for range maxReviews + 5 {
		github.threads = append(github.threads, port.ReviewThread{Path: "a.go", Line: 1, Comments: []port.Comment{
			{Author: port.User{Login: "ada"}, Body: "Why?", Updated: before},
		}})
	}
	out, err := discussion(github).reviews(t.Context())
	require.NoError(t, err)
	require.Len(t, out.recorded, maxReviews)
	require.Equal(t, 5, out.more)
}

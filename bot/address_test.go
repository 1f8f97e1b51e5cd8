package bot

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

func (g *talkative) UnresolvedThreads(_ context.Context, _ RepoRef, _ int) ([]ReviewThread, error) {
	return g.threads, nil
}

func TestReviewThreadsAreWhatTheAskerCouldRead(t *testing.T) {
	t.Parallel()
	s := testSession()
	now := s.run.Started
	s.ev.Comment.Updated = now
	say := func(login, body string, age time.Duration) Comment {
		return Comment{ID: 500, Author: User{Login: login, Bot: strings.HasSuffix(login, "[bot]")}, Body: body, Updated: now.Add(-age), Hunk: "@@ -1 +1 @@\n" + strings.Repeat("+x\n", 1000)}
	}
	g := &talkative{writers: "ada", threads: []ReviewThread{
		{Path: "a.go", Line: 3, Comments: []Comment{say("ada", strings.Repeat("long ", 2000), time.Hour), say("stranger", strings.Repeat("long ", 2000), time.Hour)}},
		{Path: "b.go", Outdated: true, Comments: []Comment{say("lint[bot]", "Unused.", time.Hour), say("ada", "edited after the command", -time.Second)}},
		{Path: "c.go", Line: 1, Comments: []Comment{say("tenon[bot]", "A suggestion of mine", time.Hour), say("ada", "Nice", time.Hour)}},
		{Path: "d.go", Line: 1, Comments: []Comment{say("ada", "<!-- hidden -->", time.Hour)}},
		{Path: ".env", Line: 1, Comments: []Comment{say("", "Of an account that is gone", time.Hour)}},
	}}
	s.GitHub = g
	out, err := s.reviews(t.Context())
	require.NoError(t, err)
	require.Len(t, out.shown, 3)
	require.Equal(t, "a.go, line 3", out.shown[0].Place)
	require.LessOrEqual(t, len(out.shown[0].Hunk), maxReviewHunk)
	require.True(t, out.shown[0].Remarks[0].Trusted)
	require.Len(t, []rune(out.shown[0].Remarks[0].Text), maxReviewRemark)
	require.False(t, out.shown[0].Remarks[1].Trusted)
	require.Len(t, []rune(out.shown[0].Remarks[1].Text), maxStrangeRemark)
	require.Equal(t, "b.go, outdated", out.shown[1].Place)
	require.Len(t, out.shown[1].Remarks, 1)
	require.False(t, out.shown[1].Remarks[0].Trusted, "no bot is trusted")
	require.Empty(t, out.shown[2].Hunk, "a file that is not shown is not shown by its diff either")
	require.False(t, out.shown[2].Remarks[0].Trusted)
	require.Equal(t, 2, g.asked, "nobody is asked for twice, and neither a bot nor an account that is gone")
}

func TestReviewThreadsAreBounded(t *testing.T) {
	t.Parallel()
	s := testSession()
	s.ev.Comment.Updated = s.run.Started
	g := &talkative{writers: "ada"}
	for range 100 {
		var said []Comment
		for range 100 {
			said = append(said, Comment{Author: User{Login: "ada"}, Body: strings.Repeat("y", 5000), Updated: s.run.Started})
		}
		g.threads = append(g.threads, ReviewThread{Path: strings.Repeat("p", 4000) + "\n", Line: 1, Comments: said})
	}
	s.GitHub = g
	out, err := s.reviews(t.Context())
	require.NoError(t, err)
	require.Equal(t, 100, len(out.kept)+out.more)
	all := 0
	for _, r := range out.shown {
		require.LessOrEqual(t, len(r.Remarks), maxReviewRemarks)
		require.NotContains(t, r.Place, "\n")
		require.Less(t, len(r.Place), maxCell+30)
		for _, c := range r.Remarks {
			all += len(c.Text)
		}
	}
	require.LessOrEqual(t, all, maxReviewsTogether+maxReviewRemark*2)
}

func TestRemarksStandOnLinesOfTheirOwnOutsideOfBlocks(t *testing.T) {
	t.Parallel()
	text := "<think>\nREMARK 9: thought\n</think>\nREMARK 1: One.\n**REMARK 2:** Two.\n- REMARK #3: Three.\nNo REMARK 4: four\n" +
		"a.txt\n```\n<<<<<<< SEARCH\n=======\nREMARK 5: in a file\n>>>>>>> REPLACE\n```\nREMARK 6:\nREMARK 7: Seven.\r\n"
	got := map[int]string{}
	for _, r := range remarksOf(text, engine.Parse(text, engine.ParseOptions{})) {
		got[r.thread] = r.text
	}
	require.Equal(t, map[int]string{1: "One.", 2: "Two.", 3: "Three.", 6: "", 7: "Seven."}, got)
}

var hugeThread = addressed{reviewThread: reviewThread{Number: 1, Comment: 5, Path: "a.go"}, remark: strings.Repeat("@maria closes #1 ![x](y) </details> ", 1000)}

func TestAnAnswerInAThreadIsBoundedAndNothingButText(t *testing.T) {
	t.Parallel()
	a := hugeThread
	for range 300 {
		a.rows = append(a.rows, row{Path: strings.Repeat("`|@maria#1", 100), Line: 3, Status: "failed", Detail: strings.Repeat("<img src=x> @maria ", 100)})
	}
	r := summary{RepoURL: "https://github.example/acme/lathe", Base: someSHA}
	for _, got := range []string{threadBody(a, r), threadBody(hugeThread, r)} {
		require.Less(t, len(got), maxBody/2)
		outside := regexp.MustCompile(`<code>[^<]*</code>`).ReplaceAllString(page(t, got), "")
		require.NotRegexp(t, githubMakes, htmlTag.ReplaceAllString(outside, ""))
	}
	require.Contains(t, threadBody(a, r), "- … and 290 more")
}

func TestTheAnswerTellsOfThreads(t *testing.T) {
	t.Parallel()
	r := summary{Addressed: []addressed{{remark: "x"}, {reviewThread: reviewThread{Path: "a|b.go", Line: 3, URL: "https://github.example/x"}}}, Context: question{MoreReviews: 1}}
	require.Equal(t, "Answered in 1 of 2 review threads. The model said nothing about [`a|b.go:3`](https://github.example/x). "+
		"1 more was not looked at: give `/tenon address` again when these are resolved.", r.threads())
}

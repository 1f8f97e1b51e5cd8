package gh_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/github/sim"
)

func TestAnAnswerLivesInEachOfItsPlaces(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	first, err := w.ReviewComment("mona", hello, w.pull, sim.Place{Path: "server/start.go", Line: 1}, "/tenon fix this")
	require.NoError(t, err)
	for _, at := range []port.Place{conversation(w.pull), {Number: w.pull, Kind: port.Review},
		inThreadOf(w.pull, &port.Comment{Kind: port.ReviewComment, ID: first})} {
		start := w.clock.Now()
		_, found, err := w.app.FindComment(ctx, w.repo, at, marker, start)
		require.NoError(t, err)
		require.False(t, found, at.Kind)
		made, err := w.app.Post(ctx, w.repo, at, "queued "+marker)
		require.NoError(t, err)
		require.Equal(t, at.Kind, made.Kind)
		require.NotEmpty(t, made.URL)
		require.NoError(t, w.app.Progress(ctx, w.repo, w.pull, made, "reading "+marker))
		require.NoError(t, w.app.Edit(ctx, w.repo, w.pull, made, "done "+marker))
		again, found, err := w.app.FindComment(ctx, w.repo, at, marker, start)
		require.NoError(t, err)
		require.True(t, found, at.Kind)
		require.Equal(t, made.ID, again.ID)
		now, err := w.app.Comment(ctx, w.repo, w.pull, made)
		require.NoError(t, err)
		require.Equal(t, "done "+marker, now.Body)
		require.Equal(t, "tenon[bot]", now.Author.Login)
		require.NoError(t, w.app.React(ctx, w.repo, made, port.ReactionRocket))
		require.NoError(t, w.app.React(ctx, w.repo, made, port.ReactionRocket), "twice is once")
	}
	reviews, err := w.Reviews(hello, w.pull)
	require.NoError(t, err)
	var states []string
	for _, r := range reviews {
		states = append(states, r.State)
	}
	require.NotContains(t, states, "APPROVED")
}

func TestAnIssuesOwnTextIsACommentToo(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	number, err := w.OpenIssue("mona", hello, "Broken", "/tenon fix it")
	require.NoError(t, err)
	own := port.Comment{Kind: port.IssueBody, ID: int64(number)}
	got, err := w.app.Comment(ctx, w.repo, number, own)
	require.NoError(t, err)
	require.Equal(t, "/tenon fix it", got.Body)
	require.Equal(t, int64(number), got.ID)
	require.NoError(t, w.app.React(ctx, w.repo, own, port.ReactionEyes))
	require.ErrorContains(t, w.app.Edit(ctx, w.repo, number, own, "x"), "the App does not write")

	issue, err := w.app.Issue(ctx, w.repo, number)
	require.NoError(t, err)
	require.Equal(t, "mona", issue.Author.Login)
	require.Equal(t, port.Issue{Number: number, Title: "Broken", Body: "/tenon fix it", State: "open", Repo: hello,
		URL: issue.URL, Author: issue.Author}, issue)
	require.NoError(t, w.DeleteIssue(hello, number))
	_, err = w.app.Issue(ctx, w.repo, number)
	require.ErrorIs(t, err, port.ErrNotFound)
	_, err = w.app.Comment(ctx, w.repo, number, own)
	require.ErrorIs(t, err, port.ErrNotFound)
}

func TestWhatSomebodyDeletedIsNotFound(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for kind, path := range map[port.EventKind]string{
		port.IssueComment:  "/issues/comments/5",
		port.ReviewComment: "/pulls/comments/5",
		port.Review:        "/pulls/17/reviews/5",
	} {
		d := newFakeAPI(t)
		c := d.client(t)
		gone := port.Comment{Kind: kind, ID: 5, InReplyTo: 4}
		require.ErrorIs(t, c.Edit(ctx, joint, 17, gone, "x"), port.ErrNotFound)
		_, err := c.Comment(ctx, joint, 17, gone)
		require.ErrorIs(t, err, port.ErrNotFound)
		require.Len(t, d.calls("GET "+root+path), 1)
	}
	d := newFakeAPI(t)
	c := d.client(t)
	_, err := c.Post(ctx, joint, inThreadOf(17, &port.Comment{Kind: port.ReviewComment, ID: 5}), "x")
	require.ErrorIs(t, err, port.ErrNotFound, "the first comment of the thread")
	_, err = c.Comment(ctx, joint, 17, port.Comment{Kind: port.Pressed})
	require.ErrorContains(t, err, "is not a comment")
	require.ErrorContains(t, c.Edit(ctx, joint, 17, port.Comment{Kind: port.IssueComment}, " "), "blank")
	_, _, err = c.FindComment(ctx, joint, port.Place{Number: 17}, marker, time.Time{})
	require.ErrorContains(t, err, "cannot have comments")
}

func TestReviewsAreReadFromTheirEnd(t *testing.T) {
	t.Parallel()
	path := root + "/pulls/17/reviews"
	type review struct {
		ID          int64     `json:"id"`
		Body        string    `json:"body"`
		User        author    `json:"user"`
		SubmittedAt time.Time `json:"submitted_at"`
	}
	d := newFakeAPI(t)
	d.on("GET "+path,
		linked(d, path, 1, 3, []review{{1, marker, tenon, noon}}),
		linked(d, path, 3, 3, []review{{30, marker, author{"mona", "User"}, noon},
			{31, marker, tenon, noon.Add(-time.Hour)}}),
		linked(d, path, 2, 3, []review{{20, marker, tenon, noon}, {21, "x", tenon, noon}}))
	got, found, err := d.client(t).FindComment(context.Background(), joint, port.Place{Number: 17, Kind: port.Review},
		marker, noon)
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, int64(20), got.ID)
}

func TestATransferredIssueIsReadWhereItIs(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on("GET "+root+"/issues/17", response{301, http.Header{"Location": {d.server.URL + "/repositories/900/issues/4"}},
		"{}"})
	d.on("GET /repositories/900/issues/4",
		ok(`{"number":4,"repository_url":"https://api.github.com/repos/octo-org/else"}`))
	got, err := d.client(t).Issue(context.Background(), joint, 17)
	require.NoError(t, err)
	require.Equal(t, "octo-org/else", got.Repo)
	require.Equal(t, 4, got.Number)
	d.on("GET "+root+"/issues/17", refusal(410, "This issue was deleted"))
	_, err = d.client(t).Issue(context.Background(), joint, 17)
	require.ErrorIs(t, err, port.ErrNotFound)
}

func TestEveryWriteFollowsARenamedRepository(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	c := d.client(t)
	for from, to := range map[string]string{
		comment:                               "POST /repositories/700/issues/17/comments",
		edit:                                  "PATCH /repositories/700/issues/comments/5",
		"PUT " + root + "/pulls/17/reviews/5": "PUT /repositories/700/pulls/17/reviews/5",
		newCheck:                              "POST /repositories/700/check-runs",
	} {
		_, path, _ := strings.Cut(to, " ")
		d.on(from, response{307, http.Header{"Location": {d.server.URL + path}}, "{}"})
		d.on(to, ok(`{"id":1}`))
	}
	_, err := c.Post(ctx, joint, conversation(17), "the whole body")
	require.NoError(t, err)
	require.NoError(t, c.Edit(ctx, joint, 17, answered, "the whole body"))
	require.NoError(t, c.Edit(ctx, joint, 17, port.Comment{Kind: port.Review, ID: 5}, "the whole body"))
	_, err = c.CreateCheck(ctx, joint, port.Check{Name: "tenon", SHA: "c1", Title: "the whole body"})
	require.NoError(t, err)
	for _, to := range []string{"POST /repositories/700/issues/17/comments", "PATCH /repositories/700/issues/comments/5",
		"PUT /repositories/700/pulls/17/reviews/5", "POST /repositories/700/check-runs"} {
		require.Len(t, d.calls(to), 1)
		require.Contains(t, d.calls(to)[0].body, "the whole body")
	}
}

package gh_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
)

const edit = "PATCH /repos/octo-org/hello-joint/issues/comments/5"

// newWriter returns a fakeAPI at which all writes succeed, and a client.
func newWriter(t *testing.T) (*fakeAPI, *gh.Client) {
	d := newFakeAPI(t)
	d.on(comment, response{status: 201, body: `{"id":1}`})
	d.on("POST /repos/else-org/other/issues/17/comments", response{status: 201, body: `{"id":1}`})
	d.on(edit, ok(`{}`))
	d.on(oldCheck, ok(`{}`))
	d.on(getPull, ok(`{"number":17}`))
	d.on(graph, ok(`{"data":{}}`))
	return d, d.client(t)
}

func say(c *gh.Client, repo port.RepoRef) error {
	_, err := c.Post(context.Background(), repo, conversation(17), "x")
	return err
}

var answered = port.Comment{Kind: port.IssueComment, ID: 5}

func TestWritesAreLimitedBeforeGitHubRefuses(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d, c := newWriter(t)
	for range 80 {
		require.NoError(t, say(c, joint))
	}
	err := say(c, joint)
	var later timed
	require.ErrorAs(t, err, &later)
	require.Equal(t, 61*time.Second, later.RetryAfter(), "with a margin of a second")
	require.Len(t, d.calls(comment), 80)

	_, err = c.PullRequest(ctx, joint, 17)
	require.NoError(t, err, "reads are not limited")
	_, err = c.UnresolvedThreads(ctx, joint, 17)
	require.NoError(t, err, "nor reads by GraphQL")
	require.NoError(t, say(c, other), "nor another installation")
	require.Error(t, c.React(ctx, joint, port.Comment{Kind: port.Review, ID: 1, NodeID: "PRR_1"}, port.ReactionEyes),
		"but writes by GraphQL are")

	d.advance(52 * time.Second)
	require.NoError(t, say(c, joint), "a short wait is waited for")
	require.Equal(t, []time.Duration{9 * time.Second}, d.slept)
}

func TestAnHourHasItsLimitToo(t *testing.T) {
	t.Parallel()
	d, c := newWriter(t)
	for range 500 {
		require.NoError(t, say(c, joint))
		d.advance(2 * time.Second)
	}
	err := say(c, joint)
	var later timed
	require.ErrorAs(t, err, &later)
	require.Equal(t, time.Hour+time.Second-1000*time.Second, later.RetryAfter())
	d.advance(later.RetryAfter())
	require.NoError(t, say(c, joint))
}

func TestProgressLeavesHalfToWhatMatters(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d, c := newWriter(t)
	for range 40 {
		require.NoError(t, c.Progress(ctx, joint, 17, answered, "reading"))
	}
	err := c.Progress(ctx, joint, 17, answered, "reading")
	var later timed
	require.ErrorAs(t, err, &later)
	require.ErrorContains(t, err, "editing issue comment 5 of octo-org/hello-joint#17: GitHub's rate limit is reached")
	require.Len(t, d.calls(edit), 40)
	require.NoError(t, c.Edit(ctx, joint, 17, answered, "done"))
	require.Len(t, d.calls(edit), 41)
	require.ErrorAs(t, c.UpdateCheck(ctx, joint, 8, port.Check{Status: "in_progress", Title: "Reading"}), &later,
		"a check's progress is progress")
	require.NoError(t, c.UpdateCheck(ctx, joint, 8, port.Check{Conclusion: "success", Title: "Done"}))

	d.advance(55 * time.Second)
	require.Error(t, c.Progress(ctx, joint, 17, answered, "reading"), "it does not even wait six seconds")
	require.Empty(t, d.slept)
	d.advance(6 * time.Second)
	require.NoError(t, c.Progress(ctx, joint, 17, answered, "reading"))

	for range 208 {
		d.advance(2 * time.Second)
		require.NoError(t, c.Edit(ctx, joint, 17, answered, "done"))
	}
	require.Error(t, c.Progress(ctx, joint, 17, answered, "reading"), "half of the hour's 500 are used")
	require.NoError(t, c.Edit(ctx, joint, 17, answered, "done"))
}

func TestProgressIsNotWorthAWait(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d, c := newWriter(t)
	d.on(edit, refusal(429, "", "Retry-After", "2"), ok(`{}`))
	require.Error(t, c.Progress(ctx, joint, 17, answered, "reading"))
	require.Error(t, c.Progress(ctx, joint, 17, answered, "reading"))
	require.Len(t, d.calls(edit), 1)
	require.Empty(t, d.slept)
	require.NoError(t, c.Edit(ctx, joint, 17, answered, "done"))
	require.Equal(t, []time.Duration{2 * time.Second}, d.slept)
}

func TestManyWritersKeepThePaceTogether(t *testing.T) {
	t.Parallel()
	d, c := newWriter(t)
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() { _ = say(c, joint) })
	}
	wg.Wait()
	require.Len(t, d.calls(comment), 80)
}

func TestGitHubsOwnLimitsAreNeverMet(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	made, err := w.app.Post(ctx, w.repo, conversation(w.pull), "x")
	require.NoError(t, err)
	var refused int
	for range 130 {
		if w.app.Edit(ctx, w.repo, w.pull, made, "y") != nil {
			refused++
			w.clock.advance(5 * time.Second)
		}
	}
	require.NotZero(t, refused)
	for _, r := range w.Requests() {
		require.Less(t, r.Status, 400, r.Path)
	}
}

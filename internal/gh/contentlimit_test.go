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
	d.on("POST /repos/octo-org/hello-joint/issues/comments/5/reactions", response{status: 201, body: `{"id":1}`})
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

func acknowledge(c *gh.Client, repo port.RepoRef) error {
	return c.React(context.Background(), repo, port.Comment{Kind: port.IssueComment, ID: 5}, port.ReactionEyes)
}

func TestWritesAreLimitedBeforeGitHubRefuses(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d, c := newWriter(t)
	for range 40 {
		require.NoError(t, acknowledge(c, joint))
	}
	for range 40 {
		require.NoError(t, say(c, joint))
	}
	err := say(c, joint)
	var later *port.WaitError
	require.ErrorAs(t, err, &later)
	require.Equal(t, port.GitHubLimit, later.For)
	require.Equal(t, 61*time.Second, later.RetryAfter(), "with a margin of a second")
	require.ErrorAs(t, acknowledge(c, joint), &later, "it is GitHub's limit that is reached")
	require.Len(t, d.calls(comment), 40)

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

// Whoever gives a command while others are carried out is to see within seconds that it was received.
func TestAcknowledgementsHaveAReserve(t *testing.T) {
	t.Parallel()
	d, c := newWriter(t)
	for range 20 {
		require.NoError(t, acknowledge(c, joint))
	}
	for range 44 {
		require.NoError(t, say(c, joint))
	}
	var later *port.WaitError
	require.ErrorAs(t, say(c, joint), &later, "the reserve stays, however many were acknowledged")
	for range 16 {
		require.NoError(t, acknowledge(c, joint))
	}
	require.ErrorAs(t, acknowledge(c, joint), &later)
	d.advance(61 * time.Second)
	for range 44 {
		require.NoError(t, say(c, joint))
	}
	require.ErrorAs(t, say(c, joint), &later, "the reserve is for the next ones")
}

func TestAnHourHasItsLimitToo(t *testing.T) {
	t.Parallel()
	d, c := newWriter(t)
	for range 450 {
		require.NoError(t, say(c, joint))
		d.advance(2 * time.Second)
	}
	err := say(c, joint)
	var later timed
	require.ErrorAs(t, err, &later)
	require.Equal(t, time.Hour+time.Second-900*time.Second, later.RetryAfter())
	for range 50 {
		require.NoError(t, acknowledge(c, joint))
	}
	require.ErrorAs(t, acknowledge(c, joint), &later)
	d.advance(later.RetryAfter())
	require.NoError(t, acknowledge(c, joint))
}

// What adds nothing to the answer is left out first, then the answer before there is a result.
func TestWhatMattersLessIsLeftOutFirst(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d, c := newWriter(t)
	for range 36 {
		require.NoError(t, c.Progress(ctx, joint, 17, answered, "reading"))
	}
	err := c.Progress(ctx, joint, 17, answered, "reading")
	var later *port.WaitError
	require.ErrorAs(t, err, &later)
	require.ErrorContains(t, err, "editing issue comment 5 of octo-org/hello-joint#17: GitHub's rate limit is reached")
	require.Len(t, d.calls(edit), 36)
	for what, err := range map[string]error{
		"a check's progress": c.UpdateCheck(ctx, joint, 8, port.Check{Status: "in_progress", Title: "Reading"}),
		"a rocket":           c.React(ctx, joint, port.Comment{Kind: port.IssueComment, ID: 5}, port.ReactionRocket),
		"a rocket on a review": c.React(ctx, joint, port.Comment{Kind: port.Review, ID: 1, NodeID: "PRR_1"},
			port.ReactionRocket),
	} {
		require.ErrorAs(t, err, &later, what)
	}
	_, err = c.CreateCheck(ctx, joint, port.Check{Name: "tenon", SHA: "c1", Conclusion: "success"})
	require.ErrorAs(t, err, &later)
	require.NoError(t, c.UpdateCheck(ctx, joint, 8, port.Check{Conclusion: "success", Title: "Done"}),
		"a check that began must end")
	for range 3 {
		_, err = c.Announce(ctx, joint, conversation(17), "reading")
		require.NoError(t, err)
	}
	_, err = c.Announce(ctx, joint, conversation(17), "reading")
	require.ErrorAs(t, err, &later)
	require.NoError(t, c.Edit(ctx, joint, 17, answered, "done"))
	require.Len(t, d.calls(edit), 37)

	d.advance(55 * time.Second)
	require.Error(t, c.Progress(ctx, joint, 17, answered, "reading"), "it does not even wait six seconds")
	_, err = c.Announce(ctx, joint, conversation(17), "reading")
	require.Error(t, err)
	require.Empty(t, d.slept)
	d.advance(6 * time.Second)
	require.NoError(t, c.Progress(ctx, joint, 17, answered, "reading"))

	until := func(optional func() error) (results int) {
		for optional() == nil {
			d.advance(6 * time.Second)
			require.NoError(t, c.Edit(ctx, joint, 17, answered, "done"))
			results++
		}
		return results
	}
	progress := func() error { return c.Progress(ctx, joint, 17, answered, "reading") }
	announce := func() error { _, err := c.Announce(ctx, joint, conversation(17), "reading"); return err }
	require.Less(t, until(progress), 60, "at this pace the hour has too little room")
	require.NoError(t, announce())
	require.Positive(t, until(announce))
	require.NoError(t, c.Edit(ctx, joint, 17, answered, "done"))
	d.advance(10 * time.Minute)
	require.NoError(t, c.Progress(ctx, joint, 17, answered, "reading"), "the pace is that of the last minutes")
}

// What a command that was acknowledged will write is kept free for it, for as long as it may take.
func TestResultsAreExpected(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d, c := newWriter(t)
	for range 18 {
		require.NoError(t, acknowledge(c, joint))
	}
	require.Error(t, c.Progress(ctx, joint, 17, answered, "reading"))
	_, err := c.Announce(ctx, joint, conversation(17), "reading")
	require.NoError(t, err)
	require.NoError(t, say(c, joint))
	require.NoError(t, say(c, joint))
	_, err = c.Announce(ctx, joint, conversation(17), "reading")
	require.NoError(t, err, "two results are no longer expected")
	d.advance(2 * time.Minute)
	require.NoError(t, c.Progress(ctx, joint, 17, answered, "reading"), "they will not come any more")
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
	require.Len(t, d.calls(comment), 44)
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

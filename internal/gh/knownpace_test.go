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

// sharedPace is a port.Pace of several processes, which counts how often it is asked. It is never short of writes.
type sharedPace struct {
	now func() time.Time

	mu           sync.Mutex
	asked        int
	blockedUntil map[int64]time.Time
}

func newSharedPace(now func() time.Time) *sharedPace {
	return &sharedPace{now: now, blockedUntil: map[int64]time.Time{}}
}

func (p *sharedPace) Write(context.Context, int64, port.WriteKind, func(port.PaceState) time.Duration) (time.Duration,
	error) {
	return 0, nil
}

func (p *sharedPace) Block(_ context.Context, installation int64, d time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.blockedUntil[installation] = p.now().Add(d)
	return nil
}

func (p *sharedPace) Blocked(_ context.Context, installation int64) (time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	return p.blockedUntil[installation].Sub(p.now()), nil
}

// timesAsked returns how often Blocked was called since the last call of timesAsked.
func (p *sharedPace) timesAsked() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.asked
	p.asked = 0
	return n
}

// newReader returns a fakeAPI that has two pull requests, a client whose installations have their tokens, and its pace.
func newReader(t *testing.T) (*fakeAPI, *gh.Client, *sharedPace) {
	d := newFakeAPI(t)
	d.on(getPull, ok(`{"number":17}`))
	d.on("GET /repos/else-org/other/pulls/1", ok(`{"number":1}`))
	p := newSharedPace(d.Now)
	c := d.client(t, func(o *gh.Options) { o.Pace = p })
	require.NoError(t, read(c, joint))
	require.NoError(t, read(c, other))
	d.advance(time.Minute)
	p.timesAsked()
	return d, c, p
}

func read(c *gh.Client, repo port.RepoRef) error {
	number := 17
	if repo == other {
		number = 1
	}
	_, err := c.PullRequest(context.Background(), repo, number)
	return err
}

func TestReadsOfOneMomentAskOnceWhetherGitHubAsksToWait(t *testing.T) {
	t.Parallel()
	d, c, p := newReader(t)
	for range 5 {
		require.NoError(t, read(c, joint))
	}
	require.Equal(t, 1, p.timesAsked())
	require.NoError(t, read(c, other))
	require.Equal(t, 1, p.timesAsked(), "another installation has a pace of its own")
	d.advance(time.Second)
	require.NoError(t, read(c, joint))
	require.Equal(t, 1, p.timesAsked())
}

func TestWhatGitHubAskedAnotherProcessIsKnownWithinASecond(t *testing.T) {
	t.Parallel()
	d, c, p := newReader(t)
	require.NoError(t, read(c, joint))
	require.NoError(t, p.Block(context.Background(), joint.Installation, time.Minute))
	d.advance(time.Second)
	sent := len(d.calls(getPull))
	p.timesAsked()
	var wait *port.WaitError
	for range 2 {
		require.ErrorAs(t, read(c, joint), &wait)
		require.Equal(t, 59*time.Second, wait.After)
	}
	require.Len(t, d.calls(getPull), sent)
	require.Equal(t, 2, p.timesAsked(), "that GitHub asks to wait is not remembered here")
}

func TestAPauseThatGitHubAskedThisProcessForCountsAtOnce(t *testing.T) {
	t.Parallel()
	d, c, _ := newReader(t)
	require.NoError(t, read(c, joint))
	require.NoError(t, read(c, other))
	d.on(getPull, refusal(429, "", "Retry-After", "60"))
	var wait *port.WaitError
	require.ErrorAs(t, read(c, joint), &wait)
	sent := len(d.calls(getPull))
	require.ErrorAs(t, read(c, joint), &wait)
	require.Equal(t, time.Minute, wait.After)
	require.Len(t, d.calls(getPull), sent, "nothing was sent though there was no pause a moment ago")
	require.NoError(t, read(c, other))
}

// slowPace answers that nothing is to be waited for, which is not true any more by then.
type slowPace struct {
	*sharedPace
	meanwhile func()
}

func (p slowPace) Blocked(ctx context.Context, installation int64) (time.Duration, error) {
	d, err := p.sharedPace.Blocked(ctx, installation)
	p.meanwhile()
	return d, err
}

func TestAPauseCountsThatBeganWhileAReadAskedForOne(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	shared := newSharedPace(d.Now)
	known := gh.NewKnownPace(nil, d.Now)
	var once sync.Once
	known.Pace = slowPace{shared, func() {
		once.Do(func() { require.NoError(t, known.Block(context.Background(), 7, time.Minute)) })
	}}
	_, err := known.Blocked(context.Background(), 7)
	require.NoError(t, err)
	wait, err := known.Blocked(context.Background(), 7)
	require.NoError(t, err)
	require.Equal(t, time.Minute, wait)
}

package gh_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
)

const (
	getPull = "GET /repos/octo-org/hello-joint/pulls/17"
	comment = "POST /repos/octo-org/hello-joint/issues/17/comments"
)

func at(t time.Time) string { return fmt.Sprint(t.Unix()) }

func TestAShortWaitIsWaitedFor(t *testing.T) {
	t.Parallel()
	noon := newFakeAPI(t).Now()
	for name, c := range map[string]struct {
		refusal response
		wait    time.Duration
	}{
		"429 with Retry-After": {refusal(429, "secondary", "Retry-After", "3"), 3 * time.Second},
		"403 with Retry-After": {refusal(403, "You have exceeded a secondary rate limit.", "Retry-After", "3"),
			3 * time.Second},
		"a date in Retry-After": {refusal(429, "", "Retry-After",
			noon.Add(4*time.Second).Format(http.TimeFormat)), 4 * time.Second},
		"Retry-After before the hour's reset": {refusal(403, "", "Retry-After", "2", "X-RateLimit-Remaining", "0",
			"X-RateLimit-Reset", at(noon.Add(time.Hour))), 2 * time.Second},
		"403 until the hour's reset": {refusal(403, "API rate limit exceeded", "X-RateLimit-Remaining", "0",
			"X-RateLimit-Reset", at(noon.Add(5*time.Second))), 6 * time.Second},
		"429 until the hour's reset": {refusal(429, "API rate limit exceeded", "X-RateLimit-Remaining", "0",
			"X-RateLimit-Reset", at(noon.Add(5*time.Second))), 6 * time.Second},
		"a reset that has passed": {refusal(429, "", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset",
			at(noon.Add(-time.Hour))), time.Second},
		"no time at all": {refusal(429, "", "Retry-After", "0"), time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newFakeAPI(t)
			d.on(comment, c.refusal, response{status: 201, body: `{"id":1}`})
			_, err := d.client(t).Post(context.Background(), joint, conversation(17), "the whole body")
			require.NoError(t, err)
			require.Equal(t, []time.Duration{c.wait}, d.slept)
			require.Len(t, d.calls(comment), 2)
			require.Contains(t, d.calls(comment)[1].body, "the whole body")
			require.Contains(t, d.log.String(), "GitHub asks to wait")
			d.noSecrets(t, nil)
		})
	}
}

func TestALongWaitIsLeftToTheQueue(t *testing.T) {
	t.Parallel()
	noon := newFakeAPI(t).Now()
	for name, c := range map[string]struct {
		refusal response
		after   time.Duration
	}{
		"Retry-After": {refusal(429, "", "Retry-After", "60"), time.Minute},
		"the hour's reset": {refusal(403, "", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset",
			at(noon.Add(20*time.Minute))), 20*time.Minute + time.Second},
		"beyond all bounds":      {refusal(429, "", "Retry-After", "999999999"), time.Hour},
		"a number too large":     {refusal(429, "", "Retry-After", "99999999999999999999"), time.Hour},
		"429 that names no time": {refusal(429, "Too many requests"), time.Minute},
		"403 that names no time": {refusal(403, "You have exceeded a secondary rate limit. Please wait."), time.Minute},
		"a reset of requests left": {refusal(403, "secondary rate limit", "X-RateLimit-Remaining", "4000",
			"X-RateLimit-Reset", at(noon.Add(40*time.Minute))), time.Minute},
		"the old words of a limit": {refusal(403, "You have triggered an abuse detection mechanism."), time.Minute},
		"a reset of unknown number": {refusal(429, "", "X-RateLimit-Reset", at(noon.Add(2*time.Minute))), 2*time.Minute +
			time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newFakeAPI(t)
			d.on(getPull, c.refusal)
			_, err := d.client(t).PullRequest(context.Background(), joint, 17)
			var later timed
			require.ErrorAs(t, err, &later)
			require.Equal(t, c.after, later.RetryAfter())
			require.NotErrorIs(t, err, port.ErrDenied)
			require.EqualError(t, err, "asking for pull request octo-org/hello-joint#17: GitHub's rate limit is reached; the "+
				"next request may go out in "+c.after.String())
			require.Empty(t, d.slept)
			d.noSecrets(t, err)
		})
	}
}

func TestRefusalsThatNameNoTimeMakeTheWaitGrow(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	c := d.client(t)
	d.on(getPull, refusal(429, ""))
	for _, minutes := range []int{1, 2, 4, 8, 16, 32, 60, 60} {
		_, err := c.PullRequest(context.Background(), joint, 17)
		var later timed
		require.ErrorAs(t, err, &later)
		require.Equal(t, time.Duration(minutes)*time.Minute, later.RetryAfter())
		d.advance(later.RetryAfter())
	}
	d.on(getPull, ok(`{"number":17}`), refusal(429, ""))
	_, err := c.PullRequest(context.Background(), joint, 17)
	require.NoError(t, err)
	_, err = c.PullRequest(context.Background(), joint, 17)
	var later timed
	require.ErrorAs(t, err, &later)
	require.Equal(t, time.Minute, later.RetryAfter(), "a request that passed begins again")
}

func TestNothingGoesOutWhileOneInstallationHasToWait(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	c := d.client(t)
	d.on(getPull, refusal(429, "", "Retry-After", "60"))
	d.on("GET /repos/else-org/other/pulls/1", ok(`{"number":1}`))
	_, err := c.PullRequest(context.Background(), joint, 17)
	require.Error(t, err)
	d.advance(10 * time.Second)
	_, err = c.ChangedFiles(context.Background(), joint, 17)
	var later timed
	require.ErrorAs(t, err, &later)
	require.Equal(t, 50*time.Second, later.RetryAfter())
	require.Empty(t, d.calls(getPull+"/files"))
	_, err = c.PullRequest(context.Background(), other, 1)
	require.NoError(t, err, "another installation has limits of its own")
}

func TestTheLastRequestOfTheHourIsTheLast(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	c := d.client(t)
	d.on(getPull, response{200,
		http.Header{"X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Reset": {at(d.Now().Add(time.Minute))}}, `{"number":17}`})
	_, err := c.PullRequest(context.Background(), joint, 17)
	require.NoError(t, err)
	_, err = c.PullRequest(context.Background(), joint, 17)
	var later timed
	require.ErrorAs(t, err, &later)
	require.Len(t, d.calls(getPull), 1)
}

func TestARequestIsNotSentForEver(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(getPull, refusal(429, "", "Retry-After", "1"))
	_, err := d.client(t).PullRequest(context.Background(), joint, 17)
	var later timed
	require.ErrorAs(t, err, &later)
	require.Len(t, d.calls(getPull), 4)

	d = newFakeAPI(t)
	d.on(getPull, refusal(429, "", "Retry-After", "6"))
	_, err = d.client(t).PullRequest(context.Background(), joint, 17)
	require.ErrorAs(t, err, &later)
	require.Len(t, d.calls(getPull), 2, "two waits of six seconds are more than a request has")
}

func TestTheEndOfTheContextEndsAWait(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(getPull, refusal(429, "", "Retry-After", "9"))
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := d.client(t, func(o *gh.Options) {
			o.Transport = inMemory{d}
			o.Sleep = nil // the real one
		})
		begun := time.Now()
		time.AfterFunc(time.Second, cancel)
		_, err := c.PullRequest(ctx, joint, 17)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, time.Second, time.Since(begun))
	})
}

func TestALackOfRightsIsNoLimit(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(comment, refusal(403, "Resource not accessible by integration", "X-RateLimit-Remaining", "4999",
		"X-RateLimit-Reset", at(d.Now())))
	_, err := d.client(t).Post(context.Background(), joint, conversation(17), "x")
	require.ErrorIs(t, err, port.ErrDenied)
	require.EqualError(t, err,
		"commenting on octo-org/hello-joint#17: GitHub answered 403: Resource not accessible by integration")
	var p permanent
	require.ErrorAs(t, err, &p)
	require.True(t, p.Permanent())
	require.Len(t, d.calls(comment), 1)
}

func TestAReadIsTriedAgainWhenTheServerBreaks(t *testing.T) {
	t.Parallel()
	for name, broken := range map[string]response{"502": {status: 502, body: "<html>"}, "503": refusal(503, "no server"),
		"connection": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newFakeAPI(t)
			d.on(getPull, broken, broken, ok(`{"number":17}`))
			// Without connections kept alive, net/http does not try again by itself.
			c := d.client(t, func(o *gh.Options) { o.Transport = &http.Transport{DisableKeepAlives: true} })
			pr, err := c.PullRequest(context.Background(), joint, 17)
			require.NoError(t, err)
			require.Equal(t, 17, pr.Number)
			require.Len(t, d.slept, 2)
			require.InDelta(t, 300*time.Millisecond, d.slept[0], float64(75*time.Millisecond))
			require.InDelta(t, 1500*time.Millisecond, d.slept[1], float64(375*time.Millisecond))
		})
	}
	d := newFakeAPI(t)
	d.on(getPull, refusal(500, "oops"))
	_, err := d.client(t).PullRequest(context.Background(), joint, 17)
	require.ErrorContains(t, err, "GitHub answered 500: oops")
	var wait *port.WaitError
	require.ErrorAs(t, err, &wait)
	require.Equal(t, port.GitHubOutage, wait.For)
	require.Zero(t, wait.After)
	require.Len(t, d.calls(getPull), 4)
}

func TestAWriteThatMayHaveHadAnEffectIsNotSentAgain(t *testing.T) {
	t.Parallel()
	for name, broken := range map[string]response{"502": {status: 502}, "connection": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newFakeAPI(t)
			d.on(comment, broken)
			_, err := d.client(t).Post(context.Background(), joint, conversation(17), "x")
			require.Error(t, err)
			require.Len(t, d.calls(comment), 1)
			d.noSecrets(t, err)
		})
	}
}

func TestAnAnswerWithoutEndIsCutOff(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	c := d.client(t)
	c.LimitResponses(1 << 20)
	d.on(getPull, ok(`{"title":"`+strings.Repeat("a", 1<<20)))
	_, err := c.PullRequest(context.Background(), joint, 17)
	require.ErrorContains(t, err, "GitHub's answer is larger than 1048576 bytes")
}

func TestAnAnswerThatIsNoAPI(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(getPull, ok("<html>sign in</html>"))
	_, err := d.client(t).PullRequest(context.Background(), joint, 17)
	require.ErrorContains(t, err, "is this the address of GitHub's API?")
}

package gh_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v4"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// offClock is the clock of a machine, which is ahead of GitHub's.
type offClock struct {
	github *clock
	ahead  time.Duration
}

func (c *offClock) Now() time.Time { return c.github.Now().Add(c.ahead) }

// onMachine returns a client of the world on a machine with such a clock.
func (w *world) onMachine(t *testing.T, ahead time.Duration) (*gh.Client, *offClock) {
	t.Helper()
	machine := &offClock{w.clock, ahead}
	c, err := gh.New(gh.Options{AppID: w.AppID(), PrivateKey: w.PrivateKeyPEM(), APIURL: w.APIURL(), Now: machine.Now,
		Sleep: w.clock.Sleep})
	require.NoError(t, err)
	return c, machine
}

// asApp are the answers to the requests of the App for a token since the last call.
func (w *world) asApp() (statuses []int) {
	for _, r := range w.Requests() {
		if strings.HasSuffix(r.Path, "/access_tokens") {
			statuses = append(statuses, r.Status)
		}
	}
	w.ForgetRequests()
	return statuses
}

func TestAWrongClockIsCorrectedByTheDateOfTheRefusal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for ahead, refused := range map[time.Duration]bool{
		0: false, 50 * time.Second: false, -4 * time.Minute: false,
		2 * time.Minute: true, time.Hour: true, 400 * 24 * time.Hour: true,
		-7 * time.Minute: true, -time.Hour: true, -400 * 24 * time.Hour: true,
	} {
		c, _ := w.onMachine(t, ahead)
		for range 3 {
			_, err := c.PullRequest(context.Background(), w.repo, w.pull)
			require.NoError(t, err, ahead)
		}
		require.Nil(t, c.Refused())
		if !refused {
			require.Equal(t, []int{201}, w.asApp(), ahead)
			require.Zero(t, c.ClockAhead())
			continue
		}
		require.Equal(t, []int{401, 201}, w.asApp(), "%s: the token is used for its hour by GitHub's clock", ahead)
		require.InDelta(t, ahead.Seconds(), c.ClockAhead().Seconds(), 1)
		_, err := c.Token(context.Background(), w.repo, true)
		require.NoError(t, err)
		require.NoError(t, c.Identify(context.Background()))
		require.Equal(t, []int{201}, w.asApp(), "%s: the next one is signed right", ahead)
	}
}

func TestTheCorrectionFollowsTheClock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, machine := w.onMachine(t, time.Hour)
	for _, s := range []struct {
		ahead time.Duration
		want  []int
	}{
		{time.Hour, []int{401, 201}}, {time.Hour, []int{201}}, {0, []int{401, 201}}, {0, []int{201}},
		{-time.Hour, []int{401, 201}}, {2 * time.Hour, []int{401, 201}}, {2 * time.Hour, []int{201}},
	} {
		machine.ahead = s.ahead
		w.clock.advance(2 * time.Hour) // no token lives so long
		_, err := c.Token(context.Background(), w.repo, false)
		require.NoError(t, err)
		require.Equal(t, s.want, w.asApp(), s.ahead)
		require.InDelta(t, s.ahead.Seconds(), c.ClockAhead().Seconds(), 1)
	}
}

// The end of a rate limit is told by GitHub's clock.
func TestALimitEndsByGitHubsClock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, _ := w.onMachine(t, -time.Hour)
	_, err := c.PullRequest(context.Background(), w.repo, w.pull)
	require.NoError(t, err)
	isPull := func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/pulls/1") }
	w.FailNext(isPull, 1, simhttp.PrimaryLimit(http.StatusForbidden, w.clock.Now().Add(10*time.Minute)))
	_, err = c.PullRequest(context.Background(), w.repo, w.pull)
	var wait *port.WaitError
	require.ErrorAs(t, err, &wait)
	require.InDelta(t, 10*time.Minute, wait.After, float64(3*time.Second))
}

// What is refused because of the time is sent again as it was.
func TestARequestThatIsSignedAgainIsTheSame(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	late := d.Now().Add(time.Hour)
	d.on(mintPath, refusal(401, "'Expiration time' claim ('exp') must be a numeric value representing the future time "+
		"at which the assertion expires", "Date", late.Format("Mon, 02 Jan 2006 15:04:05 GMT")),
		response{status: 201, body: `{"token":"ghs_secret1","expires_at":"2026-11-20T14:00:00Z"}`})
	c := d.client(t)
	_, err := c.Token(context.Background(), joint, false)
	require.NoError(t, err)
	sent := d.calls(mintPath)
	require.Len(t, sent, 2)
	require.Equal(t, sent[0].body, sent[1].body)
	require.WithinDuration(t, late.Add(-time.Minute), issued(t, sent[1]), 2*time.Second)
	require.Equal(t, 1, strings.Count(d.log.String(), "this machine's clock is wrong"))
	require.Contains(t, d.log.String(), "1h0m1s behind GitHub's")
	d.noSecrets(t, nil)
}

// issued returns when the token of a request says that it was issued.
func issued(t *testing.T, r request) time.Time {
	t.Helper()
	claims := jwt.RegisteredClaims{}
	_, _, err := jwt.NewParser().ParseUnverified(strings.TrimPrefix(r.auth, "Bearer "), &claims)
	require.NoError(t, err)
	return claims.IssuedAt.Time
}

// A response that says the wrong time, such as one of a proxy, changes nothing for long: what does not help is undone.
func TestADateThatIsWrongIsNotBelieved(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	c := d.client(t)
	d.on(mintPath, refusal(401, "A JSON web token could not be decoded", "Date", "Thu, 19 Nov 2026 12:00:00 GMT"))
	_, err := c.Token(context.Background(), joint, false)
	require.ErrorContains(t, err, "do not belong together")
	sent := d.calls(mintPath)
	require.Len(t, sent, 2, "once more")
	require.Zero(t, c.ClockAhead())
	d.advance(time.Minute)
	d.on(mintPath, response{status: 201, body: `{"token":"ghs_secret1","expires_at":"2026-11-20T13:00:00Z"}`})
	_, err = c.Token(context.Background(), joint, false)
	require.NoError(t, err)
	sent = d.calls(mintPath)
	require.Len(t, sent, 3)
	require.WithinDuration(t, d.Now().Add(-time.Minute), issued(t, sent[2]), time.Second)
	require.NotContains(t, d.log.String(), "clock is wrong")
}

func TestARefusalThatTheTimeDoesNotExplainIsNotRepeated(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]response{
		"the right time": refusal(401, "A JSON web token could not be decoded"),
		"almost":         refusal(401, "Bad credentials", "Date", "Fri, 20 Nov 2026 12:00:29 GMT"),
		"no time":        refusal(401, "'Issued at' claim ('iat') must be an Integer", "Date", "soon"),
		"another status": refusal(404, "Integration not found", "Date", "Fri, 20 Nov 2026 13:00:00 GMT"),
	} {
		d := newFakeAPI(t)
		d.on(mintPath, answer)
		c := d.client(t)
		_, err := c.Token(context.Background(), joint, false)
		var wait *port.WaitError
		require.ErrorAs(t, err, &wait, name)
		require.Equal(t, port.AppRefused, wait.For)
		require.Len(t, d.calls(mintPath), 1, name)
		require.Zero(t, c.ClockAhead())
	}
}

// A key that is none, on a machine with a wrong clock: both are found.
func TestAWrongKeyAndAWrongClock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, err := gh.New(gh.Options{AppID: simhttp.AnotherAppID, PrivateKey: w.PrivateKeyPEM(), APIURL: w.APIURL(),
		Now: (&offClock{w.clock, time.Hour}).Now})
	require.NoError(t, err)
	_, err = c.Token(context.Background(), w.repo, false)
	require.ErrorContains(t, err, "do not belong together")
	require.InDelta(t, time.Hour.Seconds(), c.Refused().Ahead.Seconds(), 2)
}

package redeliver_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/redeliver"
	"github.com/tenon-bot/tenon/internal/store"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// hooks is a GitHub with a list of attempts, newest first.
type hooks struct {
	attempts []port.Attempt
	perPage  int
	pages    int // that were read
	asked    []int64
	err      map[int64]error // of asking for an attempt
}

func (h *hooks) Attempts(_ context.Context, cursor string) ([]port.Attempt, string, error) {
	h.pages++
	at := 0
	if cursor != "" {
		if _, err := fmt.Sscan(cursor, &at); err != nil {
			return nil, "", err
		}
	}
	end := min(at+h.perPage, len(h.attempts))
	next := ""
	if end < len(h.attempts) {
		next = fmt.Sprint(end)
	}
	return h.attempts[at:end], next, nil
}

func (h *hooks) Redeliver(_ context.Context, id int64) error {
	if err := h.err[id]; err != nil {
		return err
	}
	h.asked = append(h.asked, id)
	return nil
}

// scene is a sweeper between a list of attempts and a store.
type scene struct {
	*redeliver.Sweeper
	t      *testing.T
	github *hooks
	store  *store.Store
	now    time.Time
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{t: t, now: noon, github: &hooks{perPage: 3, err: map[int64]error{}}}
	var err error
	s.store, err = store.Open(t.Context(), store.Options{Dir: t.TempDir(), Now: func() time.Time { return s.now }})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.store.Close()) })
	s.Sweeper = &redeliver.Sweeper{
		GitHub: s.github, Queue: s.store, Log: slog.New(slog.DiscardHandler),
		Needs:   func(event, action string) bool { return event == "issue_comment" && action == "created" },
		Reports: func(event, action string) bool { return event == "status" && action == "" },
		Sleep:   func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
	return s
}

// tried adds an attempt of a comment, newer than the others, and returns its id.
func (s *scene) tried(delivery string, status int) int64 {
	id := int64(len(s.github.attempts) + 1)
	s.github.attempts = slices.Insert(s.github.attempts, 0, port.Attempt{ID: id, Delivery: delivery, Status: status,
		Event: "issue_comment", Action: "created", At: s.now})
	return id
}

// asked sweeps and returns the attempts that were asked for.
func (s *scene) asked(atOnce bool) []int64 {
	s.t.Helper()
	s.github.asked, s.github.pages = nil, 0
	begun, err := s.Sweep(s.t.Context(), atOnce)
	require.NoError(s.t, err)
	require.True(s.t, begun)
	return s.github.asked
}

func TestWhatNeverArrivedIsAskedForInItsOrder(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	require.NoError(t, s.store.Submit(t.Context(), port.Event{Delivery: "accepted", Repo: port.RepoRef{Installation: 1}}))
	first := s.tried("lost", 0)
	s.tried("accepted", http.StatusGatewayTimeout) // the response came too late
	s.tried("arrived later", http.StatusServiceUnavailable)
	s.tried("twice", 0)
	s.tried("refused", http.StatusBadRequest)
	s.tried("arrived", http.StatusNoContent)
	second := s.tried("secret was wrong", http.StatusUnauthorized)
	third := s.tried("twice", http.StatusBadGateway)
	s.tried("arrived later", http.StatusAccepted)
	s.github.attempts = append(s.github.attempts, port.Attempt{ID: 99, Delivery: "star", Event: "star", Action: "created"},
		port.Attempt{ID: 98, Delivery: "edited", Event: "issue_comment", Action: "edited"})
	require.Equal(t, []int64{first, second, third}, s.asked(true))
}

func TestWhatIsUnderWayIsNotAskedForAgain(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	lost := s.tried("lost", 0)
	require.Equal(t, []int64{lost}, s.asked(true))
	s.now = s.now.Add(29 * time.Minute)
	require.Empty(t, s.asked(true), "the attempt may be under way")
	s.now = s.now.Add(time.Minute)
	require.Equal(t, []int64{lost}, s.asked(true), "it never began")
	s.now = s.now.Add(time.Hour)
	again := s.tried("lost", 0)
	require.Equal(t, []int64{again}, s.asked(true), "the newest attempt is repeated")
}

func TestWhatFailsForThreeDaysIsGivenUp(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, later := range []time.Duration{0, time.Hour, 70 * time.Hour} {
		s.now = s.now.Add(later)
		again := s.tried("lost", 0)
		require.Equal(t, []int64{again}, s.asked(false), "after %s", s.now.Sub(noon))
	}
	s.now = s.now.Add(time.Hour)
	s.tried("lost", 0)
	require.Empty(t, s.asked(false))
	require.Empty(t, s.asked(true), "nor by another process")
}

// A later sweep reads no more than what may have changed, and the first one after a start everything.
func TestASweepGoesOnWhereTheLastOneEnded(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.github.perPage = 1
	old := s.tried("old", 0)
	for range 20 {
		s.now = s.now.Add(time.Hour)
		s.tried(fmt.Sprint("arrived ", s.now), http.StatusAccepted)
	}
	require.Equal(t, []int64{old}, s.asked(false), "the first sees all")
	require.Equal(t, 21, s.github.pages)
	s.now = s.now.Add(time.Hour)
	lost := s.tried("lost", 0)
	require.Equal(t, []int64{lost}, s.asked(false))
	require.LessOrEqual(t, s.github.pages, 5)
	require.Equal(t, []int64{old}, s.asked(true), "a start sees all")
}

func TestWhatGitHubHasNotAnyMoreStopsNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	gone, lost := s.tried("gone", 0), s.tried("lost", 0)
	s.github.err[gone] = fmt.Errorf("GitHub answered 404: %w", port.ErrNotFound)
	require.Equal(t, []int64{lost}, s.asked(true))
	s.now = s.now.Add(redeliver.Every)
	s.tried("gone", http.StatusAccepted)
	require.Equal(t, []int64{lost}, s.asked(false), "the sweep before was whole")
}

// A sweep that GitHub broke off is repeated, from where the last whole one was.
func TestASweepThatFailedIsRepeatedSoon(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first, second := s.tried("first", 0), s.tried("second", 0)
	s.github.err[second] = &port.WaitError{For: port.GitHubLimit, After: 20 * time.Minute, Err: fmt.Errorf("limit")}
	begun, err := s.Sweep(t.Context(), true)
	require.True(t, begun)
	require.ErrorContains(t, err, "limit")
	require.Equal(t, []int64{first}, s.github.asked)
	delete(s.github.err, second)
	s.now = s.now.Add(19 * time.Minute)
	begun, err = s.Sweep(t.Context(), false)
	require.NoError(t, err)
	require.False(t, begun, "GitHub asked to wait")
	s.now = s.now.Add(time.Minute)
	require.Equal(t, []int64{second}, s.asked(false))
}

// quick is a queue in memory that has nothing.
type quick struct {
	asked map[string]bool
	seen  time.Time
}

func (q *quick) BeginSweep(context.Context, bool) (port.Sweep, bool, error) {
	return port.Sweep{Seen: q.seen}, true, nil
}

func (q *quick) Missing(_ context.Context, _ port.Sweep, deliveries []string) ([]port.Missing, error) {
	var missing []port.Missing
	for _, d := range deliveries {
		missing = append(missing, port.Missing{Delivery: d, Asked: q.asked[d]})
	}
	return missing, nil
}

func (q *quick) RecordAsked(_ context.Context, _ port.Sweep, delivery string) error {
	q.asked[delivery] = true
	return nil
}

func (q *quick) Missed(context.Context, int64) error { return nil }

func (q *quick) EndSweep(_ context.Context, _ port.Sweep, seen time.Time, _ time.Duration) error {
	q.seen = seen
	return nil
}

func TestASweepIsBounded(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	queue := &quick{asked: map[string]bool{}}
	s.Queue = queue
	s.github.perPage = 100
	s.github.attempts = make([]port.Attempt, 100_100)
	for i := range s.github.attempts {
		s.github.attempts[i] = port.Attempt{ID: int64(i), Delivery: fmt.Sprint(i), Event: "issue_comment", Action: "created",
			At: noon, Status: http.StatusAccepted}
		if i < 1200 {
			s.github.attempts[i].Status = 0
		}
	}
	require.Len(t, s.asked(true), 1000)
	require.Equal(t, 1000, s.github.pages)
	require.Zero(t, queue.seen, "the next one must find the others")
	require.Len(t, s.asked(false), 200)
	require.Equal(t, noon, queue.seen)
}

func TestOneProcessSweepsAtATime(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.tried("lost", 0)
	_, ok, err := s.store.BeginSweep(t.Context(), true)
	require.NoError(t, err)
	require.True(t, ok)
	begun, err := s.Sweep(t.Context(), true)
	require.NoError(t, err)
	require.False(t, begun)
	require.Zero(t, s.github.pages)
}

func TestRunSweepsAtOnceAndEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	lost := s.tried("lost", 0)
	require.Equal(t, []int64{lost}, s.asked(true))
	ctx, cancel := context.WithCancel(t.Context())
	naps := 0
	s.Sleep = func(context.Context, time.Duration) error {
		if naps++; naps == 90 {
			cancel()
		}
		s.now = s.now.Add(time.Minute)
		return ctx.Err()
	}
	s.github.asked = nil
	s.now = s.now.Add(35 * time.Minute)
	s.Run(ctx)
	require.Equal(t, []int64{lost, lost}, s.github.asked, "at once, although none was due, and after an hour")
}

// There may be far more of these than of commands, and most are about commits that nobody follows.
func TestReportsOfCIThatNeverArrivedAreNotAskedForButLookedFor(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	follow := func(delivery string, repository int64) {
		require.NoError(t, s.store.Follow(t.Context(), port.Event{Delivery: delivery, Kind: port.Following,
			Repo: port.RepoRef{Installation: 1, ID: repository}, Followed: &port.Followed{Commit: "c0ffee"}}))
	}
	follow("reported", 7)
	follow("not-reported", 8)
	status := func(repository int64, status int) {
		s.github.attempts = slices.Insert(s.github.attempts, 0, port.Attempt{ID: 1000, Delivery: fmt.Sprint(repository),
			Event: "status", Repository: repository, At: s.now, Status: status})
	}
	status(7, http.StatusBadGateway)
	status(8, http.StatusNoContent)
	require.Empty(t, s.asked(true))
	s.now = s.now.Add(2 * time.Second)
	c, ok, err := s.store.ClaimFollowing(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "reported", c.Event.Delivery)
	_, ok, err = s.store.ClaimFollowing(t.Context())
	require.NoError(t, err)
	require.False(t, ok)
}

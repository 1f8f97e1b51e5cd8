package redeliver_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/redeliver"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/storetest"
)

// hooks is a GitHub with a list of attempts, newest first.
type hooks struct {
	// lag is how long it takes to list an attempt.
	lag time.Duration
	// redelivered is told of the attempts that are asked for, if it is not nil.
	redelivered func(port.Attempt)
	perPage     int

	mu       sync.Mutex // guards the others
	attempts []port.Attempt
	pages    int // that were read
	asked    []int64
	err      map[int64]error // of asking for an attempt
}

func (h *hooks) Attempts(_ context.Context, cursor string) ([]port.Attempt, string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pages++
	at := 0
	if cursor != "" {
		if _, err := fmt.Sscan(cursor, &at); err != nil {
			return nil, "", err
		}
	}
	listed := h.attempts
	for len(listed) > 0 && time.Since(listed[0].At) < h.lag {
		listed = listed[1:]
	}
	end := min(at+h.perPage, len(listed))
	next := ""
	if end < len(listed) {
		next = fmt.Sprint(end)
	}
	return slices.Clone(listed[at:end]), next, nil
}

func (h *hooks) Redeliver(_ context.Context, id int64) error {
	attempt, err := h.redeliver(id)
	if h.redelivered != nil && err == nil {
		h.redelivered(attempt)
	}
	return err
}

func (h *hooks) redeliver(id int64) (attempt port.Attempt, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.err[id]; err != nil {
		return attempt, err
	}
	h.asked = append(h.asked, id)
	i := slices.IndexFunc(h.attempts, func(a port.Attempt) bool { return a.ID == id })
	return h.attempts[i], nil
}

// seen returns the number of pages that were read, and the attempts that were asked for.
func (h *hooks) seen() (pages int, asked []int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.pages, slices.Clone(h.asked)
}

// pagesRead returns the number of pages that were read.
func (h *hooks) pagesRead() int {
	pages, _ := h.seen()
	return pages
}

// fail has requests for an attempt fail, or succeed again with a nil err.
func (h *hooks) fail(id int64, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.err[id] = err
}

// askedFor returns the attempts that were asked for.
func (h *hooks) askedFor() []int64 {
	_, asked := h.seen()
	return asked
}

// scene is a sweeper between a list of attempts and a store.
type scene struct {
	*redeliver.Sweeper
	t      *testing.T
	github *hooks
	store  *store.Store
	// refused is told of refusals.
	refused chan struct{}
	// accepted are the deliveries that accept accepted.
	accepted []string
}

// play plays a test in a bubble whose time is fake.
func play(t *testing.T, test func(*testing.T, *scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, newScene(t)) })
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{t: t, github: &hooks{perPage: 3, err: map[int64]error{}}, refused: make(chan struct{}, 1)}
	var err error
	s.store, err = store.Open(t.Context(), store.Options{Dir: storetest.Folder(t)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.store.Close()) })
	s.Sweeper = &redeliver.Sweeper{
		GitHub: s.github, Queue: s.store, Log: slog.New(slog.DiscardHandler),
		Needs:   func(event, action string) bool { return event == "issue_comment" && action == "created" },
		Reports: func(event, action string) bool { return event == "status" && action == "" },
		Refused: s.refused,
	}
	return s
}

// tried adds an attempt of a comment, newer than the others, and returns its id.
func (s *scene) tried(delivery string, status int) int64 {
	s.github.mu.Lock()
	defer s.github.mu.Unlock()
	id := int64(len(s.github.attempts) + 1)
	s.github.attempts = slices.Insert(s.github.attempts, 0, port.Attempt{ID: id, Delivery: delivery, Status: status,
		Event: "issue_comment", Action: "created", At: time.Now()})
	return id
}

// asked sweeps and returns the attempts that were asked for.
func (s *scene) asked(reason redeliver.Reason) []int64 {
	s.t.Helper()
	s.github.asked, s.github.pages = nil, 0
	begun, _, err := s.Sweep(s.t.Context(), reason)
	require.NoError(s.t, err)
	require.True(s.t, begun)
	return s.github.asked
}

func TestWhatNeverArrivedIsAskedForInItsOrder(t *testing.T) {
	t.Parallel()
	play(t, func(t *testing.T, s *scene) {
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
		s.github.attempts = append(s.github.attempts,
			port.Attempt{ID: 99, Delivery: "star", Event: "star", Action: "created"},
			port.Attempt{ID: 98, Delivery: "edited", Event: "issue_comment", Action: "edited"})
		require.Equal(t, []int64{first, second, third}, s.asked(redeliver.Started))
	})
}

func TestWhatIsUnderWayIsNotAskedForAgain(t *testing.T) {
	t.Parallel()
	play(t, func(t *testing.T, s *scene) {
		lost := s.tried("lost", 0)
		require.Equal(t, []int64{lost}, s.asked(redeliver.Started))
		for _, gap := range []int{1, 2, 4, 8, 16, 30, 30} {
			time.Sleep(time.Duration(gap)*time.Minute - time.Second)
			require.Empty(t, s.asked(redeliver.Started), "the attempt may be under way")
			time.Sleep(time.Second)
			require.Equal(t, []int64{lost}, s.asked(redeliver.Started), "it never began")
		}
		time.Sleep(time.Hour)
		again := s.tried("lost", 0)
		require.Equal(t, []int64{again}, s.asked(redeliver.Started), "the newest attempt is repeated")
	})
}

func TestWhatFailsForThreeDaysIsGivenUp(t *testing.T) {
	t.Parallel()
	play(t, func(t *testing.T, s *scene) {
		for _, later := range []time.Duration{0, time.Hour, 70 * time.Hour} {
			time.Sleep(later)
			again := s.tried("lost", 0)
			require.Equal(t, []int64{again}, s.asked(redeliver.Due), "after %s more", later)
		}
		time.Sleep(time.Hour)
		s.tried("lost", 0)
		require.Empty(t, s.asked(redeliver.Due))
		require.Empty(t, s.asked(redeliver.Started), "nor by another process")
	})
}

// A later sweep reads no more than what may have changed, and the first one after a start everything.
func TestASweepGoesOnWhereTheLastOneEnded(t *testing.T) {
	t.Parallel()
	play(t, func(t *testing.T, s *scene) {
		s.github.perPage = 1
		old := s.tried("old", 0)
		for range 20 {
			time.Sleep(time.Hour)
			s.tried(fmt.Sprint("arrived ", time.Now()), http.StatusAccepted)
		}
		require.Equal(t, []int64{old}, s.asked(redeliver.Due), "the first sees all")
		require.Equal(t, 21, s.github.pages)
		time.Sleep(time.Hour)
		lost := s.tried("lost", 0)
		require.Equal(t, []int64{lost}, s.asked(redeliver.Due))
		require.LessOrEqual(t, s.github.pages, 5)
		require.Equal(t, []int64{old}, s.asked(redeliver.Started), "a start sees all")
	})
}

func TestWhatGitHubHasNotAnyMoreStopsNothing(t *testing.T) {
	t.Parallel()
	play(t, func(t *testing.T, s *scene) {
		gone, lost := s.tried("gone", 0), s.tried("lost", 0)
		s.github.err[gone] = fmt.Errorf("GitHub answered 404: %w", port.ErrNotFound)
		require.Equal(t, []int64{lost}, s.asked(redeliver.Started))
		time.Sleep(redeliver.Every)
		s.tried("gone", http.StatusAccepted)
		require.Equal(t, []int64{lost}, s.asked(redeliver.Due), "the sweep before was whole")
	})
}

// A sweep that GitHub broke off is repeated, from where the last whole one was.
func TestASweepThatFailedIsRepeatedSoon(t *testing.T) {
	t.Parallel()
	play(t, func(t *testing.T, s *scene) {
		first, second := s.tried("first", 0), s.tried("second", 0)
		s.github.err[second] = &port.WaitError{For: port.GitHubLimit, After: 20 * time.Minute, Err: fmt.Errorf("limit")}
		begun, _, err := s.Sweep(t.Context(), redeliver.Started)
		require.True(t, begun)
		require.ErrorContains(t, err, "limit")
		require.Equal(t, []int64{first}, s.github.asked)
		s.accept(s.github.attempts[1])
		delete(s.github.err, second)
		time.Sleep(19 * time.Minute)
		begun, _, err = s.Sweep(t.Context(), redeliver.Due)
		require.NoError(t, err)
		require.False(t, begun, "GitHub asked to wait")
		time.Sleep(time.Minute)
		require.Equal(t, []int64{second}, s.asked(redeliver.Due))
	})
}

// quick is a queue in memory that has nothing.
type quick struct {
	asked map[string]times
	seen  time.Time
	due   time.Time
}

// times are when a delivery was asked for.
type times struct{ first, last time.Time }

func (q *quick) BeginSweep(_ context.Context, atOnce bool) (port.Sweep, bool, error) {
	return port.Sweep{Seen: q.seen}, atOnce || !time.Now().Before(q.due), nil
}

func (q *quick) Missing(_ context.Context, _ port.Sweep, deliveries []string) ([]port.Missing, error) {
	var missing []port.Missing
	for _, d := range deliveries {
		m := port.Missing{Delivery: d}
		if at, ok := q.asked[d]; ok {
			m.Asked, m.First, m.Last = true, time.Since(at.first), time.Since(at.last)
		}
		missing = append(missing, m)
	}
	return missing, nil
}

func (q *quick) RecordAsked(_ context.Context, _ port.Sweep, delivery string) error {
	at := times{first: time.Now(), last: time.Now()}
	if before, ok := q.asked[delivery]; ok {
		at.first = before.first
	}
	q.asked[delivery] = at
	return nil
}

func (q *quick) Missed(context.Context, int64) error { return nil }

func (q *quick) EndSweep(_ context.Context, _ port.Sweep, seen time.Time, next time.Duration) error {
	q.seen, q.due = seen, time.Now().Add(next)
	return nil
}

func TestASweepIsBounded(t *testing.T) {
	t.Parallel()
	play(t, func(t *testing.T, s *scene) {
		queue := &quick{asked: map[string]times{}}
		s.Queue = queue
		s.github.perPage = 100
		newest := time.Now()
		s.github.attempts = make([]port.Attempt, 100_100)
		for i := range s.github.attempts {
			s.github.attempts[i] = port.Attempt{ID: int64(i), Delivery: fmt.Sprint(i), Event: "issue_comment", Action: "created",
				At: newest, Status: http.StatusAccepted}
			if i < 1200 {
				s.github.attempts[i].Status = 0
			}
		}
		s.github.redelivered = func(a port.Attempt) { s.github.attempts[a.ID].Status = http.StatusAccepted }
		require.Len(t, s.asked(redeliver.Started), 1000)
		require.Equal(t, 1000, s.github.pages)
		require.Zero(t, queue.seen, "the next one must find the others")
		time.Sleep(time.Until(queue.due))
		require.Len(t, s.asked(redeliver.Due), 200)
		require.Equal(t, newest, queue.seen)
	})
}

// Deliveries that keep failing keep no others out.
func TestWhatWasNeverAskedForComesFirst(t *testing.T) {
	t.Parallel()
	play(t, func(t *testing.T, s *scene) {
		queue := &quick{asked: map[string]times{}}
		s.Queue, s.github.perPage = queue, 100
		var all []int64
		for i := range 1500 {
			all = append(all, s.tried(fmt.Sprint(i), 0))
		}
		require.Equal(t, all[:1000], s.asked(redeliver.Started))
		time.Sleep(time.Until(queue.due))
		require.Equal(t, append(all[1000:], all[:500]...), s.asked(redeliver.Due))
	})
}

func TestOneProcessSweepsAtATime(t *testing.T) {
	t.Parallel()
	play(t, func(t *testing.T, s *scene) {
		s.tried("lost", 0)
		_, ok, err := s.store.BeginSweep(t.Context(), true)
		require.NoError(t, err)
		require.True(t, ok)
		begun, _, err := s.Sweep(t.Context(), redeliver.Started)
		require.NoError(t, err)
		require.False(t, begun)
		require.Zero(t, s.github.pages)
	})
}

// There may be far more of these than of commands, and most are about commits that nobody follows.
func TestReportsOfCIThatNeverArrivedAreNotAskedForButLookedFor(t *testing.T) {
	t.Parallel()
	play(t, func(t *testing.T, s *scene) {
		follow := func(delivery string, repository int64) {
			require.NoError(t, s.store.Follow(t.Context(), port.Event{Delivery: delivery, Kind: port.Following,
				Repo: port.RepoRef{Installation: 1, ID: repository}, Followed: &port.Followed{Commit: "c0ffee"}}))
		}
		follow("reported", 7)
		follow("not-reported", 8)
		status := func(repository int64, status int) {
			s.github.attempts = slices.Insert(s.github.attempts, 0, port.Attempt{ID: 1000, Delivery: fmt.Sprint(repository),
				Event: "status", Repository: repository, At: time.Now(), Status: status})
		}
		status(7, http.StatusBadGateway)
		status(8, http.StatusNoContent)
		require.Empty(t, s.asked(redeliver.Started))
		time.Sleep(2 * time.Second)
		c, ok, err := s.store.ClaimFollowing(t.Context())
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, "reported", c.Event.Delivery)
		_, ok, err = s.store.ClaimFollowing(t.Context())
		require.NoError(t, err)
		require.False(t, ok)
	})
}

package redeliver_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/redeliver"
)

// run runs a sweeper until the test ends, or until stop is called. What runs in a bubble runs while the test sleeps.
func (s *scene) run(sweeper *redeliver.Sweeper) (stop func()) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		sweeper.Run(ctx)
	}()
	stop = func() {
		cancel()
		<-ended
	}
	s.t.Cleanup(stop)
	synctest.Wait()
	return stop
}

// accept has what is asked for accepted.
func (s *scene) accept(a port.Attempt) {
	ev := port.Event{Delivery: a.Delivery, Repo: port.RepoRef{Installation: 1}}
	require.NoError(s.t, s.store.Submit(s.t.Context(), ev))
	s.tried(a.Delivery, http.StatusAccepted)
	s.accepted = append(s.accepted, a.Delivery)
}

// refuse has the server refuse a delivery with 503.
func (s *scene) refuse(delivery string) {
	s.tried(delivery, http.StatusServiceUnavailable)
	select {
	case s.refused <- struct{}{}:
	default:
	}
}

// sleep lets the sweepers work for a while.
func (s *scene) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// away is a queue that can accept nothing for a while.
type away struct {
	redeliver.Queue
	until atomic.Int64 // in nanoseconds since 1970
}

func (a *away) BeginSweep(ctx context.Context, atOnce bool) (port.Sweep, bool, error) {
	if time.Now().Before(time.Unix(0, a.until.Load())) {
		return port.Sweep{}, false, errors.New("the disk is full")
	}
	return a.Queue.BeginSweep(ctx, atOnce)
}

// What tenon refused because of its own trouble comes within a minute after that, also if GitHub takes a while to list
// the attempts, or the trouble is long.
func TestWhatWasRefusedIsAskedForWithinAMinute(t *testing.T) {
	t.Parallel()
	for _, lag := range []time.Duration{0, 20 * time.Second} {
		for _, trouble := range []time.Duration{time.Second, 15 * time.Second, 45 * time.Second, 10 * time.Minute} {
			t.Run(fmt.Sprintf("trouble of %s, listed after %s", trouble, lag), func(t *testing.T) {
				t.Parallel()
				play(t, func(t *testing.T, s *scene) {
					s.github.lag, s.github.redelivered = lag, s.accept
					queue := &away{Queue: s.store}
					s.Queue = queue
					s.run(s.Sweeper)
					s.sleep(100 * time.Minute)
					queue.until.Store(time.Now().Add(trouble).UnixNano())
					for i := range 6 {
						s.refuse(fmt.Sprint(i))
						s.sleep(trouble / 6)
					}
					s.sleep(time.Minute)
					require.ElementsMatch(t, []string{"0", "1", "2", "3", "4", "5"}, s.accepted)
				})
			})
		}
	}
}

// While nothing is missing, there is a sweep an hour, and after a start some that are soon.
func TestASweepIsRareWhileNothingIsMissing(t *testing.T) {
	t.Parallel()
	play(t, func(t *testing.T, s *scene) {
		s.github.redelivered = s.accept
		s.run(s.Sweeper)
		require.Equal(t, 1, s.github.pagesRead(), "at the start")
		s.sleep(30 * time.Minute)
		require.Equal(t, 5, s.github.pagesRead(), "GitHub may not have listed all attempts yet")
		s.sleep(24 * time.Hour)
		require.Equal(t, 5+24, s.github.pagesRead())
		s.refuse("a")
		s.sleep(59 * time.Second)
		require.Equal(t, 5+24+1, s.github.pagesRead())
		s.sleep(10 * time.Hour)
		require.LessOrEqual(t, s.github.pagesRead(), 5+24+5+10)
	})
}

// A delivery that is asked for and does not come is asked for again, with growing gaps.
func TestWhatIsStillMissingIsAskedForWithGrowingGaps(t *testing.T) {
	t.Parallel()
	for name, attempted := range map[string]bool{"an attempt that fails": true, "no attempt at all": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play(t, func(t *testing.T, s *scene) {
				begun := time.Now()
				var asked []time.Duration
				s.github.redelivered = func(a port.Attempt) {
					asked = append(asked, time.Since(begun).Round(time.Minute))
					if attempted {
						s.tried(a.Delivery, http.StatusBadGateway)
					}
				}
				s.tried("lost", 0)
				s.run(s.Sweeper)
				s.sleep(125 * time.Minute)
				require.Equal(t, []time.Duration{0, time.Minute, 3 * time.Minute, 7 * time.Minute, 15 * time.Minute,
					31 * time.Minute, 61 * time.Minute, 91 * time.Minute, 121 * time.Minute}, asked)
			})
		})
	}
}

// However much is missing, GitHub gets no more than a request a second.
func TestSweepsLeaveRoomInGitHubsLimit(t *testing.T) {
	t.Parallel()
	play(t, func(t *testing.T, s *scene) {
		s.Queue, s.github.perPage = &quick{asked: map[string]times{}}, 100
		for i := range 1500 {
			s.tried(fmt.Sprint(i), 0)
		}
		requests := func() int {
			pages, asked := s.github.seen()
			return pages + len(asked)
		}
		s.run(s.Sweeper)
		for range 12 {
			before := requests()
			s.sleep(time.Hour)
			require.LessOrEqual(t, requests()-before, 4600, "an hour may have the requests of one sweep of the hour before")
			t.Logf("requests_in_the_hour=%d", requests()-before)
		}
		require.LessOrEqual(t, requests(), 12*3600)
		asked := map[int64]bool{}
		for _, id := range s.github.askedFor() {
			asked[id] = true
		}
		require.Len(t, asked, 1500)
	})
}

// Refusals of one process that go on for hours, such as those for which somebody fills its memory, do not use up
// GitHub's limit either.
func TestRefusalsThatGoOnDoNotUseUpGitHubsLimit(t *testing.T) {
	t.Parallel()
	play(t, func(t *testing.T, s *scene) {
		s.run(s.Sweeper)
		for i := range 100 {
			s.tried(fmt.Sprint("arrived ", i), http.StatusAccepted)
		}
		for range 3600 {
			select {
			case s.refused <- struct{}{}:
			default:
			}
			s.sleep(time.Second)
		}
		require.LessOrEqual(t, s.github.pagesRead(), 3700, "and the pages of the last sweep")
		require.Greater(t, s.github.pagesRead(), 34*30)
	})
}

// A process that died left a delivery that it had asked for: another one asks for it again.
func TestAnotherProcessAsksAgainForWhatOneAskedFor(t *testing.T) {
	t.Parallel()
	play(t, func(t *testing.T, s *scene) {
		other := &redeliver.Sweeper{GitHub: s.github, Queue: s.store, Needs: s.Needs, Reports: s.Reports,
			Log: slog.New(slog.DiscardHandler)}
		stop := s.run(s.Sweeper)
		s.run(other)
		s.sleep(100 * time.Minute)
		s.refuse("a")
		s.sleep(59 * time.Second)
		require.Len(t, s.github.askedFor(), 1)
		stop()
		s.sleep(2*time.Minute + 10*time.Second)
		require.Greater(t, len(s.github.askedFor()), 1)
	})
}

// A GitHub that does not answer is asked again with growing gaps.
func TestSweepsThatFailAreRepeatedWithGrowingGaps(t *testing.T) {
	t.Parallel()
	play(t, func(t *testing.T, s *scene) {
		lost := s.tried("lost", 0)
		s.github.fail(lost, errors.New("GitHub answered 502"))
		s.run(s.Sweeper)
		s.sleep(62 * time.Minute)
		require.Equal(t, 7, s.github.pagesRead(), "after 0, 1, 3, 7, 15, 31 and 61 minutes")
		s.github.fail(lost, nil)
		s.sleep(30 * time.Minute)
		require.NotEmpty(t, s.github.askedFor())
	})
}

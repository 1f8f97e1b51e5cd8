package schedule_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/schedule"
)

// story is what runs did, with the times of the bubble in seconds.
type story struct {
	begun time.Time
	mu    sync.Mutex
	lines []string
	all   sync.WaitGroup
}

func newStory() *story { return &story{begun: time.Now()} }

func (s *story) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, fmt.Sprintf("%.0f ", time.Since(s.begun).Seconds())+fmt.Sprintf(format, args...))
}

// told returns what was noted so far.
func (s *story) told() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.lines)
}

// run begins a run, and returns when it works or waits for its turn to.
func (s *story) run(sched *schedule.Schedule, installation int64, do func(ctx context.Context)) {
	s.all.Go(func() {
		_ = sched.Run(context.Background(), installation, func(ctx context.Context) error { do(ctx); return nil })
	})
	synctest.Wait()
}

// work uses a processor.
func work(seconds int) { time.Sleep(time.Duration(seconds) * time.Second) }

func wait(ctx context.Context, seconds int) { port.Waiting(ctx, func() { work(seconds) }) }

func TestManyRunsAreInProgressAndFewWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of, s := schedule.New(10, 2), newStory()
		for i := range 6 {
			s.run(of, 1, func(ctx context.Context) {
				s.note("%d begins", i)
				work(1)
				wait(ctx, 60)
				s.note("%d is back", i)
				work(1)
			})
		}
		require.Equal(t, port.Load{Runs: 6, MostRuns: 10, Working: 2, Slots: 2, Ready: 4}, of.Load())
		work(10)
		require.Equal(t, port.Load{Runs: 6, MostRuns: 10, Slots: 2}, of.Load(), "who waits uses no processor")
		s.all.Wait()
		require.Equal(t, []string{"0 0 begins", "0 1 begins", "1 2 begins", "1 3 begins", "2 4 begins", "2 5 begins",
			"61 0 is back", "61 1 is back", "62 2 is back", "62 3 is back", "63 4 is back", "63 5 is back"},
			sortedPairs(s.lines))
		require.Equal(t, port.Load{MostRuns: 10, Slots: 2}, of.Load())
	})
}

// sortedPairs sorts lines that were noted in the same second.
func sortedPairs(lines []string) []string {
	for i := 0; i+1 < len(lines); i += 2 {
		if lines[i] > lines[i+1] {
			lines[i], lines[i+1] = lines[i+1], lines[i]
		}
	}
	return lines
}

// The next one is of the installation that has the fewest, and of these the one that came first.
func TestAnotherInstallationIsNext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of, s := schedule.New(100, 2), newStory()
		begin := func(installation int64, name string) {
			s.run(of, installation, func(context.Context) { s.note("%s", name); work(10) })
		}
		for i := range 50 {
			begin(1, fmt.Sprint("flood ", i))
			work(0)
		}
		work(1)
		begin(2, "newcomer")
		begin(2, "newcomer's second")
		s.all.Wait()
		require.Equal(t, []string{"0 flood 0", "0 flood 1", "10 flood 2", "10 newcomer"}, sortedPairs(s.lines[:4]))
		require.Equal(t, []string{"20 flood 3", "20 newcomer's second"}, sortedPairs(s.lines[4:6]))
		require.Len(t, s.lines, 52)
	})
}

// What a run does when it was cancelled, or the server stops, is work too.
func TestARunThatIsCancelledHasASlotToSaySo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of, s := schedule.New(100, 1), newStory()
		ctx, cancel := context.WithCancel(context.Background())
		for i := range 3 {
			s.all.Go(func() {
				_ = of.Run(ctx, 1, func(ctx context.Context) error {
					port.Waiting(ctx, func() { <-ctx.Done() })
					s.note("%d ends beside %d", i, of.Load().Working-1)
					work(1)
					return nil
				})
			})
			synctest.Wait()
		}
		cancel()
		s.all.Wait()
		require.ElementsMatch(t, []string{"0", "1", "2"}, []string{s.lines[0][:1], s.lines[1][:1], s.lines[2][:1]})
		for _, line := range s.lines {
			require.Contains(t, line, "ends beside 0")
		}
		require.Equal(t, port.Load{MostRuns: 100, Slots: 1}, of.Load())
	})
}

// crowd begins many runs, each of which does what do says, and requires that never more of their goroutines' runs work
// than there are slots, and that no slot is left over or lost.
func crowd(t *testing.T, sched *schedule.Schedule, do func(ctx context.Context, i int, works func(seconds int))) {
	t.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	working := map[int]int{} // goroutines by run
	for i := range 500 {
		all.Go(func() {
			_ = sched.Run(context.Background(), int64(i%5), func(ctx context.Context) error {
				do(ctx, i, func(seconds int) {
					count := func(n int) int {
						mu.Lock()
						defer mu.Unlock()
						if working[i] += n; working[i] == 0 {
							delete(working, i)
						}
						return len(working)
					}
					if now := count(1); now > sched.Load().Slots {
						t.Errorf("%d runs work at once", now)
					}
					work(seconds)
					count(-1)
				})
				return nil
			})
		})
	}
	all.Wait()
	require.Equal(t, port.Load{MostRuns: sched.Load().MostRuns, Slots: sched.Load().Slots}, sched.Load())
}

func TestNoSlotIsLostOrTakenTwice(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(ctx context.Context, i int, works func(seconds int)){
		"one goroutine": func(ctx context.Context, i int, works func(int)) {
			works(i % 2)
			wait(ctx, i%3)
			works(1)
		},
		"several at once": func(ctx context.Context, i int, works func(int)) {
			var ended []<-chan struct{}
			for n := range 4 {
				ended = append(ended, port.Go(ctx, func() { wait(ctx, (i+n)%3); works(n % 2); wait(ctx, n%2) }))
			}
			works(i % 3)
			port.Waiting(ctx, func() {
				for _, one := range ended {
					<-one
				}
			})
			works(1)
		},
		"a watcher": func(ctx context.Context, i int, works func(int)) {
			var watcher sync.WaitGroup
			watcher.Go(func() { work(i % 4); port.Working(ctx, func() { works(1) }) })
			wait(ctx, i%5)
			works(1)
			port.Waiting(ctx, watcher.Wait)
		},
		"a panic": func(ctx context.Context, i int, works func(int)) {
			defer func() { _ = recover() }()
			port.Waiting(ctx, func() { work(i % 3); panic("at the disco") })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { crowd(t, schedule.New(1000, 3), do) })
		})
	}
}

// A mistake in a run costs that run, and no slot: a goroutine gives up the slot that it never had.
func TestAGoroutineThatIsNotCountedTakesNoSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of, s := schedule.New(100, 1), newStory()
		for range 3 {
			s.run(of, 1, func(ctx context.Context) {
				for i := range 3 {
					s.all.Go(func() { wait(ctx, 10*i) })
				}
				work(5)
				wait(ctx, 1)
				work(10)
			})
		}
		s.all.Wait()
		require.Equal(t, port.Load{MostRuns: 100, Slots: 1}, of.Load())
	})
}

// A run has its slot while one of its goroutines works.
func TestTheGoroutinesOfARunShareItsSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of, s := schedule.New(100, 1), newStory()
		s.run(of, 1, func(ctx context.Context) {
			ended := port.Go(ctx, func() {
				wait(ctx, 10)
				s.note("back while the other works")
				wait(ctx, 30)
			})
			work(20)
			s.note("first waits")
			port.Waiting(ctx, func() { <-ended })
			s.note("end")
		})
		s.run(of, 1, func(context.Context) { s.note("another") })
		s.all.Wait()
		require.Equal(t, []string{"10 back while the other works", "20 first waits", "20 another", "40 end"}, s.lines)
	})
}

// A goroutine that outlives its run keeps no slot.
func TestAnEndedRunHasNoSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of, s := schedule.New(100, 1), newStory()
		s.run(of, 1, func(ctx context.Context) {
			ended := port.Go(ctx, func() { wait(ctx, 10); s.note("late"); work(60) })
			s.all.Go(func() { <-ended })
			work(1)
		})
		s.run(of, 1, func(context.Context) { s.note("another") })
		work(30)
		require.Equal(t, port.Load{MostRuns: 100, Slots: 1}, of.Load())
		s.all.Wait()
		require.Equal(t, []string{"1 another", "10 late"}, s.lines)
	})
}

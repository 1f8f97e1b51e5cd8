package schedule_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/iotest"
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

// run begins a run, and returns when it works or waits for its turn to.
func (s *story) run(of *schedule.Schedule, installation int64, do func(ctx context.Context)) {
	s.all.Go(func() {
		_ = of.Run(context.Background(), installation, func(ctx context.Context) error { do(ctx); return nil })
	})
	synctest.Wait()
}

// work uses a processor.
func work(seconds int) { time.Sleep(time.Duration(seconds) * time.Second) }

func away(ctx context.Context, seconds int) { port.Away(ctx, func() { work(seconds) }) }

func TestManyRunsAreInProgressAndFewWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of, s := schedule.New(10, 2), newStory()
		for i := range 6 {
			s.run(of, 1, func(ctx context.Context) {
				s.note("%d begins", i)
				work(1)
				away(ctx, 60)
				s.note("%d is back", i)
				work(1)
			})
		}
		require.Equal(t, port.Load{Runs: 6, MostRuns: 10, Working: 2, Slots: 2, Ready: 4}, of.Load())
		work(10)
		require.Equal(t, port.Load{Runs: 6, MostRuns: 10, Slots: 2}, of.Load(), "who waits uses no processor")
		s.all.Wait()
		require.Equal(t, []string{"0 0 begins", "0 1 begins", "1 2 begins", "1 3 begins", "2 4 begins", "2 5 begins",
			"61 0 is back", "61 1 is back", "62 2 is back", "62 3 is back", "63 4 is back", "63 5 is back"}, sortedPairs(s.lines))
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

func TestARunThatIsCancelledWaitsNoLonger(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of, s := schedule.New(100, 1), newStory()
		s.run(of, 1, func(context.Context) { work(60) })
		ctx, cancel := context.WithCancel(context.Background())
		s.all.Go(func() {
			_ = of.Run(ctx, 1, func(ctx context.Context) error {
				s.note("cancelled: %v", ctx.Err())
				away(ctx, 0) // it has nothing to give up
				return nil
			})
		})
		work(5)
		s.run(of, 1, func(context.Context) { s.note("next") })
		cancel()
		s.all.Wait()
		require.Equal(t, []string{"5 cancelled: context canceled", "60 next"}, s.lines)
		require.Equal(t, port.Load{MostRuns: 100, Slots: 1}, of.Load())
	})
}

// Those who are let in at the moment at which they are cancelled leave room for others.
func TestNoRoomIsLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of, s := schedule.New(1000, 3), newStory()
		for i := range 1000 {
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i%7)*time.Second)
			s.all.Go(func() {
				defer cancel()
				_ = of.Run(ctx, int64(i%5), func(ctx context.Context) error {
					work(i % 2)
					away(ctx, i%3)
					work(1)
					return nil
				})
			})
		}
		s.all.Wait()
		require.Equal(t, port.Load{MostRuns: 1000, Slots: 3}, of.Load())
	})
}

// A run has its slot while one of its goroutines works.
func TestTheGoroutinesOfARunShareItsSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of, s := schedule.New(100, 1), newStory()
		s.run(of, 1, func(ctx context.Context) {
			var both sync.WaitGroup
			slot := port.SlotOf(ctx)
			slot.Enter(ctx)
			both.Go(func() {
				defer slot.Leave()
				away(ctx, 10)
				s.note("back while the other works")
				away(ctx, 30)
			})
			work(20)
			s.note("first waits")
			port.Away(ctx, both.Wait)
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
			s.all.Go(func() { port.SlotOf(ctx).Enter(ctx); away(ctx, 10); s.note("late"); work(60) })
			work(1)
		})
		s.run(of, 1, func(context.Context) { s.note("another") })
		work(30)
		require.Equal(t, port.Load{MostRuns: 100, Slots: 1}, of.Load())
		s.all.Wait()
		require.Equal(t, []string{"1 another", "10 late"}, s.lines)
	})
}

// answering is a model that takes a while.
type answering struct {
	*story
	seconds int
}

func (m answering) Complete(ctx context.Context, req port.Request, _ func(string)) (port.Answer, error) {
	m.note("asked %s", req.System)
	select {
	case <-ctx.Done():
	case <-time.After(time.Duration(m.seconds) * time.Second):
	}
	return port.Answer{Text: req.System}, ctx.Err()
}

func TestAModelIsAskedByAsManyAsItCanAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of, s := schedule.New(100, 1), newStory()
		unlimited := of.Model("remote", 0, answering{s, 30})
		local := of.Model("local", 2, answering{s, 30})
		ask := func(m port.Model, installation int64, what string) {
			s.run(of, installation, func(ctx context.Context) {
				ctx = port.WithLine(ctx, func() func() { s.note("%s stands in line", what); return func() {} })
				answer, err := m.Complete(ctx, port.Request{System: what}, nil)
				require.NoError(t, err)
				require.Equal(t, what, answer.Text)
			})
		}
		for i := range 4 {
			ask(local, 1, fmt.Sprint("flood ", i))
			ask(unlimited, 1, fmt.Sprint("remote ", i))
		}
		ask(local, 2, "newcomer")
		require.Equal(t, port.Load{Runs: 9, MostRuns: 100, Slots: 1, Models: []port.ModelLoad{
			{Name: "remote", Calls: 4}, {Name: "local", Calls: 2, MostCalls: 2, Waiting: 3}}}, of.Load())
		require.Equal(t, []string{"0 asked flood 0", "0 asked remote 0", "0 asked flood 1", "0 asked remote 1",
			"0 flood 2 stands in line", "0 asked remote 2", "0 flood 3 stands in line", "0 asked remote 3",
			"0 newcomer stands in line"}, s.lines)
		s.all.Wait()
		require.Equal(t, []string{"30 asked flood 2", "30 asked newcomer"}, sortedPairs(s.lines[9:11]))
		require.Equal(t, []string{"60 asked flood 3"}, s.lines[11:])
	})
}

// A run that has its answer, and waits for a processor, keeps nobody from asking.
func TestAModelIsFreeBeforeItsRunGoesOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of, s := schedule.New(100, 1), newStory()
		local := of.Model("local", 1, answering{s, 30})
		for i := range 2 {
			s.run(of, 1, func(ctx context.Context) {
				_, err := local.Complete(ctx, port.Request{System: fmt.Sprint(i)}, nil)
				require.NoError(t, err)
			})
		}
		s.run(of, 1, func(context.Context) { work(1000) })
		s.all.Wait()
		require.Equal(t, []string{"0 asked 0", "30 asked 1"}, s.lines)
	})
}

func TestWhoIsCancelledInLineIsNotAsked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of, s := schedule.New(100, 1), newStory()
		local := of.Model("local", 1, answering{s, 30})
		s.all.Go(func() { _, _ = local.Complete(context.Background(), port.Request{System: "first"}, nil) })
		synctest.Wait()
		why := errors.New("somebody cancelled it")
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(time.Second, func() { cancel(why) })
		_, err := local.Complete(ctx, port.Request{System: "second"}, nil)
		require.ErrorIs(t, err, why)
		s.all.Wait()
		require.Equal(t, []string{"0 asked first"}, s.lines)
		require.Equal(t, port.ModelLoad{Name: "local", MostCalls: 1}, of.Load().Models[0])
	})
}

// slowly is a server whose responses take a second to begin, and another for each piece of the body.
type slowly struct {
	pieces []string
	err    error
}

func (s slowly) RoundTrip(*http.Request) (*http.Response, error) {
	work(1)
	readers := []io.Reader{}
	for _, p := range s.pieces {
		readers = append(readers, slowReader{bytes.NewBufferString(p)})
	}
	if s.err != nil {
		readers = append(readers, iotest.ErrReader(s.err))
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(io.MultiReader(readers...))}, nil
}

type slowReader struct{ *bytes.Buffer }

func (r slowReader) Read(p []byte) (int, error) {
	if r.Len() > 0 {
		work(1)
	}
	return r.Buffer.Read(p)
}

func TestARequestWaitsWithoutASlot(t *testing.T) {
	t.Parallel()
	large := string(bytes.Repeat([]byte("x"), 300<<10))
	broken := errors.New("the connection broke")
	for name, server := range map[string]slowly{
		"small":  {pieces: []string{"a", "b"}},
		"empty":  {},
		"large":  {pieces: []string{large, "end"}},
		"broken": {pieces: []string{"a"}, err: broken},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				of, s := schedule.New(100, 1), newStory()
				client := &http.Client{Transport: schedule.Transport(server)}
				s.run(of, 1, func(ctx context.Context) {
					req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://github.test/", nil)
					require.NoError(t, err)
					resp, err := client.Do(req)
					require.NoError(t, err)
					got, err := io.ReadAll(resp.Body)
					require.ErrorIs(t, err, server.err)
					want := ""
					for _, p := range server.pieces {
						want += p
					}
					require.Equal(t, want, string(got))
					require.NoError(t, resp.Body.Close())
					require.Equal(t, 1, of.Load().Working)
				})
				require.Zero(t, of.Load().Working)
				s.all.Wait()
			})
		})
	}
	resp, err := schedule.Transport(slowly{pieces: []string{"at once"}}).RoundTrip(
		(&http.Request{}).WithContext(context.Background()))
	require.NoError(t, err, "requests of no run need no slot")
	require.NoError(t, resp.Body.Close())
}

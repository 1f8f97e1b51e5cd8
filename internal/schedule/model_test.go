package schedule_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/schedule"
)

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
		ask := func(m port.Model, installation int64, reply string) {
			s.run(of, installation, func(ctx context.Context) {
				ctx = port.WithBusy(ctx, func() func() {
					s.note("%s waits", reply)
					return func() { s.note("%s begins", reply) }
				})
				answer, err := m.Complete(ctx, port.Request{System: reply}, nil)
				require.NoError(t, err)
				require.Equal(t, reply, answer.Text)
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
			"0 flood 2 waits", "0 asked remote 2", "0 flood 3 waits", "0 asked remote 3",
			"0 newcomer waits"}, s.told())
		s.all.Wait()
		require.ElementsMatch(t, []string{"30 flood 2 begins", "30 asked flood 2", "30 newcomer begins",
			"30 asked newcomer"}, s.lines[9:13])
		require.Equal(t, []string{"60 flood 3 begins", "60 asked flood 3"}, s.lines[13:])
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

func TestAModelIsNotAskedForARunThatIsCancelledBefore(t *testing.T) {
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

// ending is a model that ends another call when it has answered.
type ending struct{ other context.CancelFunc }

func (m *ending) Complete(context.Context, port.Request, func(string)) (port.Answer, error) {
	work(1)
	m.other()
	return port.Answer{}, nil
}

// A call may get its turn at the moment at which it is cancelled.
func TestNoCallIsLostToOneThatIsCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of, s, m := schedule.New(1000, 3), newStory(), &ending{}
		local := of.Model("local", 1, m)
		for range 200 {
			ctx, cancel := context.WithCancel(context.Background())
			m.other = cancel
			s.all.Go(func() { _, _ = local.Complete(context.Background(), port.Request{}, nil) })
			synctest.Wait()
			s.all.Go(func() { _, _ = local.Complete(ctx, port.Request{}, nil) })
			s.all.Wait()
			require.Equal(t, port.ModelLoad{Name: "local", MostCalls: 1}, of.Load().Models[0])
		}
	})
}

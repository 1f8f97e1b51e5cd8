package bottest_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/bottest/contract"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestQueueContract(t *testing.T) {
	t.Parallel()
	var calls callLog
	t.Run("stories", func(t *testing.T) {
		contract.Queue(t, func(t *testing.T) contract.QueueStage {
			w := bottest.New(t)
			t.Cleanup(func() { calls.add(w.Calls("")) })
			return queueStage{w.Queue, w.Budget, w.Clock}
		})
	})
	t.Run("watches", func(t *testing.T) {
		contract.Watches(t, func(t *testing.T) contract.WatchStage {
			w := bottest.New(t)
			t.Cleanup(func() { calls.add(w.Calls("")) })
			return queueStage{w.Queue, w.Budget, w.Clock}
		})
	})
	calls.requireMethods(t, reflect.TypeFor[port.Watches]())
	calls.requireMethods(t, reflect.TypeFor[port.Runs]())
	calls.requireMethods(t, reflect.TypeFor[port.ThreadQueue]())
	calls.requireMethods(t, reflect.TypeFor[port.Budget]())
}

// queueStage is a contract.QueueStage of the fakes.
type queueStage struct {
	*bottest.Queue
	*bottest.Budget
	clock *bottest.Clock
}

func (s queueStage) Now() time.Time { return s.clock.Now() }

func (s queueStage) Pass(d time.Duration) { s.clock.Advance(d) }

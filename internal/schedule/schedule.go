// Package schedule bounds what runs do at the same time: many may be in progress, few use a processor, and a model has
// few calls. A run that waits for a model, for GitHub or for its turn uses no processor. Next is the installation that
// has the least.
package schedule

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tenon-bot/tenon/bot/port"
)

// Schedule is that of one server. Safe for concurrent use.
type Schedule struct {
	runs       int
	processors *semaphore
	inProgress atomic.Int64

	mu     sync.Mutex
	models []*model
}

// New returns a schedule for a number of runs in progress, which their queue keeps to, of which so many use a processor
// at a time.
func New(runs, processors int) *Schedule {
	return &Schedule{runs: runs, processors: newSemaphore(processors)}
}

// Run calls run when a slot is free, in a context with the slot, and returns its error.
func (s *Schedule) Run(ctx context.Context, installation int64, run func(context.Context) error) error {
	s.inProgress.Add(1)
	defer s.inProgress.Add(-1)
	own := &slot{processors: s.processors, installation: installation}
	own.Enter()
	defer own.end()
	return run(port.WithSlot(ctx, own))
}

// Load returns how busy the server is.
func (s *Schedule) Load() port.Load {
	l := port.Load{Runs: int(s.inProgress.Load()), MostRuns: s.runs, Slots: s.processors.most}
	l.Working, l.Ready = s.processors.load()
	s.mu.Lock()
	models := slices.Clone(s.models)
	s.mu.Unlock()
	for _, m := range models {
		one := port.ModelLoad{Name: m.name, MostCalls: m.calls.most}
		one.Calls, one.Waiting = m.calls.load()
		l.Models = append(l.Models, one)
	}
	return l
}

// slot implements port.Slot for one run.
type slot struct {
	processors   *semaphore
	installation int64

	mu      sync.Mutex
	working int     // goroutines that work, or wait for the slot to do so
	turn    *waiter // theirs
	ended   bool
}

// Enter implements port.Slot. Its wait does not end with a context: what a run does when it was cancelled needs a
// processor too.
func (s *slot) Enter() {
	s.mu.Lock()
	if s.ended {
		s.mu.Unlock()
		return
	}
	if s.working++; s.working == 1 {
		s.turn = s.processors.take(s.installation)
	}
	turn := s.turn
	s.mu.Unlock()
	<-turn.has
}

// Leave implements port.Slot. Whoever calls it has returned from Enter, so that the run has its slot.
func (s *slot) Leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	if s.working--; s.working == 0 {
		s.processors.release(s.turn)
	}
}

// end gives up the slot, also if goroutines of the run are left after a panic. They get none.
func (s *slot) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if s.working > 0 {
		s.processors.release(s.turn)
	}
}

// Package schedule bounds what runs do at the same time: many may be in progress, few use a processor, and a model is
// asked by as many as it can answer. A run that waits for a model, for GitHub or for its turn uses no processor. Whoever
// waits in a line is let in fairly: the installation that has the least there comes first.
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
	processors *line
	inProgress atomic.Int64

	mu     sync.Mutex
	models []*model
}

// New returns a schedule for a number of runs in progress, which their queue keeps to, of which so many use a processor
// at a time.
func New(runs, processors int) *Schedule {
	return &Schedule{runs: runs, processors: newLine(processors)}
}

// Run calls run when a slot is free, in a context with the slot, and returns its error.
func (s *Schedule) Run(ctx context.Context, installation int64, run func(context.Context) error) error {
	s.inProgress.Add(1)
	defer s.inProgress.Add(-1)
	own := &slot{line: s.processors, installation: installation}
	own.Enter(ctx)
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
		one := port.ModelLoad{Name: m.name, MostCalls: m.line.most}
		one.Calls, one.Waiting = m.line.load()
		l.Models = append(l.Models, one)
	}
	return l
}

// slot implements port.Slot for one run.
type slot struct {
	line         *line
	installation int64

	mu      sync.Mutex
	working int // goroutines
	// has is true while the run has a slot, asks while it waits for one.
	has, asks, ended bool
}

// Enter implements port.Slot.
func (s *slot) Enter(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.working++; s.working <= 0 || s.has || s.asks || s.ended {
		return
	}
	s.asks = true
	s.mu.Unlock()
	err := s.line.enter(ctx, s.installation)
	s.mu.Lock()
	s.asks = false
	if err == nil {
		s.has = true
		s.giveUp()
	}
}

// Leave implements port.Slot.
func (s *slot) Leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.working--
	s.giveUp()
}

// giveUp gives the slot up if no goroutine works, or the run has ended.
func (s *slot) giveUp() {
	if s.has && (s.working <= 0 || s.ended) {
		s.has = false
		s.line.leave(s.installation)
	}
}

func (s *slot) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.giveUp()
}

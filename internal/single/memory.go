// Package single handles one event without a queue and a database: what a run records is in memory and ends with the
// process.
package single

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Memory is what the run of one event records, and what it costs. It implements port.Runs, port.ThreadQueue and
// port.Budget. Safe for concurrent use.
//
// No limit applies but that of one command: whoever pays for the model is whoever started the process.
type Memory struct {
	now  func() time.Time
	past []port.PastRun

	mu       sync.Mutex
	runs     map[string]*port.Run // by delivery
	tokens   map[string]int64     // by booking
	attempts map[string]int       // by call
}

var (
	_ port.Runs        = (*Memory)(nil)
	_ port.ThreadQueue = (*Memory)(nil)
	_ port.Budget      = (*Memory)(nil)
)

// NewMemory returns a memory with the earlier runs of the thread, the newest first. now is the clock.
func NewMemory(now func() time.Time, past ...port.PastRun) *Memory {
	return &Memory{now: now, past: past, runs: map[string]*port.Run{}, tokens: map[string]int64{},
		attempts: map[string]int{}}
}

// Begun notes that an earlier process began the run of a delivery, of which nothing is recorded: what that wrote is
// looked for.
func (m *Memory) Begun(delivery string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.runs[delivery] = &port.Run{ID: port.RunID(delivery), Started: m.now(), Steps: map[string]port.Step{}}
}

// Recorded returns what the run of a delivery has recorded; ok is false if it was not started.
func (m *Memory) Recorded(delivery string) (run port.Run, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	stored, ok := m.runs[delivery]
	if !ok {
		return port.Run{}, false
	}
	return copied(*stored), true
}

func copied(run port.Run) port.Run {
	run.Steps = maps.Clone(run.Steps)
	return run
}

// Start implements port.Runs.
func (m *Memory) Start(_ context.Context, ev port.Event) (port.Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	run, resumed := m.runs[ev.Delivery]
	if !resumed {
		run = &port.Run{ID: port.RunID(ev.Delivery), Started: m.now(), Steps: map[string]port.Step{}}
		m.runs[ev.Delivery] = run
	}
	out := copied(*run)
	out.Resumed = resumed
	return out, nil
}

// Record implements port.Runs.
func (m *Memory) Record(_ context.Context, ev port.Event, run, name string, step port.Step) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	stored, ok := m.runs[ev.Delivery]
	if !ok || stored.ID != run {
		return fmt.Errorf("recording step %s: %s is not the run of delivery %s", name, run, ev.Delivery)
	}
	if _, is := stored.Steps[name]; is {
		return fmt.Errorf("recording step %s: it is recorded already", name)
	}
	stored.Steps[name] = step
	return nil
}

// Past implements port.ThreadQueue.
func (m *Memory) Past(_ context.Context, _ port.Event, most int) ([]port.PastRun, error) {
	return m.past[:min(most, len(m.past))], nil
}

// FindRun implements port.ThreadQueue.
func (m *Memory) FindRun(_ context.Context, id string) (port.Run, port.Event, error) {
	for _, p := range m.past {
		if p.ID == id {
			return copied(p.Run), p.Event, nil
		}
	}
	return port.Run{}, port.Event{}, fmt.Errorf("reading run %s: %w", id, port.ErrNotFound)
}

// Queued implements port.ThreadQueue: nothing else waits.
func (m *Memory) Queued(context.Context, port.Event) ([]port.QueuedEvent, error) { return nil, nil }

// Acknowledged implements port.ThreadQueue.
func (m *Memory) Acknowledged(context.Context, port.Event) error { return nil }

// Cancel implements port.ThreadQueue: there is nothing to cancel.
func (m *Memory) Cancel(context.Context, port.Event) ([]port.QueuedEvent, error) { return nil, nil }

// Reserve implements port.Budget.
func (m *Memory) Reserve(_ context.Context, r port.Reservation) (port.Booking, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := r.Tokens
	for _, tokens := range m.tokens {
		all += tokens
	}
	if r.RunTokens > 0 && all > r.RunTokens {
		return port.Booking{}, &port.OverCommand{Needs: all, Limit: r.RunTokens}
	}
	call := fmt.Sprint(r.Run, " ", r.Call)
	m.attempts[call]++
	booking := port.Booking{Run: r.Run, Call: r.Call, Attempt: m.attempts[call]}
	m.tokens[bookingKey(booking)] = r.Tokens
	return booking, nil
}

func bookingKey(b port.Booking) string { return fmt.Sprint(b.Run, " ", b.Call, " ", b.Attempt) }

// Charge implements port.Budget.
func (m *Memory) Charge(_ context.Context, _ port.Event, b port.Booking, tokens int64, _ port.ModelUse) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.tokens[bookingKey(b)]; ok {
		m.tokens[bookingKey(b)] = tokens
	}
	return nil
}

// CountReply implements port.Budget.
func (m *Memory) CountReply(context.Context, int64, int64) (within bool, err error) { return true, nil }

// Usage implements port.Budget: there are no budgets.
func (m *Memory) Usage(context.Context, port.Event, port.Limits) ([]port.BudgetState, error) {
	return nil, nil
}

package record

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/tenon-bot/tenon/bot/port"
)

// Journal is the record of a run that goes on: each outcome is stored before anything that follows may begin. Safe for
// concurrent use.
type Journal struct {
	runs port.Runs
	ev   port.Event

	mu  sync.Mutex
	rec Record
}

// NewJournal returns the journal of a run of an event. It returns an *UnreadableError if the run's record cannot be
// read.
func NewJournal(runs port.Runs, ev port.Event, run port.Run) (*Journal, error) {
	rec, err := Load(run)
	if err != nil {
		return nil, err
	}
	return &Journal{runs: runs, ev: ev, rec: rec}, nil
}

// Record returns the record as it is now.
func (j *Journal) Record() Record {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.rec
}

// Do returns what an earlier attempt recorded for a step; else it does the work and stores its outcome. The context of
// the work is that of the step, as the observer of ctx makes it.
func Do[T any](ctx context.Context, j *Journal, s Step[T], do func(context.Context) (T, error)) (out T, err error) {
	if out, ok := Get(j, s); ok {
		return out, nil
	}
	in, done := port.ObserverOf(ctx).Step(ctx, s.kind())
	defer func() { done(err) }()
	if out, err = do(in); err != nil {
		return out, err
	}
	return out, Put(in, j, s, out)
}

// Get returns what is recorded for a step; ok is false if nothing is.
func Get[T any](j *Journal, s Step[T]) (out T, ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return s.get(&j.rec)
}

// Put stores the outcome of a step. It is an error if the step is recorded already.
func Put[T any](ctx context.Context, j *Journal, s Step[T], out T) error {
	data, err := json.Marshal(out)
	if err != nil {
		return fmt.Errorf("recording step %s: %w", s.name, err)
	}
	if err := j.runs.Record(ctx, j.ev, j.Record().ID, s.name, port.Step{Version: s.version, Data: data}); err != nil {
		return fmt.Errorf("recording step %s: %w", s.name, err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	s.put(&j.rec, out)
	return nil
}

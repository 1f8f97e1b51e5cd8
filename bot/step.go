package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
)

// journal is the record of one run, which an attempt reads and adds to. Safe for concurrent use.
type journal struct {
	runs  Runs
	ev    Event
	steps sync.Mutex
	run   Run
}

// journalOf returns the journal of a run that is only read.
func journalOf(run Run) *journal { return &journal{run: run} }

// step returns what a former attempt recorded under name; else it does the work and records its outcome, before anything
// that follows may begin.
func step[T any](ctx context.Context, j *journal, name string, do func() (T, error)) (T, error) {
	out, ok, err := recorded[T](j, name)
	if ok || err != nil {
		return out, err
	}
	out, err = do()
	if err != nil {
		return out, err
	}
	return out, record(ctx, j, name, out)
}

func recorded[T any](j *journal, name string) (out T, ok bool, err error) {
	j.steps.Lock()
	data, ok := j.run.Steps[name]
	j.steps.Unlock()
	if !ok {
		return out, false, nil
	}
	if err := json.Unmarshal(data, &out); err != nil {
		return out, false, fmt.Errorf("reading step %s of run %s: %w", name, j.run.ID, err)
	}
	return out, true, nil
}

func record[T any](ctx context.Context, j *journal, name string, out T) error {
	data, err := json.Marshal(out)
	if err != nil {
		return fmt.Errorf("recording step %s: %w", name, err)
	}
	if err := j.runs.Record(ctx, j.ev, j.run.ID, name, data); err != nil {
		return fmt.Errorf("recording step %s: %w", name, err)
	}
	j.steps.Lock()
	defer j.steps.Unlock()
	if j.run.Steps == nil {
		j.run.Steps = map[string][]byte{}
	}
	j.run.Steps[name] = data
	return nil
}

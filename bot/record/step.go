package record

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/tenon-bot/tenon/bot/port"
)

// journal is the record of one run, which an attempt reads and adds to. Safe for concurrent use.
type Journal struct {
	Runs  port.Runs
	Ev    port.Event
	steps sync.Mutex
	Run   port.Run
}

// journalOf returns the journal of a run that is only read.
func JournalOf(run port.Run) *Journal { return &Journal{Run: run} }

// step returns what a former attempt recorded under name; else it does the work and records its outcome, before anything
// that follows may begin.
func Do[T any](ctx context.Context, j *Journal, name string, do func() (T, error)) (T, error) {
	out, ok, err := Get[T](j, name)
	if ok || err != nil {
		return out, err
	}
	out, err = do()
	if err != nil {
		return out, err
	}
	return out, Put(ctx, j, name, out)
}

func Get[T any](j *Journal, name string) (out T, ok bool, err error) {
	j.steps.Lock()
	data, ok := j.Run.Steps[name]
	j.steps.Unlock()
	if !ok {
		return out, false, nil
	}
	if err := json.Unmarshal(data, &out); err != nil {
		return out, false, fmt.Errorf("reading step %s of run %s: %w", name, j.Run.ID, err)
	}
	return out, true, nil
}

func Put[T any](ctx context.Context, j *Journal, name string, out T) error {
	data, err := json.Marshal(out)
	if err != nil {
		return fmt.Errorf("recording step %s: %w", name, err)
	}
	if err := j.Runs.Record(ctx, j.Ev, j.Run.ID, name, data); err != nil {
		return fmt.Errorf("recording step %s: %w", name, err)
	}
	j.steps.Lock()
	defer j.steps.Unlock()
	if j.Run.Steps == nil {
		j.Run.Steps = map[string][]byte{}
	}
	j.Run.Steps[name] = data
	return nil
}

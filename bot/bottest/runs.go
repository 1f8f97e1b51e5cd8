package bottest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// The records of runs, which the queue keeps with the events.

// Start returns the run of an event.
func (q *Queue) Start(ctx context.Context, ev port.Event) (port.Run, error) {
	return locked(ctx, q, Call{Op: "Start", Text: ev.Delivery, Write: true}, func() (port.Run, error) {
		i, err := q.held(ev)
		if err != nil {
			return port.Run{}, fmt.Errorf("starting a run: %w", err)
		}
		resumed := !i.started.IsZero()
		if !resumed {
			i.started, i.steps = q.clock.Now(), map[string]port.Step{}
		}
		run := i.run()
		run.Resumed = resumed
		return run, nil
	})
}

// run returns the record of an event's run; the caller may keep it.
func (i *item) run() port.Run {
	steps := map[string]port.Step{}
	for name, step := range i.steps {
		steps[name] = copied(step)
	}
	return port.Run{ID: port.RunID(i.event.Delivery), Started: i.started, Forgotten: i.forgotten, Steps: steps}
}

func copied(s port.Step) port.Step { return port.Step{Version: s.Version, Data: slices.Clone(s.Data)} }

// Record stores the outcome of a step, once.
func (q *Queue) Record(ctx context.Context, ev port.Event, run, name string, step port.Step) error {
	return changeLocked(ctx, q, Call{Op: "Record", Text: name, Write: true}, func() error {
		switch {
		case name == "" || len(name) > 100:
			return &recordError{"the name of a step is not plain text"}
		case len(step.Data) > maxStep || !json.Valid(step.Data):
			return &recordError{fmt.Sprintf("recording step %s: no JSON of at most %d bytes", name, maxStep)}
		}
		i, err := q.held(ev)
		if err != nil {
			return fmt.Errorf("recording step %s: %w", name, err)
		}
		if i.started.IsZero() || run != port.RunID(ev.Delivery) {
			return &recordError{fmt.Sprintf("%s is not the run of delivery %s", run, ev.Delivery)}
		}
		if _, is := i.steps[name]; is {
			return &recordError{"the step is recorded already"}
		}
		if !i.hasKind(name) {
			i.deaths = 0
		}
		i.steps[name] = copied(step)
		return nil
	})
}

// hasKind reports whether a step of a name's kind is recorded. Numbered steps are of one kind.
func (i *item) hasKind(name string) bool {
	kind, _, _ := strings.Cut(name, ".")
	for step := range i.steps {
		if other, _, _ := strings.Cut(step, "."); other == kind {
			return true
		}
	}
	return false
}

// Past returns the newest runs of the event's thread that recorded something.
func (q *Queue) Past(ctx context.Context, ev port.Event, most int) ([]port.PastRun, error) {
	return locked(ctx, q, Call{Op: "Past", Text: ev.ThreadKey()}, func() (past []port.PastRun, err error) {
		for _, i := range slices.Backward(q.before(ev)) {
			if len(i.steps) > 0 && !i.event.Immediate && i.event.ThreadKey() == ev.ThreadKey() && len(past) < min(most,
				maxListed) {
				past = append(past, port.PastRun{Run: i.run(), Event: i.event})
			}
		}
		return past, nil
	})
}

// before returns what was accepted before an event.
func (q *Queue) before(ev port.Event) []*item {
	n := slices.IndexFunc(q.items, func(i *item) bool { return i.event.Delivery == ev.Delivery })
	return q.items[:max(n, 0)]
}

type foundRun struct {
	port.Run
	event port.Event
}

// FindRun returns a run by its id.
func (q *Queue) FindRun(ctx context.Context, id string) (port.Run, port.Event, error) {
	out, err := locked(ctx, q, Call{Op: "FindRun", Text: id}, func() (foundRun, error) {
		for _, i := range q.items {
			if !i.started.IsZero() && port.RunID(i.event.Delivery) == id {
				return foundRun{i.run(), i.event}, nil
			}
		}
		return foundRun{}, fmt.Errorf("reading run %s: %w", id, port.ErrNotFound)
	})
	return out.Run, out.event, err
}

// Steps returns what the run of a delivery recorded, by step.
func (q *Queue) Steps(delivery string) map[string]port.Step {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := q.find(delivery); i != nil {
		return maps.Clone(i.steps)
	}
	return nil
}

// SetStep replaces what a run recorded, as another version of the program would have written it.
func (q *Queue) SetStep(delivery, name string, step port.Step) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := q.find(delivery)
	if i == nil || i.steps == nil {
		return errors.New("there is no such run")
	}
	i.steps[name] = step
	return nil
}

// Forget deletes the sources of a run, as the retention of a server does; what is kept of a step is what keep returns.
func (q *Queue) Forget(delivery string, keep func(name string, step port.Step) port.Step) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := q.find(delivery)
	if i == nil || i.steps == nil {
		return errors.New("there is no such run")
	}
	for name, step := range i.steps {
		i.steps[name] = keep(name, step)
	}
	i.forgotten = true
	return nil
}

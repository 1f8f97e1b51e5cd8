package port

import (
	"context"
	"time"
)

// Runs keeps the record of each run, so that a run that died goes on where it was. Safe for concurrent use.
type Runs interface {
	// Start returns the run of an event: a new one, or what a former attempt left. ErrLeaseLost when the event is no
	// longer ours. The run's id is RunID of the delivery.
	Start(ctx context.Context, ev Event) (Run, error)
	// Record stores the outcome of a step under its name, once: an error if the run has recorded it already. ErrLeaseLost
	// as above.
	Record(ctx context.Context, ev Event, run, name string, step Step) error
}

// Step is the recorded outcome of a step of a run.
type Step struct {
	// Version is that of the form of Data, from 1. Package record knows the forms; a store keeps them as they are.
	Version int
	// Data is JSON.
	Data []byte
}

// Run is the record of one run.
type Run struct {
	// ID is 12 lower-case letters and digits, unique in the store.
	ID string
	// Started is when the run was first begun.
	Started time.Time
	// Resumed says that the run was begun before: by Start alone.
	Resumed bool
	// Steps are the recorded steps, by name.
	Steps map[string]Step
}

// Line is what happens on a thread. Safe for concurrent use.
type ThreadQueue interface {
	// Past returns the newest runs of the event's thread that recorded something, newest first, at most 100: those of the
	// events before it that are not aside.
	Past(ctx context.Context, ev Event, most int) ([]PastRun, error)
	// FindRun returns a run by its id, of any repository. ErrNotFound when there is none.
	FindRun(ctx context.Context, id string) (Run, Event, error)
	// Line lists what is in work and what waits on the event's thread, in order, at most 100, but neither the event itself
	// nor those aside.
	Queued(ctx context.Context, ev Event) ([]QueuedEvent, error)
	// Cancel ends what is in work on the event's thread and drops what waits there and came before it, events aside
	// excepted, and returns what these were, at most 100; the same again when an attempt that died had done it. A handler
	// in work finds a *CancelledError as the cause of its context's end. What was in work before, or told that it waits,
	// is handled once more under such a context, to tell its end. ErrLeaseLost when the event is no longer ours.
	Cancel(ctx context.Context, ev Event) ([]QueuedEvent, error)
}

// PastRun is a run that came before.
type PastRun struct {
	Run
	Event Event
}

// Waiting is an event that is in work or waits.
type QueuedEvent struct {
	Event Event
	// Working says that it is in work.
	Running bool
}

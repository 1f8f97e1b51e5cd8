package port

import "context"

// ThreadQueue is the queue of events as one thread sees it. Safe for concurrent use.
type ThreadQueue interface {
	// Past returns the newest runs of the event's thread that recorded something, newest first, at most most and at most
	// 100: those of earlier events, without immediate ones.
	Past(ctx context.Context, ev Event, most int) ([]PastRun, error)
	// FindRun returns a run of any repository by its id. ErrNotFound if there is none.
	FindRun(ctx context.Context, id string) (Run, Event, error)
	// Queued lists the events of the event's thread that are running or waiting, in order, at most 100: neither the event
	// itself nor immediate ones.
	Queued(ctx context.Context, ev Event) ([]QueuedEvent, error)
	// Acknowledged records that the command of an event was acknowledged, so that no later attempt does it again. It needs
	// no lease.
	Acknowledged(ctx context.Context, ev Event) error
	// Cancel ends the events of the event's thread that are running, and drops the earlier ones that are waiting;
	// immediate ones excepted. It returns them, at most 100, and the same ones again in a later attempt. The context of a
	// running handler ends with a *CancelledError as its cause. An event that was running, or whose notice of waiting was
	// posted, is handled once more under such a context, to report its end. ErrLeaseLost if another worker has the event.
	Cancel(ctx context.Context, ev Event) ([]QueuedEvent, error)
}

// PastRun is a run of an earlier event.
type PastRun struct {
	Run
	Event Event
}

// QueuedEvent is an event that is running or waiting.
type QueuedEvent struct {
	Event   Event
	Running bool
	// WaitsFor is what an event waits for that was put to sleep; empty for others.
	WaitsFor WaitReason
}

package bottest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// MaxAttempts is how often an event is handled before it becomes a dead letter.
	MaxAttempts = 3
	// Patience is how long an event may wait in all before it is given up.
	Patience = 24 * time.Hour
	// Lease is how long a lease is valid without being renewed.
	Lease = 25 * time.Second

	maxListed = 100
	maxStep   = 8 << 20
)

type eventState int

const (
	ready eventState = iota
	leased
	finished
	deadLetter
)

// item is an event in the queue, and its run.
type item struct {
	event       port.Event
	state       eventState
	attempts    int
	deaths      int // since a step was recorded
	notBefore   time.Time
	lease       string
	leasedUntil time.Time
	err         error
	waited      bool
	waitsFor    port.WaitReason
	waitsSince  time.Time
	gaveUp      port.WaitReason
	seen        bool // it was acknowledged
	unsure      bool // the notice may have been sent, and is to be sent again if not
	cancelledIn string
	cancelledBy *port.CancelledError
	end         context.CancelCauseFunc // of the running handler
	watch       watch
	told        *port.Ended // by the running handler

	started   time.Time // of the run; zero when there is none
	forgotten bool
	steps     map[string]port.Step
}

// Queue holds events and the records of their runs. It implements port.Runs, port.ThreadQueue, port.Watches,
// port.Audit and port.Formats.
// Safe for concurrent use.
type Queue struct {
	faults *faults
	clock  *Clock

	mu     sync.Mutex
	items  []*item // in the order of acceptance
	leases int
	// reports are when CI last reported, by commit.
	reports map[string]time.Time
	audit   []port.Ended
}

var (
	_ port.Runs        = (*Queue)(nil)
	_ port.ThreadQueue = (*Queue)(nil)
	_ port.Watches     = (*Queue)(nil)
	_ port.Audit       = (*Queue)(nil)
	_ port.Formats     = (*Queue)(nil)
)

// NewQueue returns an empty queue.
func NewQueue(clock *Clock) *Queue {
	return &Queue{clock: clock, reports: map[string]time.Time{}}
}

// Claim is a leased event. LastError is why the attempt before failed; GaveUp is what outlasted the patience with it;
// Cancelled is set when somebody cancelled it.
type Claim struct {
	Event     port.Event
	LastError error
	GaveUp    port.WaitReason
	Cancelled *port.CancelledError
}

// recordError is for what can never be recorded.
type recordError struct{ text string }

func (e *recordError) Error() string   { return e.text }
func (e *recordError) Permanent() bool { return true }

// locked makes a call with an effect on the queue.
func locked[T any](ctx context.Context, q *Queue, c Call, effect func() (T, error)) (T, error) {
	return do(ctx, q.faults, c, func() (T, error) {
		q.mu.Lock()
		defer q.mu.Unlock()
		return effect()
	})
}

// changeLocked makes a call with an effect on the queue that returns nothing.
func changeLocked(ctx context.Context, q *Queue, c Call, effect func() error) error {
	_, err := locked(ctx, q, c, func() (struct{}, error) { return struct{}{}, effect() })
	return err
}

// Submit accepts an event. A delivery that was accepted before is ignored, unless it is a dead letter. An event of the
// same origin as an accepted one is ignored.
func (q *Queue) Submit(_ context.Context, ev port.Event) error {
	stored, err := stored(ev)
	if err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if old := q.find(ev.Delivery); old != nil {
		if old.state == deadLetter && old.cancelledIn == "" {
			*old = item{event: stored, waited: old.waited, started: old.started, steps: old.steps, forgotten: old.forgotten}
		}
		return nil
	}
	for _, i := range q.items {
		if origin := stored.Origin(); origin != "" && i.event.Origin() == origin {
			return nil
		}
	}
	q.items = append(q.items, &item{event: stored})
	return nil
}

// stored is an event as it comes out of a database.
func stored(ev port.Event) (out port.Event, err error) {
	data, err := json.Marshal(ev)
	if err != nil {
		return out, err
	}
	out.Immediate = ev.Immediate // of a column
	return out, json.Unmarshal(data, &out)
}

func (q *Queue) find(delivery string) *item {
	for _, i := range q.items {
		if i.event.Delivery == delivery {
			return i
		}
	}
	return nil
}

// held finds an event by its lease.
func (q *Queue) held(ev port.Event) (*item, error) {
	i := q.find(ev.Delivery)
	if i == nil || i.state != leased || i.lease != ev.Lease {
		return nil, port.ErrLeaseLost
	}
	i.leasedUntil = q.clock.Now().Add(Lease)
	return i, nil
}

// release releases the events whose lease was not renewed in time.
func (q *Queue) release() {
	for _, i := range q.items {
		if i.state == leased && i.leasedUntil.Before(q.clock.Now()) {
			i.state, i.lease = ready, ""
			i.died(q.clock.Now())
		}
	}
}

// Claim leases the next event: an immediate one, or the first of a thread of which none is leased.
func (q *Queue) Claim(_ context.Context, immediate bool) (Claim, bool, error) {
	return q.claim(func(ev port.Event) bool { return ev.Kind != port.Following && ev.Immediate == immediate })
}

// claim leases the next of some events.
func (q *Queue) claim(these func(port.Event) bool) (c Claim, ok bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.release()
	for _, i := range q.items {
		if i.state != ready || !these(i.event) || i.notBefore.After(q.clock.Now()) || !i.event.Immediate &&
			q.behind(i) != nil {
			continue
		}
		q.leases++
		i.state, i.lease, i.leasedUntil = leased, fmt.Sprintf("lease-%d", q.leases), q.clock.Now().Add(Lease)
		i.attempts++
		i.watch.reported, i.told = false, nil
		c = Claim{Event: i.event, LastError: i.err, GaveUp: i.gaveUp, Cancelled: i.cancelledBy}
		c.Event.Lease, c.Event.Attempt, c.Event.Notified, c.Event.Acknowledged = i.lease, i.attempts, i.waited, i.seen
		if i.attempts <= MaxAttempts {
			i.err = nil
		}
		return c, true, nil
	}
	return Claim{}, false, nil
}

// behind returns what an event has to wait for; nil when it is the first of its thread.
func (q *Queue) behind(of *item) (ahead *item) {
	before := true
	for _, i := range q.items {
		if i == of {
			before = false
			continue
		}
		same := !i.event.Immediate && i.event.ThreadKey() == of.event.ThreadKey()
		if same && i.state == leased {
			return i
		}
		if same && before && i.state == ready && ahead == nil {
			ahead = i
		}
	}
	return ahead
}

// Renew extends a lease, and returns who cancelled the event.
func (q *Queue) Renew(_ context.Context, ev port.Event) (*port.CancelledError, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	i, err := q.held(ev)
	if err != nil {
		return nil, err
	}
	return i.cancelledBy, nil
}

// Complete ends the lease of an event that needs no more work.
func (q *Queue) Complete(_ context.Context, ev port.Event) error {
	return q.endLease(ev, finished, ev.Attempt, nil, 0)
}

// Retry makes an event ready again after a time.
func (q *Queue) Retry(_ context.Context, ev port.Event, cause error, after time.Duration) error {
	return q.endLease(ev, ready, ev.Attempt, cause, after)
}

// DeadLetter makes an event a dead letter; a redelivery makes it ready again.
func (q *Queue) DeadLetter(_ context.Context, ev port.Event, cause error) error {
	return q.endLease(ev, deadLetter, ev.Attempt, cause, 0)
}

// Release makes an event ready again as if it had not been claimed.
func (q *Queue) Release(_ context.Context, ev port.Event) error {
	return q.endLease(ev, ready, max(ev.Attempt-1, 0), nil, 0)
}

func (q *Queue) endLease(ev port.Event, to eventState, attempts int, cause error, after time.Duration) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	i, err := q.held(ev)
	if err != nil {
		return err
	}
	q.keepEnd(i, to)
	i.state, i.attempts, i.lease, i.end = to, attempts, "", nil
	if i.notBefore = q.clock.Now().Add(after); after == 0 {
		i.notBefore = time.Time{}
	}
	if cause != nil {
		i.err, i.waitsFor = cause, ""
	}
	if i.watch.reported && to == finished {
		i.look(q.clock.Now())
	}
	return nil
}

// Queued lists the leased event of the event's thread and those that are ready, but not the event itself.
func (q *Queue) Queued(ctx context.Context, ev port.Event) ([]port.QueuedEvent, error) {
	return locked(ctx, q, Call{Op: "Queued", Text: ev.ThreadKey()}, func() ([]port.QueuedEvent, error) {
		var list []*item
		for _, i := range q.inQueue(ev.ThreadKey()) {
			if i.event.Delivery != ev.Delivery && (i.state == leased || i.cancelledIn == "") {
				list = append(list, i)
			}
		}
		return queued(list), nil
	})
}

// inQueue returns the queue of a thread, the leased event first.
func (q *Queue) inQueue(thread string) (list []*item) {
	for _, i := range q.items {
		if !i.event.Immediate && i.event.ThreadKey() == thread && (i.state == leased || i.state == ready) {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b *item) int { return int(b.state) - int(a.state) })
	return list
}

func queued(list []*item) (out []port.QueuedEvent) {
	for _, i := range list[:min(len(list), maxListed)] {
		q := port.QueuedEvent{Event: i.event, Running: i.state == leased}
		if !q.Running {
			q.WaitsFor = i.waitsFor
		}
		out = append(out, q)
	}
	return out
}

// Cancel ends what is leased on the event's thread, and drops what is ready there and came before it.
func (q *Queue) Cancel(ctx context.Context, ev port.Event) ([]port.QueuedEvent, error) {
	return locked(ctx, q, Call{Op: "Cancel", Text: ev.ThreadKey(), Write: true}, func() ([]port.QueuedEvent, error) {
		if _, err := q.held(ev); err != nil {
			return nil, fmt.Errorf("cancelling: %w", err)
		}
		for _, i := range q.items {
			i.watch.stopped = i.watch.stopped || i.event.Kind == port.Following && threadOf(i.event) == ev.ThreadKey()
		}
		by := &port.CancelledError{By: ev.Sender.Login}
		for _, i := range q.inQueue(ev.ThreadKey()) {
			if i.cancelledIn == "" && slices.Contains(q.before(ev), i) {
				i.cancel(ev.Delivery, by)
			}
		}
		var list []*item
		for _, i := range q.items {
			if i.cancelledIn == ev.Delivery {
				list = append(list, i)
			}
		}
		slices.SortStableFunc(list, func(a, b *item) int { return order(a.state) - order(b.state) })
		return queued(list), nil
	})
}

// order puts what is leased first.
func order(s eventState) int {
	if s == leased {
		return 0
	}
	return 1
}

// cancel cancels an event. One that left a trace in its thread is handled once more, to report its end.
func (i *item) cancel(in string, by *port.CancelledError) {
	i.cancelledIn, i.cancelledBy = in, by
	if i.end != nil {
		i.end(by)
	}
	switch started := !i.started.IsZero(); {
	case i.state == ready && !i.waited && !started:
		i.state, i.err = finished, by
	case started:
		i.notBefore = time.Time{}
	}
}

// Running registers the function that ends the context of an event's handler.
func (q *Queue) running(ev port.Event, end context.CancelCauseFunc) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i, err := q.held(ev); err == nil {
		i.end = end
	}
}

// DeadLetters returns the events that are dead letters, and why.
func (q *Queue) DeadLetters() map[string]error {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := map[string]error{}
	for _, i := range q.items {
		if i.state == deadLetter {
			list[i.event.Delivery] = i.err
		}
	}
	return list
}

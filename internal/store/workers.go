package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Handler handles events. It must be safe for concurrent use: at a time it gets one event of a thread's queue, and any
// number of immediate events. It may be a QueueNotifier too.
//
// The context that it gets ends when the lease is lost, with port.ErrLeaseLost as the cause; when the event is
// cancelled, with a *port.CancelledError; and when the program stops and the grace time is over. A panic counts as an
// error.
type Handler interface {
	// Handle handles an event. It may get the same event again, after an error or when the process died; the records of
	// the event's run tell what was done. After nil, the event is done. After an error with Permanent() true, it becomes a
	// dead letter. After any other error, Handle is called again after some time, or after what RetryAfter() of the error
	// asks for, MaxAttempts times in all. An error that wraps a *port.WaitError, or is one of a connection or of the
	// database, is none of these failures: the event sleeps, until it has waited for Workers.Patience in all.
	//
	// Handle may get a cancelled event once more, with a context that has ended because of that, to report its end.
	// Records can be written until it returns. After nil or the context's error, the event is done; after another error,
	// Handle is called again likewise.
	Handle(ctx context.Context, ev port.Event) error
	// DeadLetter reports to people that an event failed for good, and why. It may get the same event again too.
	DeadLetter(ctx context.Context, ev port.Event, cause error) error
}

// Workers claim events of a store and have them handled. Set Store and Handler, and call Run once. A store has one
// Workers.
type Workers struct {
	Store   *Store
	Handler Handler
	// Count is how many events are handled at a time; 0 means 4. Sixteen immediate events are handled besides, and sixteen
	// that follow a commit.
	Count int
	// Kept is how many of these are kept for installations of which nothing is handled, and nothing has begun for ten
	// minutes: theirs begin at once, whatever others do. They wait only if there are more of them.
	Kept int
	// Log gets one line for each event that was not handled well; nil discards it.
	Log *slog.Logger
	// NoticeAfter is how long an event is queued before its notice; 0 means ten seconds.
	NoticeAfter time.Duration
	// Poll is how often the queue is read when nothing wakes the workers, for instance for retries that are due; 0 means a
	// second.
	Poll time.Duration
	// Grace is how long handlers may continue when the program stops, before their leases are released; 0 means 20
	// seconds.
	Grace time.Duration
	// Patience is how long an event may wait in all for what is not possible now, from the first time that it had to; 0
	// means DefaultPatience. It is not that of commits that are followed.
	Patience time.Duration
	// Hold reports whether nothing is claimed for now, nor anybody told, as no event could be handled; nil means never.
	Hold func() bool

	// process is the id of this process.
	process string
	// agenda is what people are to be told of events that are not handled yet.
	agenda *agenda
}

// errStopping is the cause that ends a handler's context when its grace time is over.
var errStopping = errors.New("the program stops")

// returnTimeout is how long a handler may take to return after its context has ended.
const returnTimeout = 5 * time.Second

// Run handles events until ctx ends. Then it claims no more, gives running handlers the grace time and releases the
// leases of the others. It returns an error if a handler has not returned even then; its event is claimed again when
// its lease expires, or at a restart.
func (w *Workers) Run(ctx context.Context) error {
	w.setDefaults()
	var pools, running sync.WaitGroup
	work, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	for _, p := range []*pool{
		w.pool(threadLane, w.Count, min(w.Kept, w.Count-1)),
		w.pool(immediateLane, besidesCount, 1),
		w.pool(followingLane, besidesCount, 0),
	} {
		pools.Go(func() { w.runPool(ctx, work, p, &running) })
	}
	if notifier, ok := w.Handler.(QueueNotifier); ok {
		running.Go(func() { (&teller{w, notifier, work}).run(ctx) })
	}
	pools.Wait()
	return w.stop(&running, cancel)
}

// besidesCount is how many immediate events are handled at a time, and how many that follow a commit. They mostly wait
// for GitHub: for up to ten seconds each, where its limits are reached.
const besidesCount = 16

// pool returns a pool for the events of a lane, with workers that are kept for newcomers.
func (w *Workers) pool(l lane, count, kept int) *pool {
	by := claimant{polls: w.Poll, lane: l, process: w.process}
	return &pool{count: count, open: count - kept, claimant: by, wake: w.Store.wake[l]}
}

// pool is a number of workers that claim events in one way.
type pool struct {
	// count is how many workers there are, and open how many of them are for everybody: the others are kept for newcomers.
	count, open int
	claimant    claimant
	wake        chan struct{}

	busy atomic.Int64
}

// runPool claims events until ctx ends, and starts a goroutine for each.
func (w *Workers) runPool(ctx, work context.Context, p *pool, running *sync.WaitGroup) {
	for ctx.Err() == nil {
		c, ok := w.claim(work, p)
		if !ok {
			w.wait(ctx, p)
			continue
		}
		p.busy.Add(1)
		running.Go(func() {
			defer p.release()
			claimed := time.Now()
			w.work(work, c)
			if c.Event.Notified {
				w.agenda.add(telling{thread: c.Event.ThreadKey()}, time.Until(claimed.Add(noticePause)))
			}
		})
	}
}

// release frees a worker. It wakes the pool, without blocking, if no worker was free for everybody: the end of the
// event's lease woke it too early.
func (p *pool) release() {
	if p.busy.Add(-1)+1 < int64(p.open) {
		return
	}
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (w *Workers) setDefaults() {
	w.process, w.agenda = rand.Text(), &agenda{}
	if w.Count <= 0 {
		w.Count = 4
	}
	if w.Log == nil {
		w.Log = slog.New(slog.DiscardHandler)
	}
	if w.Poll <= 0 {
		w.Poll = time.Second
	}
	if w.NoticeAfter <= 0 {
		w.NoticeAfter = noticeDelay
	}
	if w.Grace <= 0 {
		w.Grace = 20 * time.Second
	}
}

// claim claims the next event, if a worker is free for it and nothing holds them. An error is the database's, which may
// have recovered at the next poll.
func (w *Workers) claim(ctx context.Context, p *pool) (Claim, bool) {
	busy := int(p.busy.Load())
	if busy >= p.count || w.held() {
		return Claim{}, false
	}
	by := p.claimant
	by.newcomers = busy >= p.open
	c, ok, err := w.Store.claimNext(ctx, by)
	if err != nil {
		w.Log.ErrorContext(ctx, "cannot read the queue", "error", err)
	}
	return c, ok
}

// held reports whether no event can be handled for now.
func (w *Workers) held() bool { return w.Hold != nil && w.Hold() }

// wait returns when an event may be ready.
func (w *Workers) wait(ctx context.Context, p *pool) {
	poll := time.NewTimer(w.Poll)
	defer poll.Stop()
	select {
	case <-ctx.Done():
	case <-poll.C:
	case <-p.wake:
	}
}

// stop waits for running handlers, and ends their contexts after the grace time.
func (w *Workers) stop(running *sync.WaitGroup, cancel context.CancelCauseFunc) error {
	done := make(chan struct{})
	go func() {
		running.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-time.After(w.Grace):
		cancel(errStopping)
	}
	select {
	case <-done:
		return nil
	case <-time.After(returnTimeout):
		return fmt.Errorf("a handler did not return within %s after its context ended", returnTimeout)
	}
}

package web

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

const (
	// pause is how long a run is left alone at least after its page was rendered for watchers; longer if that took long.
	pause = 50 * time.Millisecond
	// pausePerCost is the pause in terms of what rendering took, so that it takes at most a fifth of a processor.
	pausePerCost = 4
	// maxPause bounds the pause after a failure, and after what took long.
	maxPause = 5 * time.Second
)

// rooms have the watchers of runs. A run is read and rendered once for all who see the same of it. Safe for concurrent
// use.
type rooms struct {
	// watch is Live.Watch, and render reads and renders a run.
	watch  func(ctx context.Context, run string, after uint64) (uint64, error)
	render func(ctx context.Context, k kind, before *snapshot) (*snapshot, error)

	log *slog.Logger

	mu   sync.Mutex
	open map[kind]*room
}

// kind is what watchers have in common who see the same.
type kind struct {
	run           string
	hidden, split bool
}

// room has the watchers of one kind. The mutex of rooms guards it.
type room struct {
	watchers int
	stop     context.CancelFunc
	shot     *snapshot
	// changed is closed when there is another snapshot.
	changed chan struct{}
}

// newRooms returns the rooms of runs.
func (p *pages) newRooms() *rooms {
	return &rooms{open: map[kind]*room{}, watch: p.Live.Watch, log: p.Log,
		render: func(ctx context.Context, k kind, before *snapshot) (*snapshot, error) {
			run, err := p.Runs.Run(ctx, k.run, k.hidden)
			if err != nil {
				return nil, err
			}
			return p.snapshot(run, k.split, before)
		}}
}

// enter adds a watcher. It must leave.
func (r *rooms) enter(k kind) *room {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.open[k]
	if m == nil {
		ctx, stop := context.WithCancel(context.Background())
		m = &room{stop: stop, changed: make(chan struct{})}
		r.open[k] = m
		go r.follow(ctx, k, m)
	}
	m.watchers++
	return m
}

// leave takes a watcher out of a room. The last one closes it.
func (r *rooms) leave(k kind, m *room) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m.watchers--; m.watchers == 0 {
		m.stop()
		delete(r.open, k)
	}
}

// look returns the newest snapshot, nil if there is none yet, and a channel that is closed when there is another.
func (r *rooms) look(m *room) (*snapshot, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return m.shot, m.changed
}

// follow renders a run whenever something has happened in it, until ctx ends or the run has ended. What happens
// meanwhile is rendered together.
func (r *rooms) follow(ctx context.Context, k kind, m *room) {
	var seen uint64
	var last *snapshot
	for {
		now, err := r.watch(ctx, k.run, seen)
		if ctx.Err() != nil {
			return
		}
		began := time.Now()
		var shot *snapshot
		if err == nil {
			shot, err = r.safely(ctx, k, last)
		}
		rest := min(pause+pausePerCost*time.Since(began), maxPause)
		if err != nil {
			r.log.WarnContext(ctx, "the page of a run could not be kept up to date", "run", k.run, "error", err)
			rest = maxPause
		} else {
			seen = now
			r.show(m, shot)
			last = shot
			if shot.ended {
				return
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(rest):
		}
	}
}

// safely renders a run. A panic is an error, as in a handler: no run can end the server.
func (r *rooms) safely(ctx context.Context, k kind, last *snapshot) (shot *snapshot, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v\n%s", fault, debug.Stack())
		}
	}()
	return r.render(ctx, k, last)
}

// show wakes the watchers of a room.
func (r *rooms) show(m *room, shot *snapshot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m.shot = shot
	close(m.changed)
	m.changed = make(chan struct{})
}

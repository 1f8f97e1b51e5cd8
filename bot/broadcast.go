package bot

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/engine"
)

// broadcast shows the reply to a call to the audience of a run while it arrives. It works beside the reading of the
// reply, which does not wait for it, and only while somebody watches.
type broadcast struct {
	audience view.Audience
	run      string
	call     int
	// without takes out of the text what nobody is to read.
	without func(string) string
	// try returns what would come of the edits of the reply so far.
	try func(ctx context.Context, text string) ([]record.Result, error)
	log *slog.Logger

	mu   sync.Mutex
	text []byte
	// fresh has a value while there is text that was not shown.
	fresh chan struct{}
}

const (
	// share is which part of the time is spent on showing a reply: the rest of it is a pause, which is at most as long as
	// showing took, or maxPause if that is longer.
	share    = 10
	maxPause = 80 * time.Millisecond
	// unwatched is after how long a reply is shown to somebody who begins to watch.
	unwatched = 500 * time.Millisecond
)

// listen returns what gets the reply as it arrives, after next, and what ends the broadcast.
func (b *broadcast) listen(ctx context.Context, next func(string)) (hear func(string), end func()) {
	b.fresh = make(chan struct{}, 1)
	ctx, cancel := context.WithCancel(ctx)
	var pump sync.WaitGroup
	pump.Go(func() { b.pump(ctx) })
	hear = func(piece string) {
		b.mu.Lock()
		if len(b.text) < secret.MaxStream {
			b.text = append(b.text, piece...)
		}
		b.mu.Unlock()
		select {
		case b.fresh <- struct{}{}:
		default:
		}
		next(piece)
	}
	return hear, func() { cancel(); port.Waiting(ctx, pump.Wait) }
}

// pump shows what has arrived until ctx ends. What goes wrong in that ends it, and neither the run nor the program: the
// run meets it where it is handled.
func (b *broadcast) pump(ctx context.Context) {
	defer func() {
		if p := recover(); p != nil {
			b.log.ErrorContext(ctx, "showing a reply panicked", "run", b.run, "panic", fmt.Sprint(p),
				"stack", string(debug.Stack()))
		}
	}()
	shown := shownSoFar{scanner: engine.NewScanner(engine.ParseOptions{})}
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.fresh:
		}
		for !b.audience.Watched(b.run) {
			if !slept(ctx, unwatched) {
				return
			}
		}
		start := time.Now()
		port.Working(ctx, func() { b.show(ctx, &shown) })
		took := time.Since(start)
		if !slept(ctx, min((share-1)*took, max(maxPause, took))) {
			return
		}
	}
}

// slept returns after a time, or false as soon as ctx ends.
func slept(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// shownSoFar is how much of a reply was shown.
type shownSoFar struct {
	masked  secret.Stream
	scanner *engine.Scanner
	read    int
}

// show shows the lines that have arrived since the last call, and what would come of the blocks if there are more.
func (b *broadcast) show(ctx context.Context, s *shownSoFar) {
	b.mu.Lock()
	piece, whole := string(b.text[s.read:]), string(b.text)
	b.mu.Unlock()
	s.read = len(whole)
	s.masked.Write(piece)
	if lines := s.masked.Next(); lines != "" {
		b.audience.Said(b.run, b.call, b.without(lines))
	}
	if len(s.scanner.Feed(piece)) == 0 {
		return
	}
	results, err := b.try(ctx, whole)
	if err != nil || ctx.Err() != nil { // whatever it is, the run meets it too
		return
	}
	b.audience.Tried(b.run, b.call, results)
}

// followed are the runs of which an audience learns what is recorded.
type followed struct {
	port.Runs
	audience view.Audience
}

func (f followed) Start(ctx context.Context, ev port.Event) (port.Run, error) {
	run, err := f.Runs.Start(ctx, ev)
	if err == nil {
		f.audience.Recorded(run.ID, "")
	}
	return run, err
}

func (f followed) Record(ctx context.Context, ev port.Event, run, name string, step port.Step) error {
	err := f.Runs.Record(ctx, ev, run, name, step)
	if err == nil {
		f.audience.Recorded(run, name)
	}
	return err
}

// audience returns those who watch runs.
func (b *Bot) audience() view.Audience {
	if b.Audience == nil {
		return view.Nobody{}
	}
	return b.Audience
}

// runs returns the records of runs, of which the audience learns.
func (b *Bot) runs() port.Runs { return followed{b.Runs, b.audience()} }

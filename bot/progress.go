package bot

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
)

// editPause is the time between edits of a running answer: content writes are scarce (GitHub's secondary limits are 80
// a minute and 500 an hour).
const editPause = 10 * time.Second

// shownStatus is a status and the answer that shows it, which is zero until it exists.
type shownStatus struct {
	report.Status
	answer record.AnswerComment
}

// progress keeps the answer of a run up to date while the run goes on. One that is nil, or not started, shows nothing.
// Safe for concurrent use once it is started.
type progress struct {
	mu    sync.Mutex
	now   shownStatus
	fresh chan struct{}
	quit  chan struct{}
	ended sync.WaitGroup
	// ctx is that of the run.
	ctx context.Context
	// shown reports whether this attempt has shown its progress in the answer.
	shown atomic.Bool
	// unsure reports whether this attempt failed to make the answer, which may be there anyway: the response can be lost.
	unsure atomic.Bool
}

// start starts to show how far a run is by show, at most once in editPause.
func (p *progress) start(ctx context.Context, t record.Target, show func(shownStatus)) {
	p.ctx, p.fresh, p.quit = ctx, make(chan struct{}, 1), make(chan struct{})
	p.now.Target = t
	p.ended.Go(func() {
		for p.due() {
			port.Working(ctx, func() { show(p.status()) })
		}
	})
}

func (p *progress) started() bool { return p != nil && p.quit != nil }

// stop ends the progress, and returns when its last edit is done: what is written next stays. It may be called again.
func (p *progress) stop() {
	if !p.started() {
		return
	}
	p.mu.Lock()
	select {
	case <-p.quit:
	default:
		close(p.quit)
	}
	p.mu.Unlock()
	port.Waiting(p.ctx, p.ended.Wait)
}

// due waits until the pause since the last edit is over and there is something new to show; false when the progress
// ends.
func (p *progress) due() bool {
	pause := time.NewTimer(editPause)
	defer pause.Stop()
	select {
	case <-p.quit:
		return false
	case <-pause.C:
	}
	select {
	case <-p.quit:
		return false
	case <-p.fresh:
		return true
	}
}

func (p *progress) status() shownStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

// update changes the status that is shown next.
func (p *progress) update(change func(*shownStatus)) {
	if !p.started() {
		return
	}
	p.mu.Lock()
	change(&p.now)
	p.mu.Unlock()
	select {
	case p.fresh <- struct{}{}:
	default:
	}
}

// listen returns the function that gets a model's answer as it arrives.
func (p *progress) listen(call int, without func(string) string) func(string) {
	p.update(func(now *shownStatus) { now.Stage, now.Call, now.Blocks = report.StageAsking, call, nil })
	scanner := engine.NewScanner(engine.ParseOptions{})
	return func(piece string) {
		blocks := scanner.Feed(piece)
		if len(blocks) == 0 {
			return
		}
		p.update(func(now *shownStatus) {
			for _, b := range blocks {
				now.Blocks = append(now.Blocks[:len(now.Blocks):len(now.Blocks)], secret.Path(without(b.Path)))
			}
		})
	}
}

package bot

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// look is how GitHub shows the thread of an event when a run looks at it for the first time.
type look struct {
	pull port.PullRequest
	// issue and repo are set instead for an issue; repo has its present name.
	issue port.Issue
	repo  port.RepoRef
	// err is why nothing could be seen.
	err error
	// tips are the tips of the branch of an open pull request and of its base, by ref, if they were read with it; at is
	// when they were.
	tips map[string]string
	at   time.Time
}

// look looks at the thread.
func (t thread) look(ctx context.Context) (l look) {
	if t.ev.Thread.Pull {
		l.pull, l.err = t.github.PullRequest(ctx, t.ev.Repo, t.ev.Thread.Number)
		return l
	}
	l.issue, l.repo, l.err = t.issue(ctx)
	return l
}

// looker remembers the first look at a thread.
type looker struct{ first *look }

// look looks at a thread, unless it has done that before.
func (k *looker) look(ctx context.Context, t thread) *look {
	if k.first == nil {
		l := t.look(ctx)
		k.first = &l
	}
	return k.first
}

// once returns a function that calls f when it is called first. Other calls wait for its end, on a channel: the clock
// of a test advances meanwhile, which it does not while a mutex is waited for.
func once(ctx context.Context, f func()) func() {
	var begun atomic.Bool
	done := make(chan struct{})
	return func() {
		if !begun.CompareAndSwap(false, true) {
			port.Waiting(ctx, func() { <-done })
			return
		}
		defer close(done)
		f()
	}
}

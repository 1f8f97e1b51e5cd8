package bot

import (
	"context"
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

// firstLook returns what the first look at the thread showed, in this attempt.
func (r *run) firstLook(ctx context.Context) look {
	if r.first == nil {
		l := r.thread().look(ctx)
		r.first = &l
	}
	return *r.first
}

// looksEarly reports whether the thread is looked at while the command is admitted, because nearly every such command
// has to. Which label gives a command is not known then.
func (r *run) looksEarly() bool {
	return !r.inv.Command.Immediate && r.inv.Problem == "" && r.ev.Kind != port.Labeled && r.journal.Record().Target == nil
}

// earlyLook returns what looks at the thread and reads the branch of a pull request, if that is done early, and what
// waits for it and returns the tip of the default branch as git has it, empty if it is unknown; nil if it will be. Git
// is asked once for these, unless the branch is in a fork. Both may be called concurrently.
func (r *run) earlyLook(ctx context.Context) (all func(), defaultTip func() string) {
	if !r.looksEarly() {
		return func() {}, nil
	}
	look := once(ctx, func() { r.firstLook(ctx) })
	if !r.ev.Thread.Pull {
		return look, nil
	}
	all = once(ctx, func() {
		look()
		if r.first.err != nil || r.first.pull.State != "open" {
			return
		}
		t := pullTarget(r.ev, r.first.pull, r.bot.Token)
		r.first.at = r.bot.Now()
		// What cannot be read now is asked for again where it is needed.
		r.first.tips, _ = r.files.branches().tips(ctx, t, defaultRef, branchRef(t.Base))
	})
	return all, func() string {
		look()
		if r.first.pull.Head.Repo.ID != r.ev.Repo.ID {
			return ""
		}
		all()
		return r.first.tips[defaultRef]
	}
}

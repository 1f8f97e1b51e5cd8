package bot

import (
	"context"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
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

// firstLook returns what the first look at the thread showed, in this attempt.
func (r *run) firstLook(ctx context.Context) look { return *r.looker.look(ctx, r.thread()) }

// look looks at a thread, unless it has done that before.
func (k *looker) look(ctx context.Context, t thread) *look {
	if k.first == nil {
		l := t.look(ctx)
		k.first = &l
	}
	return k.first
}

// opens reports whether the command works on a branch that is still to be found. Nearly every such command has to look
// at its thread.
func (r *run) opens() bool {
	return !r.inv.Command.Immediate && r.inv.Problem == "" && r.journal.Record().Target == nil
}

// earlyLook returns what looks at the thread and reads the branch of a pull request, if that is done early, and what
// waits for it and returns the tip of the default branch as git has it, empty if it is unknown; nil if it will be. Git
// is asked once for these, unless the branch is in a fork. Both may be called concurrently.
func (r *run) earlyLook(ctx context.Context) (all func(), defaultTip func() string) {
	if !r.opens() || r.ev.Kind == port.Labeled { // which label gives a command is not known yet
		return func() {}, nil
	}
	var first *look
	look := once(ctx, func() { first = r.looker.look(ctx, r.thread()) })
	if !r.ev.Thread.Pull {
		return look, nil
	}
	all = once(ctx, func() {
		look()
		if first.err != nil || first.pull.State != "open" {
			return
		}
		t := pullTarget(r.ev, first.pull, r.bot.Token)
		first.at = r.bot.Now()
		// What cannot be read now is asked for again where it is needed.
		first.tips, _ = r.files.branches().tips(ctx, t, repo.DefaultRef, branchRef(t.Base))
	})
	return all, func() string {
		look()
		if first.pull.Head.Repo.ID != r.ev.Repo.ID {
			return ""
		}
		all()
		return first.tips[repo.DefaultRef]
	}
}

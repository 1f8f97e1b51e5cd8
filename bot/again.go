package bot

import (
	"context"
	"fmt"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// verdict is whether a command may still be carried out, when it is about to change something.
type verdict struct {
	// refusal is why not, as a clause; empty if it may.
	refusal string
	// policy are the settings as they are now, main is the default branch.
	policy policy.Policy
	main   string
}

// readOnly returns why nothing is committed to the branch of a target, as a clause; empty if something may be. The
// branch may have become the default branch since it was opened.
func (v verdict) readOnly(t record.Target) string {
	if t.ReadOnly == "" && t.Fork == nil && t.Branch == v.main {
		return sentence.DefaultBranch
	}
	return t.ReadOnly
}

// settingsError is the error for edits that were made as settings allowed it that have changed since.
type settingsError struct{ policy policy.Policy }

func (e *settingsError) Error() string { return "the settings of the repository have changed" }

// askAgain asks GitHub once more, right before something is written, what was asked when the command was admitted: what
// its sender may do, the settings, and the state of the thread. While GitHub does not answer, nothing is written.
func (r *run) askAgain(ctx context.Context, head record.Target) (verdict, error) {
	var state sentence.ThreadState
	var main defaultBranch
	var failed error
	thread := r.thread()
	if m := r.journal.Record().Merge; m != nil {
		thread.merges = m.Branch
	}
	look := once(ctx, func() { state, main, failed = thread.stateNow(ctx, head) })
	var defaultTip func() string
	if r.ev.Thread.Pull || head.Pull != 0 {
		defaultTip = func() string { look(); return main.tip }
	}
	var permission port.Permission
	var now verdict
	err := port.Together(ctx,
		func() error { look(); return failed },
		func() (err error) { permission, err = thread.permission(ctx); return err },
		func() (err error) { now.policy, err = r.bot.policyFor(ctx, r.ev.Repo, defaultTip); return err },
	)
	if err != nil {
		return verdict{}, fmt.Errorf("asking again before the commit: %w", err)
	}
	now.main = main.name
	if state == sentence.PullMerged && r.inv.Command.OnMerged {
		state = sentence.ThreadState{}
	}
	if state != (sentence.ThreadState{}) {
		now.refusal = state.Clause()
		return now, nil
	}
	now.refusal = r.refusal(ctx, now.policy, permission)
	return now, nil
}

// refusal returns why what the run is about to write is no longer allowed, as a clause; empty if it is.
func (r *run) refusal(ctx context.Context, p policy.Policy, permission port.Permission) string {
	inv, _ := r.bot.invocation(r.ev) // a retry carries another command out
	for _, c := range []command.Command{inv.Command, r.inv.Command} {
		if needs := p.Needs(c); !permission.Allows(needs) {
			return sentence.NeedsPermissionNow(r.ev.Sender.Login, needs, permission)
		}
		if _, closed := p.Closed(); closed {
			return sentence.SettingsUnreadableNow
		}
		if p.Disabled {
			return sentence.DisabledNow
		}
		if !p.AllowsCommand(c) {
			return sentence.VerbNotAllowedNow
		}
	}
	if r.previewsOnly(ctx, p) {
		return sentence.PreviewWantedNow
	}
	return roundStops(r.ev, p)
}

// previewsOnly reports whether what the command asks for is shown and not committed: a label gave it, which adopts the
// text of somebody who may not write here. What was merged is adopted already.
func (r *run) previewsOnly(ctx context.Context, p policy.Policy) bool {
	return !r.inv.Command.OnMerged && r.triggerKind == port.Labeled && p.PreviewsStrangers(r.ev.Private) &&
		!r.people.mayWrite(ctx, r.trigger.Author)
}

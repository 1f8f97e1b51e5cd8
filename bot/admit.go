package bot

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// admit reads the settings and decides whether the sender may give the command; errTurnedAway if not. While GitHub does
// not answer, nobody may: nothing happens until it is known.
func (r *run) admit(ctx context.Context) (a admission, err error) {
	a = r.admission
	if !r.bot.serves(r.ev.Repo.Owner) {
		if r.bot.mayNotAsk(r.ev) {
			return a, errTurnedAway
		}
		if within, err := r.withinReplies(ctx); !within || err != nil {
			a.turned = port.ReasonReplies
			return a, cmp.Or(err, errTurnedAway)
		}
		a.turned = port.ReasonOwner
		return a, r.turnAway(ctx, a, sentence.NotServed(r.ev.Repo.Owner))
	}
	if counts, err := r.appCounts(ctx); !counts || err != nil {
		a.turned = port.ReasonApp
		return a, cmp.Or(err, errTurnedAway)
	}
	look, defaultTip := r.earlyLook(ctx)
	err = port.Together(ctx,
		func() (err error) {
			if a.permission, err = r.thread().permission(ctx); a.permission.Allows(r.inv.Command.Needs) {
				r.bot.GitHub.Prepare(r.ev.Repo, port.Answering) // the settings are not known yet
			}
			return err
		},
		func() (err error) { a.policy, err = r.bot.policyFor(ctx, r.ev.Repo, defaultTip); return err },
		func() error { look(); return nil },
	)
	if err != nil {
		return a, err
	}
	a.mentions = a.mentionsSender(r.ev, r.inv)
	if !labelCounts(r.ev, a.policy) {
		return a, errTurnedAway
	}
	if !a.permission.Allows(port.PermissionWrite) {
		if within, err := r.withinReplies(ctx); !within || err != nil {
			a.turned = port.ReasonReplies
			return a, cmp.Or(err, errTurnedAway)
		}
	}
	if needs := a.policy.Needs(r.inv.Command); !a.permission.Allows(needs) && !wasTesting(r.journal.Record()) {
		if refusedRound(r.ev, r.journal.Record()) {
			return a, &stoppedError{sentence.NeedsPermissionNow(r.ev.Sender.Login, needs, a.permission)}
		}
		a.turned = port.ReasonPermission
		return a, r.turnAway(ctx, a, sentence.NeedsPermission(r.ev.Sender.Login, r.inv.Command.Verb, needs, a.permission))
	}
	a.admitted = true
	return a, nil
}

// labelCounts reports whether the settings let the labels of an event give a command, if that is how it was given.
func labelCounts(ev port.Event, p policy.Policy) bool {
	switch {
	case command.AsksForBackport(ev):
		return p.BackportLabels
	case ev.Kind == port.Labeled:
		return strings.EqualFold(ev.Label, p.Label) // GitHub's labels ignore case
	}
	return true
}

// appCounts reports whether the event may give a command as far as the App goes that wrote it on behalf of the sender:
// unless the settings name that, it is a bot. Nothing else is asked of GitHub, and nothing is said.
func (r *run) appCounts(ctx context.Context) (bool, error) {
	if r.ev.Comment.App == "" {
		return true, nil
	}
	policy, err := r.bot.policyFor(ctx, r.ev.Repo, nil)
	if err != nil {
		return false, err
	}
	if !policy.AllowsApp(r.ev.Comment.App) {
		r.log.InfoContext(ctx, "ignored: written by an App that the settings do not name", "sender", r.ev.Sender.Login,
			"app", r.ev.Comment.App)
		return false, nil
	}
	return true, nil
}

// turnAway refuses somebody with a thumb down and, once per person and thread, a sentence.
func (r *run) turnAway(ctx context.Context, known admission, text string) error {
	r.log.InfoContext(ctx, "command refused: no permission", "sender", r.ev.Sender.Login, "verb", r.inv.Command.Verb)
	r.react(ctx, port.ReactionDown)
	if err := r.thread().untick(ctx, r.ev); err != nil {
		return err
	}
	marker := fmt.Sprintf("<!-- tenon:refused=%d -->", r.ev.Sender.ID)
	a := r.answersMentioning(known.mentions)
	if known.mentions { // a stranger is not notified
		text = a.signed(text)
	}
	text += "\n\n" + marker
	if replaced, err := a.replace(ctx, text); replaced || err != nil {
		if err == nil {
			r.checks().end(ctx, text, "failure")
		}
		return cmp.Or(err, errTurnedAway)
	}
	_, exists, err := r.bot.GitHub.FindComment(ctx, r.ev.Repo, a.replyPlace(), marker, time.Time{})
	if err != nil {
		return fmt.Errorf("looking for an earlier refusal: %w", err)
	}
	if exists {
		return errTurnedAway
	}
	if _, err := r.bot.GitHub.Post(ctx, r.ev.Repo, a.replyPlace(), text); err != nil {
		return fmt.Errorf("refusing: %w", err)
	}
	return errTurnedAway
}

// maxReplies is how many commands of one person without write permission are answered in an hour, with help or with a
// refusal: in a public repository that is anybody, and GitHub lets an app write no more than 500 times an hour.
const maxReplies = 10

// withinReplies reports whether a sender without write permission has not used up the replies of the hour. Otherwise
// nothing is said and nothing shown, unless something has to be ended: a queued notice, a tick, an attempt that died.
func (r *run) withinReplies(ctx context.Context) (bool, error) {
	if r.ev.Kind == port.Ticked || r.ev.Notified || r.resumed() {
		return true, nil
	}
	within, err := r.bot.Budget.CountReply(ctx, r.ev.Sender.ID, maxReplies)
	if err != nil {
		return false, fmt.Errorf("counting the replies to %s: %w", r.ev.Sender.Login, err)
	}
	if !within {
		r.log.InfoContext(ctx, "ignored: too many commands by a person without write permission", "sender",
			r.ev.Sender.Login)
	}
	return within, nil
}

// earlyLook returns what looks at the thread and reads the branch of a pull request, if that is done early, and what
// waits for it and returns the tip of the default branch as git has it, empty if it is unknown; nil if it will be. Git
// is asked once for these, unless the branch is in a fork. Both may be called concurrently.
func (r *run) earlyLook(ctx context.Context) (all func(), defaultTip func() string) {
	byLabel := r.ev.Kind == port.Labeled || r.ev.Kind == port.Closed // which one gives a command is not known yet
	if !r.opens() || byLabel {
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

// mentionsSender reports whether the final answer of a run mentions the sender, so that GitHub notifies them. What an
// App wrote for somebody notifies nobody, and neither does the refusal of somebody who may not write here.
func (a admission) mentionsSender(ev port.Event, inv command.Invocation) bool {
	return !a.policy.Quiet && ev.Comment.App == "" &&
		(a.permission.Allows(port.PermissionWrite) || inv.Problem == "" && a.permission.Allows(inv.Command.Needs))
}

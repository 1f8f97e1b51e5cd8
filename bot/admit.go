package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// errTurnedAway ends the run of somebody who may not give the command, and has been told.
var errTurnedAway = errors.New("turned away")

// admit reads the settings and decides whether the sender may give the command; errTurnedAway if not. While GitHub does
// not answer, nobody may: nothing happens until it is known.
func (r *run) admit(ctx context.Context) error {
	if !r.bot.serves(r.ev.Repo.Owner) {
		if r.bot.mayNotAsk(r.ev) {
			return errTurnedAway
		}
		r.turned = port.ReasonOwner
		if err := r.withinReplies(ctx); err != nil {
			return err
		}
		return r.turnAway(ctx,
			sentence.NotServed(r.ev.Repo.Owner))
	}
	if counts, err := r.appCounts(ctx); !counts || err != nil {
		r.turned = port.ReasonApp
		return cmp.Or(err, errTurnedAway)
	}
	look, defaultTip := r.earlyLook(ctx)
	err := together(ctx,
		func() (err error) {
			if r.permission, err = r.askPermission(ctx); r.permission.Allows(r.inv.Command.Needs) {
				r.bot.GitHub.Prepare(r.ev.Repo, port.Answering) // the settings are not known yet
			}
			return err
		},
		func() (err error) { r.policy, err = r.bot.policyAt(ctx, r.ev, defaultTip); return err },
		func() error { look(); return nil },
	)
	if err != nil {
		return err
	}
	r.mentions = r.mentionsSender(r.policy)
	if r.ev.Kind == port.Labeled && !strings.EqualFold(r.ev.Label, r.policy.Label) { // GitHub's labels ignore case
		return errTurnedAway
	}
	if !r.permission.Allows(port.PermissionWrite) {
		if err := r.withinReplies(ctx); err != nil {
			return err
		}
	}
	if needs := r.policy.Needs(r.inv.Command); !r.permission.Allows(needs) && !r.wasTesting() {
		if r.refusedRound() {
			return &stoppedError{sentence.NeedsPermissionNow(r.ev.Sender.Login, needs, r.permission)}
		}
		r.turned = port.ReasonPermission
		return r.turnAway(ctx, sentence.NeedsPermission(r.ev.Sender.Login, r.inv.Command.Verb, needs, r.permission))
	}
	return nil
}

// appCounts reports whether the event may give a command as far as the App goes that wrote it on behalf of the sender:
// unless the settings name that, it is a bot. Nothing else is asked of GitHub, and nothing is said.
func (r *run) appCounts(ctx context.Context) (bool, error) {
	if r.ev.Comment.App == "" {
		return true, nil
	}
	policy, err := r.bot.policyOf(ctx, r.ev)
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

// askPermission asks what the sender may do in the repository.
func (r *run) askPermission(ctx context.Context) (port.Permission, error) {
	permission, err := r.bot.GitHub.Permission(ctx, r.ev.Repo, r.ev.Sender.Login)
	if errors.Is(err, port.ErrNotFound) {
		return port.PermissionNone, nil
	}
	if err != nil {
		return "", fmt.Errorf("asking for the permission of %s: %w", r.ev.Sender.Login, err)
	}
	return permission, nil
}

// permits returns a *port.UserError if the settings of the repository do not allow a command.
func (r *run) permits(c command.Command) error {
	if handler(c) == nil || c.AlwaysAllowed {
		return nil
	}
	p := r.policy
	if broken, ok := p.Closed(); ok {
		return sentence.SettingsUnreadable(r.settings().Problem(broken))
	}
	if p.Disabled {
		return sentence.Disabled(r.settings().Sources("enabled"))
	}
	if !p.AllowsCommand(c) {
		return sentence.VerbNotAllowed(c.Verb, r.settings().Sources("verbs"), policy.WordsOr(p.Verbs, "nothing else"))
	}
	return nil
}

// turnAway refuses somebody with a thumb down and, once per person and thread, a sentence.
func (r *run) turnAway(ctx context.Context, text string) error {
	r.log.InfoContext(ctx, "command refused: no permission", "sender", r.ev.Sender.Login, "verb", r.inv.Command.Verb)
	r.react(ctx, port.ReactionDown)
	if err := untick(ctx, r, r.ev); err != nil {
		return err
	}
	marker := fmt.Sprintf("<!-- tenon:refused=%d -->", r.ev.Sender.ID)
	a := r.answers()
	if r.mentions { // a stranger is not notified
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

// withinReplies returns errTurnedAway if a sender without write permission has used up the replies of the hour. Then
// nothing is said and nothing shown, unless something has to be ended: a queued notice, a tick, an attempt that died.
func (r *run) withinReplies(ctx context.Context) error {
	if r.ev.Kind == port.Ticked || r.ev.Notified || r.resumed() {
		return nil
	}
	within, err := r.bot.Budget.CountReply(ctx, r.ev.Sender.ID, maxReplies)
	if err != nil {
		return fmt.Errorf("counting the replies to %s: %w", r.ev.Sender.Login, err)
	}
	if !within {
		r.log.InfoContext(ctx, "ignored: too many commands by a person without write permission", "sender",
			r.ev.Sender.Login)
		r.turned = port.ReasonReplies
		return errTurnedAway
	}
	return nil
}

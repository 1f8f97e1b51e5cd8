package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/report"
)

// cancelledRun is the conclusion of the check run of a cancelled run.
const cancelledRun = "cancelled"

// end ends a run that changed nothing with a sentence. A cancelled run needs no check run: who cancelled it knows.
func (r *run) end(ctx context.Context, a answers, text, conclusion string) error {
	if err := a.reply(ctx, text); err != nil {
		return err
	}
	if conclusion == cancelledRun {
		r.checks().close(ctx, text, conclusion)
	} else {
		r.checks().end(ctx, text, conclusion)
	}
	r.react(ctx, port.ReactionConfused)
	r.tryUntick(ctx, r.ev)
	return nil
}

// endUnfinished answers that the run will not be tried again. That is no final answer: a redelivery may still finish
// it.
func (r *run) endUnfinished(ctx context.Context, a answers, text string) error {
	if r.journal.Record().Final != nil {
		return nil
	}
	if _, err := a.put(ctx, a.replyPlace(), a.withMark(a.withSignOff(text), false)); err != nil {
		return fmt.Errorf("answering with a dead letter: %w", err)
	}
	r.checks().close(ctx, text, "failure")
	reaction := port.ReactionConfused
	if committed(r.journal.Record()) {
		reaction = port.ReactionRocket
	}
	r.react(ctx, reaction)
	return nil
}

// endUnread is endUnfinished for a run whose record cannot be read.
func (r *run) endUnread(ctx context.Context, a answers, text string) error {
	body := a.signed(text)
	replaced, err := a.replace(ctx, body)
	if err == nil && !replaced {
		_, err = a.post(ctx, a.replyPlace(), body, a.github.Post)
	}
	if err != nil {
		return fmt.Errorf("answering with a dead letter: %w", err)
	}
	r.react(ctx, port.ReactionConfused)
	return nil
}

// endCancelled ends a cancelled run. Without an answer so far, the one to the cancelling command is enough: whoever
// gave this command may be a stranger, or has seen nothing of it.
func (r *run) endCancelled(ctx context.Context, cause *port.CancelledError) error {
	err := r.answers().adopt(ctx)
	if errors.Is(err, errNoAnswer) {
		r.checks().close(ctx, report.CancelledBody(cause), cancelledRun)
		return r.thread().untick(ctx, r.ev)
	}
	if err != nil {
		return err
	}
	mention := r.mentions
	if !r.admitted && r.ev.Notified {
		p, err := r.bot.policyFor(ctx, r.ev.Repo, nil)
		mention = err == nil && !p.Quiet && r.ev.Comment.App == ""
	}
	return r.end(ctx, r.answersMentioning(mention), report.CancelledBody(cause), cancelledRun)
}

// endStopped ends a round of autofix that was stopped. If it has shown that it works, that becomes the reason.
func (r *run) endStopped(ctx context.Context, why *stoppedError) error {
	if rec := r.journal.Record(); rec.Answer == nil || rec.Final != nil {
		return nil
	}
	return r.end(ctx, r.answersMentioning(false), "Autofix ended: "+why.why+".", cancelledRun)
}

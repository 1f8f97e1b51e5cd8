package bot

import (
	"context"
	"errors"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// DeadLetter tells the person who gave the command that it will not be tried again. cause is for the log, not for the
// answer.
func (b *Bot) DeadLetter(ctx context.Context, ev port.Event, cause error) error {
	r, err := b.start(ctx, ev, func() *port.CancelledError { return nil })
	var unreadable *record.UnreadableError
	if errors.As(err, &unreadable) { // of the run itself: its answer is found by its marker
		r, err = b.startUnread(ctx, ev)
	}
	if r == nil || err != nil {
		return err
	}
	defer b.audience().Ended(r.id())
	r.log.ErrorContext(ctx, "dead letter", "error", cause)
	var looked bool
	if unreadable == nil {
		if looked, err = r.committer().lookForCommit(ctx); err != nil {
			return err
		}
		r.auditor().ended(ctx, cause)
	}
	defer r.endRound(ctx, "")
	dropped := r.verifier().dropScratch(ctx)
	if b.mayNotAsk(ev) {
		return dropped
	}
	a := r.answersMentioning(r.mentionsInDeadLetter(ctx))
	text := deadLetterText(ev, cause, r.journal.Record(), looked, r.links())
	if unreadable != nil {
		return b.unlessNoThread(ctx, ev, r.endUnread(ctx, a, text))
	}
	return errors.Join(dropped, b.unlessNoThread(ctx, ev, r.endUnfinished(ctx, a, text)))
}

// mentionsInDeadLetter is mentionsSender for a run that died. An answer or a branch on record means that the sender was
// admitted before; where the settings cannot be read, nobody is mentioned.
func (r *run) mentionsInDeadLetter(ctx context.Context) bool {
	rec := r.journal.Record()
	if rec.Answer == nil && rec.Target == nil || r.ev.Comment.App != "" {
		return false
	}
	p, err := r.bot.policyFor(ctx, r.ev.Repo, nil)
	if err != nil {
		r.log.InfoContext(ctx, "nobody is mentioned in the dead letter", "error", err)
		return false
	}
	return !p.Quiet
}

// lookForCommit looks on the branch for the commit of a run that died when it may have made one, and records it. It
// reports whether it could look. It returns an error if that has to wait.
func (c committer) lookForCommit(ctx context.Context) (looked bool, err error) {
	rec := c.journal.Record()
	if !rec.Committing || rec.Committed != nil || rec.Target == nil || len(rec.Applications) == 0 {
		return false, nil
	}
	last := rec.LastApplication()
	sha, found, err := c.findCommit(ctx, *rec.Target, last.Base)
	if wait := (*port.WaitError)(nil); errors.As(err, &wait) {
		return false, err
	}
	if err != nil {
		c.log.WarnContext(ctx, "cannot look for the commit of a dead letter", "error", err)
		return false, nil
	}
	if found {
		err = record.Put(ctx, c.journal, record.CommitMade, record.Committed{Application: last, SHA: sha})
	}
	return true, err
}

// deadLetterText is the answer to a command that will not be tried again. looked reports whether the branch has no
// commit of its run but the recorded one.
func deadLetterText(ev port.Event, cause error, rec record.Record, looked bool, links port.Links) string {
	state := sentence.DeadLetterState{Committing: rec.Committing && rec.Committed == nil, NotOnBranch: looked}
	if committed(rec) {
		state.CommitLink = report.CommitLink(links, rec.Committed.SHA)
	}
	if rec.Target != nil {
		state.Branch = rec.Target.Branch
	}
	return sentence.DeadLetter(cause, ev.Delivery, state)
}

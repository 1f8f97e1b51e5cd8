package bot

import (
	"context"
	"errors"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
)

// commit makes a change and commits it. If the branch moved meanwhile, it makes the change again on the new tip, and if
// the settings did, as they allow it now. Before that it looks for the run's own commit: an earlier attempt may have
// died after it, or the response to a push may be lost.
func (c committer) commit(ctx context.Context, head record.Target, ch change) (record.Committed, error) {
	return record.Do(ctx, c.journal, record.CommitMade, func(ctx context.Context) (record.Committed, error) {
		if err := c.verifier.resume(ctx); err != nil {
			return record.Committed{}, err
		}
		if made, ok, err := c.madeBefore(ctx, head, ch); ok || err != nil {
			return made, err
		}
		for moves, tries := 0, 0; ; tries++ {
			made, err := c.commitOnce(ctx, head, ch, moves > 0)
			var other *settingsError
			switch {
			case errors.As(err, &other):
				if tries == maxMoves {
					return c.leave(ctx, head, ch, keepsChanging(moves))
				}
				c.policy, c.files.opened = other.policy, nil // what was staged is not to be committed
			case errors.Is(err, errFurtherEdits):
				c.files.opened = nil // as above
			case errors.Is(err, errRestless):
				return c.leave(ctx, head, ch, keepsChanging(moves))
			case errors.Is(err, port.ErrMoved):
				moves++
				if made, ok, err := c.madeBefore(ctx, head, ch); ok || err != nil {
					return made, err
				}
				next, why, err := c.moved(ctx, head)
				if err != nil {
					return record.Committed{}, err
				}
				if why == "" && tries == maxMoves {
					why = keepsChanging(moves)
				}
				if why != "" {
					return c.leave(ctx, head, ch, why)
				}
				head = next
			default:
				if err == nil {
					err = c.keepConflicts(ctx, head, ch, &made)
				}
				made.Moves = moves
				return made, err
			}
		}
	})
}

// keepsChanging says that a branch, or settings, change again and again, as a clause.
func keepsChanging(moves int) string {
	if moves <= maxMoves {
		return sentence.ChangedTooOften
	}
	return sentence.MovedTooOften(moves)
}

// leave leaves the edits that were applied last for people, as a patch, with the reason why nothing was committed.
func (c committer) leave(ctx context.Context, head record.Target, ch change, why string) (record.Committed, error) {
	last := c.journal.Record().LastApplication()
	made := record.Committed{Application: last, Subject: subjectOf(ch.message(last)), Unpushed: why}
	checkout, err := c.files.at(ctx, head)
	if err == nil {
		err = c.keepPatch(ctx, head, checkout, &made)
	}
	return made, err
}

// stageAgain makes a change on one commit. If the branch moved, what conflicts with it is rewritten before that.
func (c committer) stageAgain(ctx context.Context, head record.Target, ch change, moved bool) (repo.Checkout,
	engine.Outcome, error) {
	checkout, outcome, err := c.stage(ctx, head, ch)
	if err != nil || !moved || ch.rewrite == nil {
		return checkout, outcome, err
	}
	c.files.opened = nil // nobody is to see what was staged
	again, err := ch.rewrite(ctx, head, outcome.Results)
	if err == nil && again {
		c.files.opened = nil
		return c.stage(ctx, head, ch)
	}
	c.files.opened = checkout
	return checkout, outcome, err
}

// offersOnly returns why a change that was applied is offered to people instead of being committed, or "".
func (c committer) offersOnly(head record.Target, ch change, a record.Application) string {
	switch {
	case c.policy.HoldCautions && !ch.chosen && len(a.Cautions) > 0: // the edits, or the settings, are others now
		return sentence.CautionHeld
	case ch.unfinished != nil && ch.unfinished():
		return sentence.ReplyBroke
	}
	return head.ReadOnly
}

// commitOnce makes a change on one commit, records the results, and commits it.
func (c committer) commitOnce(ctx context.Context, head record.Target, ch change, moved bool) (record.Committed,
	error) {
	checkout, outcome, err := c.stageAgain(ctx, head, ch, moved)
	if err != nil {
		return record.Committed{}, err
	}
	a := record.Application{Base: head.SHA, Results: record.Results(outcome), Changed: outcome.Changed}
	for i, n := range ch.numbers {
		a.Results[i].Number = n
	}
	if a.Cautions, err = c.cautions(ctx, head, checkout, ch); err != nil {
		return record.Committed{}, err
	}
	if err := record.Put(ctx, c.journal, record.Applied(len(c.journal.Record().Applications)+1), a); err != nil {
		return record.Committed{}, err
	}
	message := ch.message(a)
	made := record.Committed{Application: a, Subject: subjectOf(message)}
	commit := newCommit{checkout: checkout, message: message}
	if ch.merged != nil {
		commit.merged, commit.common = ch.merged()
	}
	if len(outcome.Changed) == 0 && commit.merged == nil {
		return made, nil
	}
	now, err := c.again(ctx, head)
	switch {
	case err != nil:
		return record.Committed{}, err
	case now.refusal != "":
		made.Unpushed = now.refusal
		err = c.keepPatch(ctx, head, checkout, &made)
		return made, err
	case !now.policy.TreatsEditsAs(c.policy):
		return record.Committed{}, &settingsError{now.policy}
	case c.policy.Hold && record.Count(a.Results).Failed > 0:
		made.Held = true
		err = c.offer(ctx, head, checkout, &made)
		return made, err
	}
	head.ReadOnly = now.readOnly(head)
	if made.Unpushed = c.offersOnly(head, ch, a); made.Unpushed != "" {
		err = c.offerOnly(ctx, head, checkout, &made)
		return made, err
	}
	c.progress.update(func(now *shownStatus) { now.Stage = report.StageCommitting })
	test, err := c.test(ctx, head, commit, now.policy.Verify)
	switch {
	case err != nil:
		return made, err
	case test.State == record.VerifyFailed || test.State == record.VerifyCancelled:
		err = c.leaveUnverified(ctx, head, ch, staged{checkout, outcome.Results}, test, &made)
		return made, err
	}
	if ch.stops != nil {
		if made.Unpushed, err = ch.stops(ctx); made.Unpushed != "" || err != nil {
			return made, err
		}
	}
	made.SHA, err = c.place(ctx, head, commit, test)
	why := refused(head, c.token, err)
	if errors.Is(err, port.ErrDenied) && c.token == port.AppToken && commit.changesWorkflows() {
		why = sentence.ChangesWorkflows
	}
	if head.Fork != nil && commit.merged != nil && isAboutWorkflows(err) {
		why = sentence.ForkLacksWorkflows
	}
	if why != "" {
		c.log.InfoContext(ctx, "commit refused", "branch", head.Branch, "error", err)
		if made.Unpushed = why; head.Fork == nil {
			made.Said = saidOf(err)
		}
		if made.Staged, err = offerable(head, checkout, err); err != nil {
			return made, err
		}
		err = c.offer(ctx, head, checkout, &made)
	}
	return made, err
}

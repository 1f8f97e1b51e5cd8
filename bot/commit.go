package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
)

// maxMoves is how often the edits are applied again because the branch moved meanwhile.
const maxMoves = 3

// change is what a run does to the files of a branch.
type change struct {
	// stage makes the change on a checkout as a policy allows it, and returns the result of each part.
	stage func(ctx context.Context, checkout repo.Checkout, p policy.Policy) (engine.Outcome, error)
	// message returns the message of the commit.
	message func(a record.Application) string
	// numbers are those of the parts; nil if they are counted from 1.
	numbers []int
	// rewrite has the parts written again for a new tip, if they are in conflict with it, and reports whether they were;
	// nil if nobody can.
	rewrite func(ctx context.Context, head record.Target, results []engine.Result) (bool, error)
	// retest has further parts written after a workflow failed on those so far, and reports whether there are any; nil if
	// nobody can. results are those of the parts so far.
	retest func(ctx context.Context, head record.Target, test record.Verification, results []engine.Result) (bool, error)
	// unfinished reports whether further parts were being written when an outage of the model ended that; nil if nobody
	// writes them.
	unfinished func() bool
	// apart stages the parts of files that results name, on the versions of these files that the parts were written for;
	// nil if there are no others than those of the branch. The checkout is nil if those versions are gone.
	apart func(ctx context.Context, results []record.Result, p policy.Policy) (repo.Checkout, error)
}

// committer commits changes to the branch of a target.
type committer struct {
	github port.GitHub
	// again asks whether the command may still be carried out, moveOf who moved a branch.
	again  func(ctx context.Context, head record.Target) (verdict, error)
	moveOf func(ctx context.Context, t record.Target, from, to string) (move, error)
	// answer is the text of the review with suggestions if that is the answer of the run; else empty.
	answer   string
	files    *workspace
	verifier verifier
	ev       port.Event
	policy   policy.Policy
	journal  *record.Journal
	messages messages
	progress *progress
	log      *slog.Logger
	token    port.TokenKind // what the bot has to commit
}

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

// moved returns the target at the present tip of its branch, or, as a clause, why nothing is to be committed there any
// more.
func (c committer) moved(ctx context.Context, head record.Target) (next record.Target, why string, err error) {
	c.log.InfoContext(ctx, "branch moved, applying again", "branch", head.Branch)
	next = onOwnBranch(head) // of a new branch, somebody made it
	tip, ok, err := c.files.branches().tip(ctx, next)
	switch {
	case err != nil:
		return record.Target{}, "", fmt.Errorf("asking for the tip of %s: %w", head.Branch, err)
	case !ok:
		return record.Target{}, sentence.DeletedMeanwhile, nil
	case tip == head.SHA && !head.New: // what refused the commit sees another tip than git
		return record.Target{}, "", lagging("committing to %s, which points to %s: %w", head.Branch, tip, port.ErrMoved)
	}
	by, err := c.moveOf(ctx, next, head.SHA, tip)
	if why = by.stops; by.stranger != "" {
		why = sentence.MovedByStranger(by.from, by.to, by.stranger)
	}
	next.SHA = tip
	return next, why, err
}

// madeBefore returns the commit of the last application, if there is one.
func (c committer) madeBefore(ctx context.Context, head record.Target, ch change) (record.Committed, bool, error) {
	if len(c.journal.Record().Applications) == 0 {
		return record.Committed{}, false, nil
	}
	last := c.journal.Record().LastApplication()
	sha, ok, err := c.findCommit(ctx, head, last.Base)
	if err != nil {
		return record.Committed{}, false, fmt.Errorf("looking for the commit of run %s: %w", c.messages.run, err)
	}
	if !ok {
		return record.Committed{}, false, nil
	}
	return record.Committed{Application: last, SHA: sha, Subject: subjectOf(ch.message(last))}, true, nil
}

// findCommit looks for the run's own commit, which is not there while the branch is still at base. It looks behind the
// tip of the branch as git has it: GitHub's list of the commits of a branch lags. That of a fork is asked for here,
// where GitHub keeps the commits of its pull request too.
func (c committer) findCommit(ctx context.Context, head record.Target, base string) (sha string, ok bool, err error) {
	tip, ok, err := c.files.branches().tip(ctx, onOwnBranch(head))
	if !ok || err != nil || tip == base {
		return "", false, err
	}
	sha, ok, err = c.github.FindCommit(ctx, c.ev.Repo, tip, c.messages.trailer())
	if errors.Is(err, port.ErrNotFound) {
		return "", false, lagging("%w", err)
	}
	return sha, ok, err
}

// commitOnce makes a change on one commit, records the results, and commits it.
func (c committer) commitOnce(ctx context.Context, head record.Target, ch change, moved bool) (record.Committed,
	error) {
	checkout, outcome, err := c.stage(ctx, head, ch)
	if err == nil && moved && ch.rewrite != nil {
		c.files.opened = nil // nobody is to see what was staged
		var again bool
		switch again, err = ch.rewrite(ctx, head, outcome.Results); {
		case err == nil && again:
			c.files.opened = nil
			checkout, outcome, err = c.stage(ctx, head, ch)
		default:
			c.files.opened = checkout
		}
	}
	if err != nil {
		return record.Committed{}, err
	}
	a := record.Application{Base: head.SHA, Results: record.Results(outcome), Changed: outcome.Changed}
	for i, n := range ch.numbers {
		a.Results[i].Number = n
	}
	if err := record.Put(ctx, c.journal, record.Applied(len(c.journal.Record().Applications)+1), a); err != nil {
		return record.Committed{}, err
	}
	message := ch.message(a)
	made := record.Committed{Application: a, Subject: subjectOf(message)}
	if len(outcome.Changed) == 0 {
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
	case ch.unfinished != nil && ch.unfinished():
		made.Unpushed = sentence.ReplyBroke
		err = c.offer(ctx, head, checkout, &made)
		return made, err
	case head.ReadOnly != "":
		made.Unpushed = head.ReadOnly
		err = c.offer(ctx, head, checkout, &made)
		return made, err
	}
	c.progress.update(func(now *shownStatus) { now.Stage = report.StageCommitting })
	test, err := c.test(ctx, head, checkout, message, now.policy.Verify)
	switch {
	case err != nil:
		return made, err
	case test.State == record.VerifyFailed || test.State == record.VerifyCancelled:
		err = c.leaveUnverified(ctx, head, ch, staged{checkout, outcome.Results}, test, &made)
		return made, err
	}
	made.SHA, err = c.place(ctx, head, checkout, message, test)
	if why := refused(head, c.token, err); why != "" {
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

// stage makes a change on the commit of a target.
func (c committer) stage(ctx context.Context, head record.Target, ch change) (repo.Checkout, engine.Outcome, error) {
	checkout, err := c.files.at(ctx, head)
	if err != nil {
		return nil, engine.Outcome{}, err
	}
	c.progress.update(func(now *shownStatus) { now.Stage = report.StageApplying })
	outcome, err := ch.stage(ctx, checkout, c.policy)
	return checkout, outcome, err
}

// push makes a commit of what was staged and moves the branch to it: by the API, which signs it, or by git, as the
// settings want it; to a fork by git. port.ErrMoved if the branch is no longer at the target's commit, and then nothing
// has happened.
func (c committer) push(ctx context.Context, t record.Target, checkout repo.Checkout, message string) (sha string,
	err error) {
	if t.Fork != nil || c.policy.Push || !c.github.Has(port.FeatureVerifiedCommits) {
		made, err := checkout.Commit(ctx, c.messages.request(t, message))
		return made.SHA, wrapPush(t, err)
	}
	changes, err := checkout.Changes()
	if err != nil {
		return "", fmt.Errorf("listing what was staged for %s: %w", t.Branch, err)
	}
	sha, err = c.github.Upload(ctx, c.ev.Repo, port.Upload{
		Branch: t.Branch, New: t.New, Parent: checkout.SHA(), Tree: checkout.Tree(), Changes: changes, Message: message,
	})
	if err == nil {
		checkout.Committed(changes)
	}
	return sha, wrapPush(t, err)
}

func wrapPush(t record.Target, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("committing to %s: %w", t.Branch, err)
}

// refused returns why GitHub did not take a commit, as a clause; empty if that is not what err is about. kind is what
// the bot has to commit.
func refused(t record.Target, kind port.TokenKind, err error) string {
	var rejected *port.RejectedError
	switch {
	case errors.As(err, &rejected) && t.Fork != nil:
		return sentence.ForkRefusedPush(saidOf(err))
	case errors.As(err, &rejected):
		return sentence.BranchRefused
	case errors.Is(err, port.ErrDenied) && t.Fork != nil:
		return sentence.ForkDenied(kind)
	case errors.Is(err, port.ErrDenied):
		return sentence.MayNotWrite(kind, err)
	case errors.Is(err, port.ErrNotFound) && t.Fork != nil:
		return sentence.ForkDeleted
	case permanent(err) && !errors.Is(err, port.ErrNotFound):
		return sentence.CommitRefused
	}
	return ""
}

// maxSaid bounds what is kept of GitHub's words for a refusal, in characters.
const maxSaid = 1000

// saidOf returns GitHub's words for a refusal; empty if it gave none.
func saidOf(err error) string {
	var rejected *port.RejectedError
	if !errors.As(err, &rejected) {
		return ""
	}
	return markdown.Clip(secret.Redacted(rejected.Text), maxSaid)
}

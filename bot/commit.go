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
	"github.com/tenon-bot/tenon/engine"
)

// maxMoves is how often the edits are applied again because the branch moved meanwhile.
const maxMoves = 3

// change is what a run does to the files of a branch.
type change struct {
	// stage makes the change on a checkout, and returns the result of each part.
	stage func(ctx context.Context, checkout repo.Checkout) (engine.Outcome, error)
	// message returns the message of the commit.
	message func(a record.Application) string
	// numbers are those of the parts; nil if they are counted from 1.
	numbers []int
}

// committer commits changes to the branch of a target.
type committer struct {
	github   port.GitHub
	thread   thread
	files    *workspace
	ev       port.Event
	policy   policy.Policy
	journal  *record.Journal
	messages messages
	progress *progress
	log      *slog.Logger
}

// commit makes a change and commits it. If the branch moved meanwhile, it makes the change again on the new tip. Before
// that it looks for the run's own commit: an earlier attempt may have died after it, or the response to a push may be
// lost.
func (c committer) commit(ctx context.Context, head record.Target, ch change) (record.Committed, error) {
	return record.Do(ctx, c.journal, record.CommitMade, func() (record.Committed, error) {
		for moves := 0; ; moves++ {
			if tried := c.journal.Record().Applications; len(tried) > 0 {
				if made, ok, err := c.madeBefore(ctx, head, ch, tried[len(tried)-1]); ok || err != nil {
					return made, err
				}
			}
			if moves > maxMoves {
				return record.Committed{},
					&port.UserError{Text: fmt.Sprintf("%s moved %d times while tenon was applying the edits, so "+
						"nothing was committed. Give the command again when the branch is quiet.", markdown.Code(head.Branch), moves)}
			}
			if moves > 0 {
				var err error
				if head, err = c.moved(ctx, head); err != nil {
					return record.Committed{}, err
				}
			}
			made, err := c.commitOnce(ctx, head, ch)
			if !errors.Is(err, port.ErrMoved) {
				made.Moves = moves
				return made, err
			}
		}
	})
}

// moved returns the target at the present tip of its branch.
func (c committer) moved(ctx context.Context, head record.Target) (record.Target, error) {
	c.log.InfoContext(ctx, "branch moved, applying again", "branch", head.Branch)
	tip, err := c.files.tip(ctx, onOwnBranch(head)) // of a new branch, somebody made it
	if err != nil {
		return record.Target{}, err
	}
	if tip.SHA == head.SHA && !head.New { // what refused the commit sees another tip than git
		return record.Target{}, lagging("committing to %s, which points to %s: %w", head.Branch, tip.SHA, port.ErrMoved)
	}
	return tip, nil
}

// madeBefore returns the commit of the last application, if there is one.
func (c committer) madeBefore(ctx context.Context, head record.Target, ch change,
	last record.Application) (record.Committed, bool, error) {
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
func (c committer) commitOnce(ctx context.Context, head record.Target, ch change) (record.Committed, error) {
	checkout, err := c.files.at(ctx, head)
	if err != nil {
		return record.Committed{}, err
	}
	c.progress.update(func(now *shownStatus) { now.Stage = report.StageApplying })
	outcome, err := ch.stage(ctx, checkout)
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
	made := record.Committed{Application: a}
	switch made.Held = c.policy.Hold && record.Count(a.Results).Failed > 0; {
	case len(outcome.Changed) == 0 || made.Held:
		return made, nil
	case head.ReadOnly != "":
		made.Unpushed = head.ReadOnly
		err = c.offer(ctx, head, checkout, &made)
		return made, err
	}
	state, err := c.thread.stateSince(ctx, head)
	if err != nil {
		return record.Committed{}, err
	}
	if state != (threadState{}) {
		made.Unpushed = state.clause + " by now"
		err = c.keepPatch(ctx, head, checkout, &made)
		return made, err
	}
	c.progress.update(func(now *shownStatus) { now.Stage = report.StageCommitting })
	message := ch.message(a)
	made.Subject = subjectOf(message)
	made.SHA, err = c.push(ctx, head, checkout, message)
	if why := refusedByFork(err); why != "" && head.Fork != nil {
		made.Unpushed = why
		err = c.offer(ctx, head, checkout, &made)
	}
	return made, err
}

// push makes a commit of what was staged and moves the branch to it: by the API, which signs it, or by git, as the
// settings want it; to a fork by git. port.ErrMoved if the branch is no longer at the target's commit, and then nothing
// has happened. A refusal is also a *port.UserError.
func (c committer) push(ctx context.Context, t record.Target, checkout repo.Checkout, message string) (sha string,
	err error) {
	if t.Fork != nil || c.policy.Push {
		made, err := checkout.Commit(ctx, c.messages.request(t, message))
		return made.SHA, pushError(t, err)
	}
	changes, err := checkout.Changes()
	if err != nil {
		return "", fmt.Errorf("listing what was staged for %s: %w", t.Branch, err)
	}
	sha, err = c.github.Upload(ctx, c.ev.Repo, port.Upload{
		Branch: t.Branch, New: t.New, Parent: checkout.SHA(), Tree: checkout.Tree(), Changes: changes, Message: message,
	})
	return sha, pushError(t, err)
}

// pushError puts GitHub's refusal of a commit into a sentence.
func pushError(t record.Target, err error) error {
	var rejected *port.RejectedError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &rejected):
		return errors.Join(err,
			&port.UserError{Text: fmt.Sprintf("GitHub refused the push to %s, so nothing was committed:\n\n%s\n\nA rule or "+
				"protection of that branch keeps this app from writing to it. A maintainer can allow it there.",
				markdown.Code(t.Branch), markdown.CodeBlock(markdown.Clip(rejected.Text, 1000)))})
	case errors.Is(err, port.ErrDenied):
		return errors.Join(err,
			&port.UserError{Text: "GitHub does not let this app write to the repository, so nothing was committed. A " +
				"maintainer can grant it the permission *Contents: write* in the settings of the installation."})
	}
	return fmt.Errorf("committing to %s: %w", t.Branch, err)
}

// refusedByFork returns why GitHub did not take a commit to a fork; empty if that is not what err is about.
func refusedByFork(err error) string {
	var rejected *port.RejectedError
	switch {
	case errors.As(err, &rejected):
		return "GitHub refused the push to the fork: " + markdown.Clip(rejected.Text, 1000)
	case errors.Is(err, port.ErrDenied):
		return "GitHub does not let this app write to the fork; its owner can install the app there"
	}
	return ""
}

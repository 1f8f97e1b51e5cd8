package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
)

// maxMoves is how often the edits are applied again because the branch moved meanwhile.
const maxMoves = 3

// work is what a run does to the files of a branch.
type work struct {
	// stage does it on a checkout, and says what became of each part.
	stage func(ctx context.Context, checkout repo.Checkout) (engine.Outcome, error)
	// message is that of the commit.
	message func(a record.Application) string
	// numbers are those of the parts; nil where they are counted from 1.
	numbers []int
}

// applyAndCommit applies the reply's blocks and pushes what they changed.
func (s *session) applyAndCommit(ctx context.Context, head record.Target, q record.Prompt, t conversation.Conversation) (record.Committed, error) {
	return s.commitWork(ctx, head, work{
		stage: func(ctx context.Context, checkout repo.Checkout) (engine.Outcome, error) {
			return s.apply(ctx, checkout, q, t.Blocks(), false)
		},
		message: func(a record.Application) string { return s.message(t, a) },
	})
}

// commitWork does the work and pushes what it changed. When the branch moved since, it does so again on the new tip. Before it
// works again, it looks for its own commit: an earlier attempt may have died behind it, or the answer to a push got lost.
func (s *session) commitWork(ctx context.Context, head record.Target, w work) (record.Committed, error) {
	_, tries, err := s.LastApplied()
	if err != nil {
		return record.Committed{}, err
	}
	for moves := 0; ; moves++ {
		if tries+moves > 0 {
			if made, ok, err := s.madeBefore(ctx, head, w); ok || err != nil {
				return made, err
			}
		}
		switch {
		case moves > maxMoves:
			return record.Committed{}, &port.UserError{Text: fmt.Sprintf("%s moved %d times while tenon was applying the edits, so nothing was committed. Give the command again when the branch is quiet.", markdown.Code(head.Branch), moves)}
		case moves > 0:
			if head, err = s.again(ctx, head); err != nil {
				return record.Committed{}, err
			}
		}
		made, err := s.workOnce(ctx, head, w, tries+moves)
		if !errors.Is(err, port.ErrMoved) {
			made.Moves = moves
			return made, err
		}
	}
}

// again is the target where its branch stands now.
func (s *session) again(ctx context.Context, head record.Target) (record.Target, error) {
	s.log.InfoContext(ctx, "branch moved, applying again", "branch", head.Branch)
	if head.New { // somebody made it
		head.New, head.From = false, ""
	}
	tip, err := s.tip(ctx, head)
	if err != nil {
		return record.Target{}, err
	}
	head.SHA = tip.SHA()
	return head, nil
}

// madeBefore is the commit of the last application, if it got through.
func (s *session) madeBefore(ctx context.Context, head record.Target, w work) (made record.Committed, ok bool, err error) {
	sha, ok, err := s.findCommit(ctx, head)
	if err != nil {
		return record.Committed{}, false, fmt.Errorf("looking for the commit of run %s: %w", s.Run.ID, err)
	}
	if !ok {
		return record.Committed{}, false, nil
	}
	last, _, err := s.LastApplied()
	return record.Committed{Application: last, SHA: sha, Subject: subjectOf(w.message(last))}, true, err
}

// findCommit looks for the commit that an earlier attempt made. That of a fork is among those of its pull request, which this
// repository has too.
func (s *session) findCommit(ctx context.Context, head record.Target) (sha string, ok bool, err error) {
	from := head.Branch
	if head.Fork != nil {
		pull, err := s.GitHub.PullRequest(ctx, s.ev.Repo, head.Pull)
		if err != nil {
			return "", false, err
		}
		from = pull.Head.SHA
	}
	return s.GitHub.FindCommit(ctx, s.ev.Repo, from, s.trailer())
}

// workOnce does the work on one commit, records the results, and pushes.
func (s *session) workOnce(ctx context.Context, head record.Target, w work, try int) (record.Committed, error) {
	checkout, err := s.checkout(ctx, head.Ref(), head.SHA)
	if err != nil {
		return record.Committed{}, err
	}
	s.at(func(now *shownStatus) { now.Stage = report.StageApplying })
	outcome, err := w.stage(ctx, checkout)
	if err != nil {
		return record.Committed{}, err
	}
	a := record.Application{Base: head.SHA, Results: record.Results(outcome), Changed: outcome.Changed}
	for i, n := range w.numbers {
		a.Results[i].Number = n
	}
	if err := record.Put(ctx, s.Journal, record.ApplyStep(try), a); err != nil {
		return record.Committed{}, err
	}
	made := record.Committed{Application: a}
	switch made.Held = s.policy.Hold && record.Count(a.Results).Failed > 0; {
	case len(outcome.Changed) == 0 || made.Held:
		return made, nil
	case head.ReadOnly != "":
		made.Unpushed = head.ReadOnly
		err = s.offer(ctx, head, checkout, &made)
		return made, err
	}
	why, err := s.changedMeanwhile(ctx, head)
	if err != nil {
		return record.Committed{}, err
	}
	if why != (threadState{}) {
		made.Unpushed = why.state + " by now"
		return made, s.keepPatch(ctx, head, checkout, &made)
	}
	s.at(func(now *shownStatus) { now.Stage = report.StageCommitting })
	message := w.message(a)
	made.Subject = subjectOf(message)
	made.SHA, err = s.push(ctx, head, checkout, s.commitRequest(head, message))
	if why := refusedPush(err); why != "" && head.Fork != nil {
		made.Unpushed = why
		err = s.offer(ctx, head, checkout, &made)
	}
	return made, err
}

func (s *session) apply(ctx context.Context, checkout repo.Checkout, q record.Prompt, blocks []engine.Block, dry bool) (engine.Outcome, error) {
	if err := s.policy.Bounds.Within(blocks); err != nil {
		return engine.Outcome{}, err
	}
	wants, err := engine.Paths(checkout, blocks)
	if err != nil {
		return engine.Outcome{}, fmt.Errorf("resolving the paths of %d blocks: %w", len(blocks), err)
	}
	if err := checkout.Load(ctx, wants...); err != nil {
		return engine.Outcome{}, fmt.Errorf("loading %d files: %w", len(wants), err)
	}
	g := edit.Guard{Policy: s.policy, Selection: q.Selection, Tree: checkout}
	outcome, err := engine.Apply(checkout, blocks, engine.Options{DryRun: dry, LineFeeds: s.policy.LineFeeds, Protected: g.Protects, Shown: g.Shown})
	if err != nil {
		return engine.Outcome{}, fmt.Errorf("applying %d blocks: %w", len(blocks), err)
	}
	g.Explain(outcome.Results)
	secret.RedactResults(outcome.Results)
	return outcome, nil
}

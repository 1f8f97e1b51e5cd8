package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/engine"
)

// maxMoves is how often the edits are applied again because the branch moved meanwhile.
const maxMoves = 3

// committed is what became of the reply: the results of the blocks, and the commit, if there was anything to commit.
type committed struct {
	applied
	SHA string `json:"sha,omitempty"`
	// Subject is the first line of its message.
	Subject string `json:"subject,omitempty"`
	// Held says that nothing was committed because not all edits fit.
	Held bool `json:"held,omitempty"`
	// Unpushed says why edits that fit were not committed; Patch are they.
	Unpushed string `json:"unpushed,omitempty"`
	Patch    patch  `json:"patch,omitzero"`
	// Notes are those of them that are suggestions on the diff, Unoffered how many cannot be.
	Notes     []Note `json:"notes,omitempty"`
	Unoffered int    `json:"unoffered,omitempty"`
	// Moves is how often the branch moved meanwhile.
	Moves int `json:"moves,omitempty"`
}

// applied is one application of the reply to one commit.
type applied struct {
	Base    string   `json:"base"`
	Results []row    `json:"results"`
	Changed []string `json:"changed"`
}

func (c committed) reaction() Reaction {
	if c.SHA != "" {
		return ReactionRocket
	}
	return ReactionConfused
}

// work is what a run does to the files of a branch.
type work struct {
	// stage does it on a checkout, and says what became of each part.
	stage func(ctx context.Context, checkout Checkout) (engine.Outcome, error)
	// message is that of the commit.
	message func(a applied) string
	// numbers are those of the parts; nil where they are counted from 1.
	numbers []int
}

// applyAndCommit applies the reply's blocks and pushes what they changed.
func (s *session) applyAndCommit(ctx context.Context, head target, q question, t talk) (committed, error) {
	return s.commitWork(ctx, head, work{
		stage: func(ctx context.Context, checkout Checkout) (engine.Outcome, error) {
			return s.apply(ctx, checkout, q, t.blocks(), false)
		},
		message: func(a applied) string { return s.message(t, a) },
	})
}

// commitWork does the work and pushes what it changed. When the branch moved since, it does so again on the new tip. Before it
// works again, it looks for its own commit: an earlier attempt may have died behind it, or the answer to a push got lost.
func (s *session) commitWork(ctx context.Context, head target, w work) (committed, error) {
	_, tries, err := s.lastApplied()
	if err != nil {
		return committed{}, err
	}
	for moves := 0; ; moves++ {
		if tries+moves > 0 {
			if made, ok, err := s.madeBefore(ctx, head, w); ok || err != nil {
				return made, err
			}
		}
		switch {
		case moves > maxMoves:
			return committed{}, &UserError{fmt.Sprintf("%s moved %d times while tenon was applying the edits, so nothing was committed. Give the command again when the branch is quiet.", codeSpan(head.Branch), moves)}
		case moves > 0:
			if head, err = s.again(ctx, head); err != nil {
				return committed{}, err
			}
		}
		made, err := s.workOnce(ctx, head, w, tries+moves)
		if !errors.Is(err, ErrMoved) {
			made.Moves = moves
			return made, err
		}
	}
}

// again is the target where its branch stands now.
func (s *session) again(ctx context.Context, head target) (target, error) {
	s.log.InfoContext(ctx, "branch moved, applying again", "branch", head.Branch)
	if head.New { // somebody made it
		head.New, head.From = false, ""
	}
	tip, err := s.tip(ctx, head)
	if err != nil {
		return target{}, err
	}
	head.SHA = tip.SHA()
	return head, nil
}

// madeBefore is the commit of the last application, if it got through.
func (s *session) madeBefore(ctx context.Context, head target, w work) (made committed, ok bool, err error) {
	sha, ok, err := s.findCommit(ctx, head)
	if err != nil {
		return committed{}, false, fmt.Errorf("looking for the commit of run %s: %w", s.run.ID, err)
	}
	if !ok {
		return committed{}, false, nil
	}
	last, _, err := s.lastApplied()
	return committed{applied: last, SHA: sha, Subject: subjectOf(w.message(last))}, true, err
}

// findCommit looks for the commit that an earlier attempt made. That of a fork is among those of its pull request, which this
// repository has too.
func (s *session) findCommit(ctx context.Context, head target) (sha string, ok bool, err error) {
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
func (s *session) workOnce(ctx context.Context, head target, w work, try int) (committed, error) {
	checkout, err := s.checkout(ctx, head.ref(), head.SHA)
	if err != nil {
		return committed{}, err
	}
	s.at(func(now *shownStatus) { now.stage = stageApplying })
	outcome, err := w.stage(ctx, checkout)
	if err != nil {
		return committed{}, err
	}
	a := applied{Base: head.SHA, Results: rows(outcome), Changed: outcome.Changed}
	for i, n := range w.numbers {
		a.Results[i].Number = n
	}
	if err := record(ctx, s.journal, applyStep(try), a); err != nil {
		return committed{}, err
	}
	made := committed{applied: a}
	switch made.Held = s.policy.Hold && count(a.Results).failed > 0; {
	case len(outcome.Changed) == 0 || made.Held:
		return made, nil
	case head.ReadOnly != "":
		made.Unpushed = head.ReadOnly
		err = s.offer(ctx, head, checkout, &made)
		return made, err
	}
	why, err := s.closedMeanwhile(ctx, head)
	if err != nil {
		return committed{}, err
	}
	if why != (closed{}) {
		made.Unpushed = why.state + " by now"
		return made, s.keep(ctx, head, checkout, &made)
	}
	s.at(func(now *shownStatus) { now.stage = stageCommitting })
	message := w.message(a)
	made.Subject = subjectOf(message)
	made.SHA, err = s.land(ctx, head, checkout, s.commitRequest(head, message))
	if why := refusedPush(err); why != "" && head.Fork != nil {
		made.Unpushed = why
		err = s.offer(ctx, head, checkout, &made)
	}
	return made, err
}

func (s *session) apply(ctx context.Context, checkout Checkout, q question, blocks []engine.Block, dry bool) (engine.Outcome, error) {
	if err := s.policy.Bounds.within(blocks); err != nil {
		return engine.Outcome{}, err
	}
	wants, err := engine.Paths(checkout, blocks)
	if err != nil {
		return engine.Outcome{}, fmt.Errorf("resolving the paths of %d blocks: %w", len(blocks), err)
	}
	if err := checkout.Load(ctx, wants...); err != nil {
		return engine.Outcome{}, fmt.Errorf("loading %d files: %w", len(wants), err)
	}
	g := Guard{s.policy, q.Selection, checkout}
	outcome, err := engine.Apply(checkout, blocks, engine.Options{DryRun: dry, LineFeeds: s.policy.LineFeeds, Protected: g.Protects, Shown: g.Shown})
	if err != nil {
		return engine.Outcome{}, fmt.Errorf("applying %d blocks: %w", len(blocks), err)
	}
	g.Explain(outcome.Results)
	redactResults(outcome.Results)
	return outcome, nil
}

func applyStep(try int) string { return fmt.Sprintf("apply.%d", try+1) }

// lastApplied is the newest recorded application and how many there are.
func (j *journal) lastApplied() (last applied, tries int, err error) {
	for ; ; tries++ {
		a, ok, err := recorded[applied](j, applyStep(tries))
		if !ok || err != nil {
			return last, tries, err
		}
		last = a
	}
}

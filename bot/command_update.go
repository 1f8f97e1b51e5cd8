package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/message"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
)

// runUpdate merges the base branch of a pull request into its branch, if nothing conflicts. No model is asked.
func runUpdate(ctx context.Context, r *run) error {
	if !r.ev.Thread.Pull {
		return sentence.MergeOnIssue(command.Update)
	}
	t, err := r.target(ctx)
	if err != nil {
		return err
	}
	if why := r.whyNoMerge(ctx, t); why != "" {
		return sentence.TakesNoMerge(why, t.Base, r.links().Repository())
	}
	m, err := record.Do(ctx, r.journal, record.MergeFound,
		func(ctx context.Context) (record.Merge, error) { return baseOf(ctx, r.files, t) })
	if err != nil {
		return err
	}
	made, err := r.history().Commits(ctx, t)
	if err != nil {
		return err
	}
	merges := merging{changer: r.changer(), github: r.bot.GitHub, repo: r.ev.Repo, target: t, merge: m}
	return deliverWithoutModel(ctx, r, t, merges.change(), func(s report.Summary) report.Summary {
		return report.OfUpdate(m, made.UndoneMerge(), s)
	})
}

// baseOf returns the base branch of a target, at its tip.
func baseOf(ctx context.Context, files *workspace, t record.Target) (record.Merge, error) {
	m := record.Merge{Branch: t.Base, SHA: files.baseTip(t)}
	if m.SHA != "" {
		return m, nil
	}
	ref := branchRef(t.Base)
	tips, err := files.repos.Tips(ctx, files.repo, ref)
	if err != nil {
		return m, fmt.Errorf("asking for the tip of %s: %w", t.Base, err)
	}
	if m.SHA = tips[ref]; m.SHA == "" {
		return m, sentence.NoBaseNow(t.Base)
	}
	return m, nil
}

// merging merges a commit into the branch of a target.
type merging struct {
	changer
	github port.GitHub
	repo   port.RepoRef
	target record.Target
	merge  record.Merge
}

// change is the change that makes the merge, which is staged as a whole or not at all. A branch that has the commit in
// its history stays as it is.
func (m merging) change() change {
	var merged, common repo.Checkout
	return change{
		stage: func(ctx context.Context, tip repo.Checkout, p policy.Policy) (engine.Outcome, error) {
			merged, common = nil, nil
			base, theirs, err := m.open(ctx, tip)
			if err != nil || base == nil {
				return engine.Outcome{}, err
			}
			out, err := edit.Merge{
				Base: base, Theirs: theirs, Tip: tip, OursName: m.target.Branch, TheirsName: m.merge.Branch,
				Reason: edit.ReasonMergeConflict, Protected: p.WhyProtected,
			}.Stage(ctx)
			if err == nil && len(out.Results) == 0 {
				merged, common = theirs, base
			}
			return out, err
		},
		message: func(record.Application) string {
			return m.messages.of(message.MergeOf(m.merge.Branch, m.target.Branch), "", "Merged "+m.merge.SHA+".")
		},
		merged: func() (repo.Checkout, repo.Checkout) { return merged, common },
		stops:  m.stops,
	}
}

// stops returns why the commit is not to be merged any more, as a clause: the base branch no longer has it, or a fork
// is not to get it.
func (m merging) stops(ctx context.Context) (why string, err error) {
	if m.target.Fork != nil {
		if why, err := m.forkStops(ctx); why != "" || err != nil {
			return why, err
		}
	}
	ref := branchRef(m.merge.Branch)
	tips, err := m.files.repos.Tips(ctx, m.files.repo, ref)
	if err != nil {
		return "", fmt.Errorf("asking for the tip of %s: %w", m.merge.Branch, err)
	}
	switch tips[ref] {
	case m.merge.SHA:
		return "", nil
	case "":
		return sentence.BaseDeleted(m.merge.Branch), nil
	}
	sha, err := m.github.MergeBase(ctx, m.repo, tips[ref], m.merge.SHA)
	switch {
	case errors.Is(err, port.ErrNotFound):
		return "", lagging("%w", err)
	case err != nil && !errors.Is(err, port.ErrSeveralBases):
		return "", err
	case sha != m.merge.SHA:
		return sentence.BaseReset(m.merge.Branch), nil
	}
	return "", nil
}

// open opens the commit to be merged, and the newest that it has in common with a tip. Both are nil if the tip has it.
func (m merging) open(ctx context.Context, tip repo.Checkout) (base, theirs repo.Checkout, err error) {
	sha, err := m.github.MergeBase(ctx, m.repo, tip.SHA(), m.merge.SHA)
	switch {
	case errors.Is(err, port.ErrNotFound):
		return nil, nil, lagging("%w", err)
	case errors.Is(err, port.ErrSeveralBases):
		return nil, nil, sentence.SeveralBases(m.merge.Branch, m.target.Branch)
	case err != nil:
		return nil, nil, err
	case sha == "":
		return nil, nil, sentence.Unrelated(m.merge.Branch, m.target.Branch)
	case sha == m.merge.SHA:
		return nil, nil, nil
	}
	from, files := record.Target{Branch: m.merge.Branch}, m.files.branches()
	err = port.Together(ctx,
		func() (err error) {
			theirs, err = files.open(ctx, from, m.merge.SHA)
			return err
		},
		func() (err error) {
			base, err = files.open(ctx, from, sha)
			return err
		},
	)
	return base, theirs, err
}

package bot

import (
	"context"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// workspace opens commits of the repository. The steps of an attempt share the checkout that was opened last, as long
// as they want the same commit. Not safe for concurrent use.
type workspace struct {
	repos repo.Repos
	repo  port.RepoRef
	// likely returns files that are fetched with a commit, because they will probably be wanted.
	likely func() []string
	// wanted are further such files.
	wanted []string
	opened repo.Checkout
	// masked are the files of the run without their secrets.
	masked *secret.Files
	// tips are the commits that refs of the repository pointed to when the target was found, tipsAt is when git was last
	// asked for that of the target in this attempt.
	tips   map[string]string
	tipsAt time.Time
	now    func() time.Time
}

// want has files fetched with the commits that are opened from then on.
func (w *workspace) want(paths ...string) {
	w.wanted = append(w.wanted, paths[:min(len(paths), maxLikely)]...)
}

// open opens a commit, which ref holds or held; with an empty sha, the commit that ref holds now.
func (w *workspace) open(ctx context.Context, ref, sha string) (repo.Checkout, error) {
	if sha != "" && w.opened != nil && w.opened.SHA() == sha {
		return w.opened, nil
	}
	c, err := w.repos.Open(ctx, w.repo, ref, sha, w.likely()...)
	if err != nil {
		return nil, err
	}
	w.opened = c
	return c, nil
}

// readTips returns the commits that the branch of a target and its base point to now, by ref. It keeps them for
// baseTip. A base in another repository than the branch is left out.
func (w *workspace) readTips(ctx context.Context, t record.Target) (map[string]string, error) {
	at := w.now()
	tips, err := w.branches().tips(ctx, t, branchRef(t.Base))
	if err != nil {
		return nil, fmt.Errorf("asking for the tip of %s: %w", t.Branch, err)
	}
	w.tips, w.tipsAt = tips, at
	return tips, nil
}

// baseTip returns the commit that the base of a target pointed to when the target was found; empty if that is unknown.
func (w *workspace) baseTip(t record.Target) string { return w.tips[branchRef(t.Base)] }

// at opens the commit of a target.
func (w *workspace) at(ctx context.Context, t record.Target) (repo.Checkout, error) {
	if w.opened != nil && w.opened.SHA() == t.SHA {
		return w.opened, nil
	}
	c, err := w.branches().open(ctx, t, t.SHA, w.likely()...)
	if err != nil {
		return nil, err
	}
	w.opened = c
	return c, nil
}

// target opens the commit of a target, or the tip of its branch if a forced push has removed that commit.
func (w *workspace) target(ctx context.Context, t record.Target) (repo.Checkout, error) {
	c, err := w.at(ctx, t)
	if !repo.IsGone(err) {
		return c, err
	}
	head, tipErr := w.tip(ctx, t)
	switch {
	case tipErr != nil:
		return nil, tipErr
	case head.SHA == t.SHA: // the branch points to it, so it will be there
		return nil, lagging("opening the tip of %s: %w", t.Branch, err)
	}
	return w.at(ctx, head)
}

// tip returns the target at the tip of its branch.
func (w *workspace) tip(ctx context.Context, t record.Target) (record.Target, error) {
	sha, ok, err := w.branches().tip(ctx, t)
	if err != nil {
		return record.Target{}, fmt.Errorf("asking for the tip of %s: %w", t.Branch, err)
	}
	if !ok {
		return record.Target{}, sentence.BranchDeletedMeanwhile(t.Branch)
	}
	t.SHA = sha
	return t, nil
}

func (w *workspace) branches() branches { return branches{w.repos, w.repo} }

// maxLikely bounds the files that are fetched on suspicion.
const maxLikely = 20

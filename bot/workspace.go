package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
)

// workspace opens commits of the repository. The steps of an attempt share the checkout that was opened last, as long
// as they want the same commit. Not safe for concurrent use.
type workspace struct {
	repos repo.Repos
	repo  port.RepoRef
	// likely returns files that are fetched with a commit, because they will probably be wanted.
	likely func() []string
	opened repo.Checkout
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

// target opens the commit of a target, or the tip of its branch if a forced push has removed that commit.
func (w *workspace) target(ctx context.Context, t record.Target) (repo.Checkout, error) {
	c, err := w.open(ctx, t.Ref(), t.SHA)
	if errors.Is(err, port.ErrMoved) {
		return w.tip(ctx, t)
	}
	return c, err
}

// tip opens the tip of a target's branch, by git: GitHub's API may lag behind a push.
func (w *workspace) tip(ctx context.Context, t record.Target) (repo.Checkout, error) {
	c, err := w.open(ctx, t.Ref(), "")
	if errors.Is(err, port.ErrNotFound) {
		return nil, &port.UserError{Text: fmt.Sprintf("The branch %s was deleted meanwhile, so nothing was committed.",
			markdown.Code(t.Branch))}
	}
	return c, err
}

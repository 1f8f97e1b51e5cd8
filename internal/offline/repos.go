package offline

import (
	"context"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
)

// Open opens the files that a command works on: a new checkout each time, with nothing staged, of the same commit.
type Open func(ctx context.Context) (repo.Checkout, error)

// OpenPast opens the files as they were at an earlier commit; port.ErrNotFound if that is not known.
type OpenPast func(ctx context.Context, sha string) (repo.Checkout, error)

// Past has the world open earlier commits: those of which a command has seen files before the branch moved. It must be
// called before the world is used.
func (w *World) Past(open OpenPast) *World {
	w.past = open
	return w
}

// Repos returns what the bot sees of git.
func (w *World) Repos() repo.Repos { return repos{w} }

type repos struct{ *World }

var _ repo.Repos = repos{}

func (r repos) Open(ctx context.Context, _ port.RepoRef, _, sha string, likely ...string) (repo.Checkout, error) {
	opened, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	if sha != "" && sha != opened.SHA() {
		if r.past == nil {
			return nil, fmt.Errorf("opening %s: %w", sha, port.ErrNotFound)
		}
		if opened, err = r.past(ctx, sha); err != nil {
			return nil, err
		}
	}
	if err := opened.Load(ctx, likely...); err != nil {
		return nil, err
	}
	return checkout{opened, r.World}, nil
}

func (r repos) Tips(ctx context.Context, _ port.RepoRef, refs ...string) (map[string]string, error) {
	opened, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	tips := map[string]string{}
	for _, ref := range refs {
		sha, made := r.tips[ref]
		switch {
		case made:
			tips[ref] = sha
		case ref == "HEAD", ref == branchRef(r.thread.Repo.DefaultBranch),
			r.thread.Pull && (ref == branchRef(r.thread.Branch) || ref == branchRef(r.thread.Base)):
			tips[ref] = opened.SHA()
		}
	}
	return tips, nil
}

func (r repos) ForksOf(port.RepoRef) repo.Repos { return r }

func branchRef(branch string) string { return "refs/heads/" + branch }

// checkout commits to the function of the world.
type checkout struct {
	repo.Checkout
	world *World
}

// Commit implements repo.Checkout.
func (c checkout) Commit(ctx context.Context, req repo.CommitRequest) (repo.Commit, error) {
	changes, err := c.Changes()
	if err != nil {
		return repo.Commit{}, err
	}
	sha, err := c.world.upload(ctx, port.Upload{Branch: req.Branch, Parent: c.SHA(), Tree: c.Tree(), Changes: changes,
		Message: req.Message})
	if err != nil {
		return repo.Commit{}, err
	}
	made := repo.Commit{SHA: sha}
	for _, change := range changes {
		made.Files = append(made.Files, change.Path)
	}
	return made, nil
}

// Upload implements port.GitHub.
func (g github) Upload(ctx context.Context, _ port.RepoRef, u port.Upload) (string, error) {
	return g.upload(ctx, u)
}

func (w *World) upload(ctx context.Context, u port.Upload) (string, error) {
	sha, err := w.commit(ctx, u)
	if err != nil {
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tips[branchRef(u.Branch)], w.messages[sha] = sha, u.Message
	return sha, nil
}

// MergeBase implements port.GitHub. A world has no history.
func (g github) MergeBase(context.Context, port.RepoRef, string, string) (string, error) {
	return "", port.ErrNotFound
}

// Logs implements port.GitHub. A world has no history.
func (g github) Logs(context.Context, port.RepoRef, string, string) (a, b []port.LoggedCommit, err error) {
	return nil, nil, port.ErrNotFound
}

// Log implements port.GitHub. A world has no history.
func (g github) Log(context.Context, port.RepoRef, string) ([]port.LoggedCommit, error) {
	return nil, nil
}

// PullCommits implements port.GitHub. A world has no history.
func (g github) PullCommits(context.Context, port.RepoRef, int) ([]port.LoggedCommit, error) {
	return nil, nil
}

// MakeCommit is denied: all commits of a world are on branches.
func (g github) MakeCommit(context.Context, port.RepoRef, port.Upload) (string, error) {
	return "", port.ErrDenied
}

// FindCommit implements port.GitHub.
func (g github) FindCommit(_ context.Context, _ port.RepoRef, commit, text string) (string, bool, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return commit, strings.Contains(g.messages[commit], text), nil
}

package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
)

// branches reads the branches of targets by git. What GitHub derives from a branch is behind it for seconds after a
// push: the head of its pull request, the list of its commits, and the ref of the pull request.
type branches struct {
	repos repo.Repos
	repo  port.RepoRef
}

// branchRef returns the full name of a branch.
func branchRef(name string) string { return "refs/heads/" + name }

// pullRef returns the full name of the ref in which GitHub keeps the head of a pull request.
func pullRef(number int) string { return fmt.Sprintf("refs/pull/%d/head", number) }

// onOwnBranch returns a target whose new branch has been made, so that it no longer starts from its base.
func onOwnBranch(t record.Target) record.Target {
	if t.New {
		t.New, t.From = false, ""
	}
	return t
}

// tip returns the commit that the branch of a target, or the ref that a new one starts from, points to now;
// ok is false if there is no such branch. The tip of a fork that cannot be read is what GitHub keeps of it here.
func (b branches) tip(ctx context.Context, t record.Target) (sha string, ok bool, err error) {
	tips, err := b.tips(ctx, t)
	sha, ok = tips[t.Ref()]
	return sha, ok, err
}

// tips returns the tip of the branch of a target, by the name that Target.Ref returns, and, if more is given and the
// branch is not of a fork, the commits that further refs of the repository point to.
func (b branches) tips(ctx context.Context, t record.Target, more ...string) (map[string]string, error) {
	if t.Fork != nil && t.Fork.ID != 0 {
		tips, err := b.repos.ForksOf(b.repo).Tips(ctx, *t.Fork, branchRef(t.Branch))
		if err == nil {
			out := map[string]string{}
			if sha, ok := tips[branchRef(t.Branch)]; ok {
				out[t.Ref()] = sha
			}
			return out, nil
		}
		if !errors.Is(err, port.ErrNotFound) && !errors.Is(err, port.ErrDenied) {
			return nil, err
		}
	}
	return b.repos.Tips(ctx, b.repo, append(more, t.Ref())...)
}

// open opens a commit of the branch of a target. A commit of a fork is opened through the repository that it was forked
// from, of which more is known already, and from the fork itself while it is not there yet.
func (b branches) open(ctx context.Context, t record.Target, sha string, likely ...string) (repo.Checkout, error) {
	c, err := b.repos.Open(ctx, b.repo, t.Ref(), sha, likely...)
	if t.Fork == nil || t.Fork.ID == 0 || !repo.IsGone(err) {
		return c, err
	}
	c, forkErr := b.repos.ForksOf(b.repo).Open(ctx, *t.Fork, branchRef(t.Branch), sha, likely...)
	if forkErr != nil {
		return nil, errors.Join(err, forkErr)
	}
	return c, nil
}

// lagWait is how long GitHub is given to catch up with a push before it is asked again; it takes a few seconds.
const lagWait = 2 * time.Second

// lagging returns the error of something that GitHub will know when it has caught up with a push.
func lagging(format string, args ...any) error {
	return &port.WaitError{For: port.GitHubLag, After: lagWait, Err: fmt.Errorf(format, args...)}
}

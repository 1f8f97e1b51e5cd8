package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// FindCommit returns the newest commit whose message contains text, among a commit, named by its SHA, and the newest
// before it, 100 in all. ok is false if there is none. It returns port.ErrNotFound if GitHub does not know the commit.
func (c *Client) FindCommit(ctx context.Context, repo port.RepoRef, commit, text string) (sha string, ok bool,
	err error) {
	if text == "" {
		return "", false, callerError("looking for a commit: the text is empty")
	}
	commits, err := c.Log(ctx, repo, commit)
	if err != nil {
		return "", false, err
	}
	for _, found := range commits {
		if strings.Contains(found.Message, text) {
			return found.SHA, true, nil
		}
	}
	return "", false, nil
}

// Log returns a commit, named by its SHA, and the newest before it, newest first, 100 in all. It returns
// port.ErrNotFound if GitHub does not know the commit.
func (c *Client) Log(ctx context.Context, repo port.RepoRef, commit string) ([]port.LoggedCommit, error) {
	if !isSHA(commit) {
		return nil, callerError(fmt.Sprintf("listing commits: %.50q is not the name of a commit", commit))
	}
	api, err := c.forRepo(repo, reading)
	if err != nil {
		return nil, err
	}
	commits, _, err := api.Repositories.ListCommits(ctx, repo.Owner, repo.Name, &github.CommitsListOptions{
		SHA: commit, ListOptions: github.ListOptions{PerPage: pageSize}})
	if isNoCommit(err) {
		return nil, fmt.Errorf("listing the commits before %s in %s: %w", commit, repo, port.ErrNotFound)
	}
	if err != nil {
		return nil, c.explain(err, "listing the commits before %s in %s", commit, repo)
	}
	return fromCommits(commits), nil
}

// MergeBase returns the newest commit in the histories of both of two commits, named by their SHAs, or "" if there is
// none. It returns port.ErrSeveralBases if there are several, none of which is in the history of another, and
// port.ErrNotFound if GitHub does not know one of the two.
func (c *Client) MergeBase(ctx context.Context, repo port.RepoRef, a, b string) (sha string, err error) {
	if !isSHA(a) || !isSHA(b) {
		return "", callerError(fmt.Sprintf("comparing commits: %.50q or %.50q is not the name of a commit", a, b))
	}
	api, err := c.forRepo(repo, reading)
	if err != nil {
		return "", err
	}
	got, err := compare(ctx, api, repo, a, b)
	var refused *github.ErrorResponse
	if errors.As(err, &refused) && strings.HasPrefix(refused.Message, noAncestor) {
		return "", nil
	}
	sha = got.GetMergeBaseCommit().GetSHA()
	if err == nil && sha == "" {
		err = errors.New("GitHub's answer names no commit")
	}
	if err == nil && sha != a && sha != b {
		// GitHub names one of several. What b has and the named one has not, and a has, is behind another one.
		var since *github.CommitsComparison
		if since, err = compare(ctx, api, repo, sha, b); err == nil && since.GetAheadBy() != got.GetAheadBy() {
			return "", fmt.Errorf("comparing %s and %s in %s: %w", a, b, repo, port.ErrSeveralBases)
		}
	}
	if err != nil {
		return "", c.explain(err, "comparing %s and %s in %s", a, b, repo)
	}
	return sha, nil
}

// compare compares two commits, without the files and nearly without the commits: only the first page has the files,
// and no page more commits than PerPage.
func compare(ctx context.Context, api *github.Client, repo port.RepoRef, a, b string) (*github.CommitsComparison,
	error) {
	got, _, err := api.Repositories.CompareCommits(ctx, repo.Owner, repo.Name, a, b,
		&github.ListOptions{Page: 2, PerPage: 1})
	return got, err
}

// noAncestor begins GitHub's message about commits without a common history.
const noAncestor = "No common ancestor between"

// isSHA reports whether a text is the full name of a commit.
func isSHA(text string) bool {
	return len(text) == 40 && strings.Trim(text, "0123456789abcdef") == ""
}

// isNoCommit reports whether an error is the 409 "Git Repository is empty." or the 422 "No commit found for SHA".
func isNoCommit(err error) bool {
	var failed *github.ErrorResponse
	return errors.As(err, &failed) &&
		(failed.Response.StatusCode == http.StatusConflict || failed.Response.StatusCode == http.StatusUnprocessableEntity)
}

// Upload makes a commit by GitHub's API and moves the branch to it. It sets no author and no committer, so that GitHub
// uses the App for both and signs the commit. Content writes are scarce, so it makes the commit by one request
// (onbranch.go) where the changes allow it, and else in steps (steps.go). Both move the branch under the condition that
// it still points to the parent: REST would accept any ancestor, and restore commits that somebody removed. A commit
// with two parents is made in steps.
//
// Upload returns port.ErrMoved if the branch does not point to the parent, or if a new branch exists already, a
// *port.RejectedError with GitHub's text if GitHub rejects the move, and port.ErrDenied if the token does not allow it.
// In these cases the branch is unchanged. Changes without an effect are an error.
func (c *Client) Upload(ctx context.Context, repo port.RepoRef, u port.Upload) (sha string, err error) {
	merges := u.Merge != "" && len(u.Changes) == 0
	if u.Branch == "" || u.Parent == "" || u.Tree == "" || len(u.Changes) == 0 && !merges ||
		strings.TrimSpace(u.Message) == "" {
		return "", callerError("making a commit: the branch, its parent, the parent's tree, " +
			"the changes or the message are missing")
	}
	if !merges && !slices.ContainsFunc(u.Changes, port.Change.HasEffect) {
		return "", callerError(fmt.Sprintf("making a commit in %s: the changes change nothing", repo))
	}
	api, err := c.forRepo(repo, committing)
	if err != nil {
		return "", err
	}
	up := upload{Client: c, api: api, repo: repo, Upload: u}
	if isPlain(u) {
		sha, err = up.onBranch(ctx)
	} else {
		sha, err = up.inSteps(ctx)
	}
	return sha, up.ofWorkflows(err)
}

// MakeCommit makes a commit as Upload does, in steps, and moves no branch. Without changes, its tree is the one that
// they would be made to.
func (c *Client) MakeCommit(ctx context.Context, repo port.RepoRef, u port.Upload) (sha string, err error) {
	if u.Parent == "" || u.Tree == "" || strings.TrimSpace(u.Message) == "" {
		return "", callerError("making a commit: the parent, the tree or the message is missing")
	}
	api, err := c.forRepo(repo, committing)
	if err != nil {
		return "", err
	}
	up := upload{Client: c, api: api, repo: repo, Upload: u}
	sha, err = up.make(ctx)
	return sha, up.ofWorkflows(err)
}

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

// Upload makes a commit by GitHub's API and moves the branch to it. It sets no author and no committer, so that GitHub
// uses the App for both and signs the commit. Content writes are scarce, so it makes the commit by one request
// (onbranch.go) where the changes allow it, and else in steps (steps.go). Both move the branch under the condition that
// it still points to the parent: REST would accept any ancestor, and restore commits that somebody removed.
//
// Upload returns port.ErrMoved if the branch does not point to the parent, or if a new branch exists already, a
// *port.RejectedError with GitHub's text if GitHub rejects the move, and port.ErrDenied if the token does not allow it.
// In these cases the branch is unchanged. Changes without an effect are an error.
func (c *Client) Upload(ctx context.Context, repo port.RepoRef, u port.Upload) (sha string, err error) {
	if u.Branch == "" || u.Parent == "" || u.Tree == "" || len(u.Changes) == 0 || strings.TrimSpace(u.Message) == "" {
		return "", callerError("making a commit: the branch, its parent, the parent's tree, " +
			"the changes or the message are missing")
	}
	if !slices.ContainsFunc(u.Changes, port.Change.HasEffect) {
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

// upload is the upload of one commit.
type upload struct {
	*Client
	port.Upload
	api  *github.Client
	repo port.RepoRef
}

// notMoved returns the error of a branch that was not moved to the commit. failed is why, tip where the branch points
// to now, and err is set if that is not known.
func (u *upload) notMoved(failed error, tip string, err error) error {
	var denied *port.TokenError
	switch {
	case err == nil && tip != u.oldTip():
		return fmt.Errorf("moving %s of %s: %w", u.Branch, u.repo, port.ErrMoved)
	case err == nil && !errors.As(failed, &denied) && rejection(failed) != "":
		return &port.RejectedError{Branch: u.Branch, Text: rejection(failed)}
	}
	return u.explain(failed, "moving %s of %s", u.Branch, u.repo)
}

// oldTip returns the commit that the branch must point to, or "" if there must be no branch.
func (u *upload) oldTip() string {
	if u.New {
		return ""
	}
	return u.Parent
}

// tip returns the commit that the branch points to, or "" if there is no branch.
func (u *upload) tip(ctx context.Context) (string, error) {
	ref, resp, err := u.api.Git.GetRef(ctx, u.repo.Owner, u.repo.Name, "refs/heads/"+u.Branch)
	if err != nil && resp != nil && resp.StatusCode == http.StatusNotFound {
		return "", nil
	}
	return ref.GetObject().GetSHA(), err
}

// archived is GitHub's message for a repository that takes no writes.
const archived = "Repository was archived"

// rejection returns GitHub's text if it rejected the move because of a protected branch or a rule, or "" for other
// errors.
func rejection(err error) string {
	var failure *graphQLFailure
	var status *statusError
	if !errors.As(err, &failure) || !errors.As(err, &status) || status.status == http.StatusNotFound ||
		isDenied(failure.text) || strings.HasPrefix(failure.text, archived) {
		return ""
	}
	return failure.text
}

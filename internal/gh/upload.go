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

// workflowFiles is the folder of the files of workflows.
const workflowFiles = ".github/workflows/"

// ofWorkflows names the files of workflows as the reason of a refusal that changes of them got: GitHub does not always
// say so.
func (u *upload) ofWorkflows(err error) error {
	var denied *port.TokenError
	isOne := func(change port.Change) bool { return strings.HasPrefix(change.Path, workflowFiles) }
	if errors.As(err, &denied) && denied.Kind == port.JobToken && slices.ContainsFunc(u.Changes, isOne) {
		denied.Limit, denied.Lacks = port.WorkflowFiles, nil
	}
	return err
}

package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// dispatched is the event of the runs that the API started.
const dispatched = "workflow_dispatch"

// StartWorkflow starts a workflow, named by its file, on a branch. It sends the request once, as each starts a run.
func (c *Client) StartWorkflow(ctx context.Context, repo port.RepoRef, workflow, branch string) error {
	if !isPathSegment(workflow) || branch == "" {
		return callerError(fmt.Sprintf("starting a workflow of %s: %.100q is not the name of a file, "+
			"or the branch is missing", repo, workflow))
	}
	api, err := c.forRepo(repo, starting)
	if err != nil {
		return err
	}
	_, err = api.Actions.CreateWorkflowDispatchEventByFileName(ctx, repo.Owner, repo.Name, workflow,
		github.CreateWorkflowDispatchEventRequest{Ref: branch})
	if err == nil {
		return nil
	}
	err = c.explain(err, "starting the workflow %s of %s", workflow, repo)
	var refused *statusError
	if errors.As(err, &refused) && refused.status == http.StatusUnprocessableEntity && !errors.Is(err, port.ErrDenied) {
		return &port.RejectedError{Branch: branch, Text: refused.message}
	}
	return err
}

// WorkflowRun returns the newest run of a workflow that was started by workflow_dispatch on a commit.
func (c *Client) WorkflowRun(ctx context.Context, repo port.RepoRef, workflow, sha string) (
	run port.WorkflowRun, ok bool, err error,
) {
	if !isPathSegment(workflow) || !isSHA(sha) {
		return run, false, callerError(fmt.Sprintf("asking for the runs of a workflow of %s: %.100q is not the name of a "+
			"file, or %.50q no commit", repo, workflow, sha))
	}
	api, err := c.forRepo(repo, inspecting)
	if err != nil {
		return run, false, err
	}
	got, _, err := api.Actions.ListWorkflowRunsByFileName(ctx, repo.Owner, repo.Name, workflow,
		&github.ListWorkflowRunsOptions{Event: dispatched, HeadSHA: sha,
			ListOptions: github.ListOptions{PerPage: pageSize}})
	if err != nil {
		return run, false, c.explain(err, "asking for the runs of the workflow %s of %s", workflow, repo)
	}
	for _, r := range got.WorkflowRuns {
		if r.GetHeadSHA() == sha && r.GetEvent() == dispatched && r.GetID() > run.ID {
			run = port.WorkflowRun{ID: r.GetID(), Page: webPage(r.GetHTMLURL()), Outcome: port.CheckPending}
			if r.GetStatus() == "completed" {
				run.Conclusion = strings.ToLower(r.GetConclusion())
				run.Outcome = port.OutcomeOf(run.Conclusion)
			}
		}
	}
	return run, run.ID != 0, nil
}

// MoveBranch moves a branch from one commit to another, as Upload does; from is empty for a new branch.
func (c *Client) MoveBranch(ctx context.Context, repo port.RepoRef, branch, from, to string) error {
	if branch == "" || from != "" && !isSHA(from) || !isSHA(to) {
		return callerError(fmt.Sprintf("moving %q of %s from %.50q to %.50q: a name is missing", branch, repo, from, to))
	}
	api, err := c.forRepo(repo, committing)
	if err != nil {
		return err
	}
	u := upload{Client: c, api: api, repo: repo, Upload: port.Upload{Branch: branch, Parent: from, New: from == ""}}
	if repo.NodeID == "" {
		if err := u.requestNodeID(ctx); err != nil {
			return err
		}
	}
	return u.moveBranch(ctx, to)
}

// noSuchBranch is GitHub's message for a branch to delete that does not exist.
const noSuchBranch = "Reference does not exist"

// DeleteBranch deletes a branch, but not the default one.
func (c *Client) DeleteBranch(ctx context.Context, repo port.RepoRef, branch string) error {
	if branch == "" || branch == repo.DefaultBranch {
		return callerError(fmt.Sprintf("deleting a branch of %s: %q is the default branch, or empty", repo, branch))
	}
	api, err := c.forRepo(repo, committing)
	if err != nil {
		return err
	}
	_, err = api.Git.DeleteRef(ctx, repo.Owner, repo.Name, "refs/heads/"+branch)
	if err == nil {
		return nil
	}
	err = c.explain(err, "deleting %s of %s", branch, repo)
	var refused *statusError
	if errors.As(err, &refused) && refused.status == http.StatusUnprocessableEntity &&
		strings.Contains(refused.message, noSuchBranch) {
		return nil
	}
	return err
}

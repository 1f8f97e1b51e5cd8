package simhttp

import (
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// find returns the entity whose id is a variable of the path, if it fits the rest of the path.
func find[T any](c *call, variable string, table map[int64]*T, fits func(*T) bool) (*T, error) {
	id, err := c.number(variable)
	if err != nil {
		return nil, err
	}
	if v := table[id]; v != nil && fits(v) {
		return v, nil
	}
	return nil, notFound()
}

// findThread returns the issue or pull request in the path, or 410 for a deleted one.
func findThread(c *call) (*entity.Issue, error) {
	n, err := c.number("issue_number")
	if err != nil {
		return nil, err
	}
	is := c.repo.Issues[int(n)]
	switch {
	case is == nil:
		return nil, notFound()
	case is.TransferredTo != nil:
		return nil, issueTransferred(c, is)
	case is.Gone:
		return nil, entity.Refuse(http.StatusGone, "This issue was deleted")
	case is.Pull == nil && c.repo.NoIssues:
		return nil, entity.Refuse(http.StatusGone, "Issues are disabled for this repo")
	}
	return is, nil
}

// findComment returns the issue comment in the path, of the repository in the path.
func findComment(c *call) (*entity.Comment, error) {
	return find(c, "comment_id", c.State.Comments, func(co *entity.Comment) bool {
		return co.Issue.Repo == c.repo && !co.Issue.Gone
	})
}

// findPull returns the pull request in the path, or an error for the number of an issue.
func findPull(c *call) (*entity.Issue, error) {
	n, err := c.number("pull_number")
	if err != nil {
		return nil, err
	}
	if is := c.repo.Issues[int(n)]; is != nil && is.Pull != nil {
		return is, nil
	}
	return nil, notFound()
}

// findReview returns the review in the path, of the pull request in the path.
func findReview(c *call) (*entity.Review, error) {
	is, err := findPull(c)
	if err != nil {
		return nil, err
	}
	return find(c, "review_id", c.State.Reviews, func(rv *entity.Review) bool { return rv.Issue == is })
}

func findReviewComment(c *call) (*entity.ReviewComment, error) {
	return find(c, "comment_id", c.State.ReviewComments,
		func(rc *entity.ReviewComment) bool { return rc.Issue.Repo == c.repo })
}

// findReactable returns the issue, comment or review comment in the path.
func findReactable(c *call) (*[]*entity.Reaction, *entity.Issue, error) {
	switch {
	case c.vars["issue_number"] != "":
		is, err := findThread(c)
		if err != nil {
			return nil, nil, err
		}
		return &is.Reactions, is, nil
	case strings.Contains(c.r.URL.Path, "/pulls/comments/"):
		rc, err := findReviewComment(c)
		if err != nil {
			return nil, nil, err
		}
		return &rc.Reactions, rc.Issue, nil
	}
	co, err := findComment(c)
	if err != nil {
		return nil, nil, err
	}
	return &co.Reactions, co.Issue, nil
}

func findCheckRun(c *call) (*entity.CheckRun, error) {
	return find(c, "check_run_id", c.State.Checks, func(run *entity.CheckRun) bool { return run.Repo == c.repo })
}

func findSuite(c *call) (*entity.CheckSuite, error) {
	return find(c, "check_suite_id", c.State.CI.Suites,
		func(suite *entity.CheckSuite) bool { return suite.Repo == c.repo })
}

// findWorkflow returns the workflow of the path: "The ID of the workflow. You can also pass the workflow file name as a
// string." It is one that has run before, or whose file is on the default branch.
func findWorkflow(c *call) (*entity.Workflow, error) {
	name := c.vars["workflow_id"]
	if _, err := c.number("workflow_id"); err == nil {
		return find(c, "workflow_id", c.State.CI.Workflows, func(w *entity.Workflow) bool { return w.Repo == c.repo })
	}
	for _, w := range c.State.CI.Workflows {
		if w.Repo == c.repo && w.Path == sim.WorkflowFolder+name {
			return w, nil
		}
	}
	if _, has := c.WorkflowFileAt(c.repo, "refs/heads/"+c.repo.DefaultBranch, sim.WorkflowFolder+name); has {
		return c.WorkflowOf(c.repo, name), nil
	}
	return nil, notFound()
}

func findWorkflowRun(c *call) (*entity.WorkflowRun, error) {
	return find(c, "run_id", c.State.CI.Runs, func(run *entity.WorkflowRun) bool { return run.Suite.Repo == c.repo })
}

func findJob(c *call) (*entity.Job, error) {
	return find(c, "job_id", c.State.CI.Jobs, func(j *entity.Job) bool { return j.Run.Suite.Repo == c.repo })
}

func findInstallation(c *call) (*entity.Installation, error) {
	return find(c, "installation_id", c.State.Installations, func(*entity.Installation) bool { return true })
}

func findUser(c *call) *entity.User { return c.State.Users[strings.ToLower(c.vars["username"])] }

// refOfPath returns the full name of the ref in the path.
func refOfPath(c *call) string { return "refs/" + c.vars["ref"] }

// threadOfPath returns the thread of the path, or of the issue comment in the path, or nil for neither.
func threadOfPath(c *call) *entity.Issue {
	if n, err := c.number("issue_number"); err == nil {
		return c.repo.Issues[int(n)]
	}
	if id, err := c.number("comment_id"); err == nil && c.State.Comments[id] != nil {
		return c.State.Comments[id].Issue
	}
	return nil
}

package sim

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Pages returns the addresses of pages and of the API's resources.
type Pages struct{ *entity.Core }

// RepoURL returns the address of a repository in the REST API.
func (s Pages) RepoURL(r *entity.Repository) string {
	return fmt.Sprintf("%s/api/v3/repos/%s", s.Base, r.FullName())
}

// RepoPage returns the page of a repository.
func (s Pages) RepoPage(r *entity.Repository) string { return s.Base + "/" + r.FullName() }

// IssueURL returns the address of an issue in the REST API, or of a pull request as an issue.
func (s Pages) IssueURL(is *entity.Issue) string {
	return fmt.Sprintf("%s/issues/%d", s.RepoURL(is.Repo), is.Number)
}

// PullURL returns the address of a pull request in the REST API.
func (s Pages) PullURL(is *entity.Issue) string {
	return fmt.Sprintf("%s/pulls/%d", s.RepoURL(is.Repo), is.Number)
}

// ThreadPage returns the page of an issue or pull request.
func (s Pages) ThreadPage(is *entity.Issue) string {
	kind := "issues"
	if is.Pull != nil {
		kind = "pull"
	}
	return fmt.Sprintf("%s/%s/%d", s.RepoPage(is.Repo), kind, is.Number)
}

// CommentURL returns the address of a comment of a conversation in the REST API.
func (s Pages) CommentURL(c *entity.Comment) string {
	return fmt.Sprintf("%s/issues/comments/%d", s.RepoURL(c.Issue.Repo), c.ID)
}

// ReviewCommentURL returns the address of a review comment in the REST API.
func (s Pages) ReviewCommentURL(rc *entity.ReviewComment) string {
	return fmt.Sprintf("%s/pulls/comments/%d", s.RepoURL(rc.Issue.Repo), rc.ID)
}

// CheckPage returns the page of a check run; of a job of GitHub Actions, that of the job.
func (s Pages) CheckPage(run *entity.CheckRun) string {
	if run.Suite.Run != nil {
		return fmt.Sprintf("%s/actions/runs/%d/job/%d", s.RepoPage(run.Repo), run.Suite.Run.ID, run.ID)
	}
	return fmt.Sprintf("%s/runs/%d", s.RepoPage(run.Repo), run.ID)
}

// RunPage returns the page of a workflow run.
func (s Pages) RunPage(run *entity.WorkflowRun) string {
	return fmt.Sprintf("%s/actions/runs/%d", s.RepoPage(run.Suite.Repo), run.ID)
}

package sim

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

func (s Pages) IssueURL(is *model.Issue) string {
	return fmt.Sprintf("%s/issues/%d", s.APIRepoURL(is.Repo), is.Number)
}

func (s Pages) PullURL(is *model.Issue) string {
	return fmt.Sprintf("%s/pulls/%d", s.APIRepoURL(is.Repo), is.Number)
}

func (s Pages) ThreadHTML(is *model.Issue) string {
	kind := "issues"
	if is.Pull != nil {
		kind = "pull"
	}
	return fmt.Sprintf("%s/%s/%d", s.HTMLRepoURL(is.Repo), kind, is.Number)
}

func (s Pages) CommentURL(c *model.Comment) string {
	return fmt.Sprintf("%s/issues/comments/%d", s.APIRepoURL(c.Issue.Repo), c.ID)
}

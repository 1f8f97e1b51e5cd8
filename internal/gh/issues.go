package gh

import (
	"context"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// Issue returns an issue, or a pull request as one. For a transferred issue, it returns the one in the other
// repository, if that is accessible. It returns port.ErrNotFound if there is no such issue.
func (c *Client) Issue(ctx context.Context, repo port.RepoRef, number int) (port.Issue, error) {
	api, err := c.forThread(repo, reading, number)
	if err != nil {
		return port.Issue{}, err
	}
	got, _, err := api.Issues.Get(ctx, repo.Owner, repo.Name, number)
	if err != nil {
		return port.Issue{}, c.explain(err, "reading %s#%d", repo, number)
	}
	return port.Issue{
		Number: got.GetNumber(),
		Title:  got.GetTitle(),
		Body:   got.GetBody(),
		State:  got.GetState(),
		Locked: got.GetLocked(),
		Author: fromUser(got.GetUser()),
		Repo:   repoOf(got),
		URL:    got.GetHTMLURL(),
	}, nil
}

// repoOf returns "owner/name" of the issue's repository.
func repoOf(is *github.Issue) string {
	parts := strings.Split(is.GetRepositoryURL(), "/")
	return strings.Join(parts[max(0, len(parts)-2):], "/")
}

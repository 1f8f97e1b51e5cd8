package gh

import (
	"context"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// Issue reads an issue, or a pull request as one. Of one that was transferred it reads where it is now, if that can be seen.
// bot.ErrNotFound: it was deleted, or never was.
func (c *Client) Issue(ctx context.Context, repo port.RepoRef, number int) (port.Issue, error) {
	api, err := c.inThread(repo, reading, number)
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

// repoOf is "owner/name" of the repository where GitHub says that the issue is.
func repoOf(is *github.Issue) string {
	parts := strings.Split(is.GetRepositoryURL(), "/")
	return strings.Join(parts[max(0, len(parts)-2):], "/")
}

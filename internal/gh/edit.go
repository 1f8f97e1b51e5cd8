package gh

import (
	"context"
	"fmt"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// Edit puts another body in the place of that of an own comment, review or reply. bot.ErrNotFound: it was deleted. The body has
// the bounds of Post.
func (c *Client) Edit(ctx context.Context, repo port.RepoRef, number int, what port.Comment, body string) error {
	return c.edit(ctx, repo, number, what, body, allContent)
}

// Progress is Edit for what is worth nothing when it is late: it never waits, and uses no more than half of what may be written
// in a minute and in an hour. Beyond that its error has RetryAfter().
func (c *Client) Progress(ctx context.Context, repo port.RepoRef, number int, what port.Comment, body string) error {
	return c.edit(ctx, repo, number, what, body, halfContent)
}

func (c *Client) edit(ctx context.Context, repo port.RepoRef, number int, what port.Comment, body string, of share) error {
	if err := checkBody(body); err != nil {
		return err
	}
	api, err := c.sharing(repo, answering, of)
	if err != nil {
		return err
	}
	switch what.Kind {
	case port.IssueComment:
		_, _, err = api.Issues.EditComment(ctx, repo.Owner, repo.Name, what.ID, &github.IssueComment{Body: &body})
	case port.ReviewComment:
		_, _, err = api.PullRequests.EditComment(ctx, repo.Owner, repo.Name, what.ID, &github.PullRequestComment{Body: &body})
	case port.Review:
		_, _, err = api.PullRequests.UpdateReview(ctx, repo.Owner, repo.Name, number, what.ID, body)
	default:
		err = callerError(fmt.Sprintf("a %q is nothing that the App wrote", what.Kind))
	}
	if err != nil {
		return c.explain(err, "editing %s of %s#%d", named(what), repo, number)
	}
	return nil
}

// Reread reads a comment of any kind as it is now. bot.ErrNotFound: it was deleted.
func (c *Client) Comment(ctx context.Context, repo port.RepoRef, number int, what port.Comment) (port.Comment, error) {
	api, err := c.inThread(repo, reading, number)
	if err != nil {
		return port.Comment{}, err
	}
	got, err := reread(ctx, api, repo, number, what)
	if err != nil {
		return port.Comment{}, c.explain(err, "reading %s of %s#%d", named(what), repo, number)
	}
	return got, nil
}

func reread(ctx context.Context, api *github.Client, repo port.RepoRef, number int, what port.Comment) (port.Comment, error) {
	switch what.Kind {
	case port.IssueComment:
		got, _, err := api.Issues.GetComment(ctx, repo.Owner, repo.Name, what.ID)
		return fromIssue(got), err
	case port.ReviewComment:
		got, _, err := api.PullRequests.GetComment(ctx, repo.Owner, repo.Name, what.ID)
		return fromReviewComment(got), err
	case port.Review:
		got, _, err := api.PullRequests.GetReview(ctx, repo.Owner, repo.Name, number, what.ID)
		return fromReview(got), err
	case port.IssueBody:
		got, _, err := api.Issues.Get(ctx, repo.Owner, repo.Name, number)
		return fromBody(got), err
	}
	return port.Comment{}, callerError(fmt.Sprintf("a %q is no comment", what.Kind))
}

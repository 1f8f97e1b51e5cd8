package gh

import (
	"context"
	"fmt"
	"net/http"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// Post posts a comment at a place. It returns port.ErrNotFound if the place does not exist. For a body that GitHub
// would refuse (blank, or of more than 65,536 characters), it returns an error and sends nothing.
func (c *Client) Post(ctx context.Context, repo port.RepoRef, at port.Place, body string) (port.Comment, error) {
	return c.post(ctx, repo, at, body, result)
}

// Announce is Post for a text that Post can replace later: it never waits, and near GitHub's limits it returns a
// *port.WaitError instead of posting.
func (c *Client) Announce(ctx context.Context, repo port.RepoRef, at port.Place, body string) (port.Comment, error) {
	return c.post(ctx, repo, at, body, early)
}

// Notify is Announce for a text that says that a command waits. Its part of GitHub's limits is small, and its own: it
// leaves room for answers, and for commits.
func (c *Client) Notify(ctx context.Context, repo port.RepoRef, at port.Place, body string) (port.Comment, error) {
	return c.post(ctx, repo, at, body, notice)
}

func (c *Client) post(ctx context.Context, repo port.RepoRef, at port.Place, body string, class class) (port.Comment,
	error) {
	if err := checkBody(body); err != nil {
		return port.Comment{}, err
	}
	api, err := c.forThreadInClass(repo, answering, at.Number, class)
	if err != nil {
		return port.Comment{}, err
	}
	switch first := threadOf(at.To); {
	case at.Kind == port.IssueComment:
		made, _, err := api.Issues.CreateComment(ctx, repo.Owner, repo.Name, at.Number, &github.IssueComment{Body: &body})
		if err != nil {
			return port.Comment{}, c.explain(err, "commenting on %s#%d", repo, at.Number)
		}
		return fromIssue(made), nil
	case at.Kind == port.Review:
		return c.review(ctx, api, repo, at.Number, &github.PullRequestReviewRequest{Body: &body})
	case at.Kind == port.ReviewComment && first != 0:
		made, err := reply(ctx, api, repo, at.Number, first, body)
		if err != nil {
			return port.Comment{}, c.explain(err, "replying to review comment %d of %s#%d", first, repo, at.Number)
		}
		return fromReviewComment(made), nil
	}
	return port.Comment{},
		callerError(fmt.Sprintf("commenting on %s#%d: a %q cannot be commented on", repo, at.Number, at.Kind))
}

// reply uses the operation for replies. go-github has only the older one, whose in_reply_to is no longer documented.
func reply(ctx context.Context, api *github.Client, repo port.RepoRef, number int, first int64, body string) (
	*github.PullRequestComment, error,
) {
	var made github.PullRequestComment
	path := fmt.Sprintf("repos/%s/pulls/%d/comments/%d/replies", repo, number, first)
	return &made, call(ctx, api, http.MethodPost, path, map[string]string{"body": body}, &made)
}

// Edit replaces the body of a comment, review or reply of the App. It returns port.ErrNotFound if it was deleted. The
// body has the limits of Post.
func (c *Client) Edit(ctx context.Context, repo port.RepoRef, number int, comment port.Comment, body string) error {
	return c.edit(ctx, repo, number, comment, body, result)
}

// Progress is Edit for a text that is of no use when it is late: it never waits, and leaves most of what may be written
// in a minute and in an hour to other writes. Beyond that, it returns an error with RetryAfter().
func (c *Client) Progress(ctx context.Context, repo port.RepoRef, number int, comment port.Comment, body string) error {
	return c.edit(ctx, repo, number, comment, body, optional)
}

func (c *Client) edit(ctx context.Context, repo port.RepoRef, number int, target port.Comment, body string,
	class class) error {
	if err := checkBody(body); err != nil {
		return err
	}
	api, err := c.forRepoInClass(repo, answering, class)
	if err != nil {
		return err
	}
	switch target.Kind {
	case port.IssueComment:
		_, _, err = api.Issues.EditComment(ctx, repo.Owner, repo.Name, target.ID, &github.IssueComment{Body: &body})
	case port.ReviewComment:
		comment := &github.PullRequestComment{Body: &body}
		_, _, err = api.PullRequests.EditComment(ctx, repo.Owner, repo.Name, target.ID, comment)
	case port.Review:
		_, _, err = api.PullRequests.UpdateReview(ctx, repo.Owner, repo.Name, number, target.ID, body)
	default:
		err = callerError(fmt.Sprintf("the App does not write a %q", target.Kind))
	}
	if err != nil {
		return c.explain(err, "editing %s of %s#%d", describe(target), repo, number)
	}
	return nil
}

// Comment returns a comment of any kind as it is now. It returns port.ErrNotFound if it was deleted.
func (c *Client) Comment(ctx context.Context, repo port.RepoRef, number int, comment port.Comment) (
	port.Comment, error,
) {
	api, err := c.forThread(repo, reading, number)
	if err != nil {
		return port.Comment{}, err
	}
	got, err := reread(ctx, api, repo, number, comment)
	if err != nil {
		return port.Comment{}, c.explain(err, "reading %s of %s#%d", describe(comment), repo, number)
	}
	return got, nil
}

func reread(ctx context.Context, api *github.Client, repo port.RepoRef, number int, comment port.Comment) (
	port.Comment, error,
) {
	switch comment.Kind {
	case port.IssueComment:
		got, _, err := api.Issues.GetComment(ctx, repo.Owner, repo.Name, comment.ID)
		return fromIssue(got), err
	case port.ReviewComment:
		got, _, err := api.PullRequests.GetComment(ctx, repo.Owner, repo.Name, comment.ID)
		return fromReviewComment(got), err
	case port.Review:
		got, _, err := api.PullRequests.GetReview(ctx, repo.Owner, repo.Name, number, comment.ID)
		return fromReview(got), err
	case port.IssueBody:
		got, _, err := api.Issues.Get(ctx, repo.Owner, repo.Name, number)
		return fromBody(got), err
	}
	return port.Comment{}, callerError(fmt.Sprintf("a %q is not a comment", comment.Kind))
}

// Comments returns the newest comments of replyTo's thread if that is a review comment, or of the conversation, oldest
// first: at most one page, of a hundred.
func (c *Client) Comments(ctx context.Context, repo port.RepoRef, number int, replyTo *port.Comment) ([]port.Comment,
	error) {
	api, err := c.forThread(repo, reading, number)
	if err != nil {
		return nil, err
	}
	page, err := search{api: api, repo: repo, at: placeOf(number, replyTo)}.newestPage(ctx)
	if err != nil {
		return nil, c.explain(err, "reading the comments of %s#%d", repo, number)
	}
	var list []port.Comment
	for _, one := range page {
		list = append(list, one.Comment)
	}
	return list, nil
}

func (s search) newestPage(ctx context.Context) ([]found, error) {
	page, resp, err := s.page(ctx, 1)
	if err == nil && resp.LastPage > 1 && s.at.Kind != port.ReviewComment {
		page, _, err = s.page(ctx, resp.LastPage)
	}
	return page, err
}

// placeOf returns the place of replyTo's review thread, or of the conversation.
func placeOf(number int, replyTo *port.Comment) port.Place {
	if threadOf(replyTo) == 0 {
		return port.Place{Number: number, Kind: port.IssueComment}
	}
	return port.Place{Number: number, Kind: port.ReviewComment, To: replyTo}
}

package gh

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// maxComment is GitHub's limit in characters: "Body is too long (maximum is 65536 characters)".
const maxComment = 65536

// Post says something at a place. bot.ErrNotFound: the place is gone. A body that GitHub would refuse (blank, or of more than
// 65,536 characters) is an error before anything is sent.
func (c *Client) Post(ctx context.Context, repo port.RepoRef, at port.Place, body string) (port.Comment, error) {
	if err := checkBody(body); err != nil {
		return port.Comment{}, err
	}
	api, err := c.inThread(repo, answering, at.Number)
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
	return port.Comment{}, callerError(fmt.Sprintf("commenting on %s#%d: a %q is no place for it", repo, at.Number, at.Kind))
}

func checkBody(body string) error {
	if strings.TrimSpace(body) == "" {
		return callerError("the comment is blank, which GitHub does not take")
	}
	if n := utf8.RuneCountInString(body); n > maxComment {
		return callerError(fmt.Sprintf("the comment has %d characters; GitHub takes %d at most", n, maxComment))
	}
	return nil
}

// threadOf is the id of the first comment of the review thread that replyTo stands in, 0 when it stands in none. GitHub takes
// replies to the first alone.
func threadOf(replyTo *port.Comment) int64 {
	switch {
	case replyTo == nil || replyTo.Kind != port.ReviewComment:
		return 0
	case replyTo.InReplyTo != 0:
		return replyTo.InReplyTo
	}
	return replyTo.ID
}

// reply uses the operation for replies. go-github has only its older sibling, whose in_reply_to GitHub no longer describes.
func reply(ctx context.Context, api *github.Client, repo port.RepoRef, number int, first int64, body string) (*github.PullRequestComment, error) {
	var made github.PullRequestComment
	path := fmt.Sprintf("repos/%s/pulls/%d/comments/%d/replies", repo, number, first)
	return &made, call(ctx, api, http.MethodPost, path, map[string]string{"body": body}, &made)
}

// named is how errors call a comment.
func named(c port.Comment) string {
	return fmt.Sprintf("%s %d", strings.ReplaceAll(string(c.Kind), "_", " "), c.ID)
}

// inThread is as for a call about one issue or pull request.
func (c *Client) inThread(repo port.RepoRef, s scope, number int) (*github.Client, error) {
	if number <= 0 {
		return nil, callerError(fmt.Sprintf("%d is no number of an issue or pull request of %s", number, repo))
	}
	return c.as(repo, s)
}

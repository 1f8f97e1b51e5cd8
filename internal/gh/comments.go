package gh

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot"
)

// maxComment is GitHub's limit in characters: "Body is too long (maximum is 65536 characters)".
const maxComment = 65536

// Comment answers in the thread: below replyTo when that is a review comment, else in the conversation. A body that GitHub would
// refuse (blank, or of more than 65,536 characters) is an error before anything is sent.
func (c *Client) Comment(ctx context.Context, repo bot.RepoRef, number int, replyTo *bot.Comment, body string) (bot.Comment, error) {
	if err := checkBody(body); err != nil {
		return bot.Comment{}, err
	}
	api, err := c.inThread(repo, answering, number)
	if err != nil {
		return bot.Comment{}, err
	}
	if first := threadOf(replyTo); first != 0 {
		made, err := reply(ctx, api, repo, number, first, body)
		if err != nil {
			return bot.Comment{}, c.explain(err, "replying to review comment %d of %s#%d", first, repo, number)
		}
		return fromReview(made), nil
	}
	made, _, err := api.Issues.CreateComment(ctx, repo.Owner, repo.Name, number, &github.IssueComment{Body: &body})
	if err != nil {
		return bot.Comment{}, c.explain(err, "commenting on %s#%d", repo, number)
	}
	return fromIssue(made), nil
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
func threadOf(replyTo *bot.Comment) int64 {
	switch {
	case replyTo == nil || replyTo.Kind != bot.ReviewComment:
		return 0
	case replyTo.InReplyTo != 0:
		return replyTo.InReplyTo
	}
	return replyTo.ID
}

// reply uses the operation for replies. go-github has only its older sibling, whose in_reply_to GitHub no longer describes.
func reply(ctx context.Context, api *github.Client, repo bot.RepoRef, number int, first int64, body string) (*github.PullRequestComment, error) {
	path := fmt.Sprintf("repos/%s/pulls/%d/comments/%d/replies", repo, number, first)
	req, err := api.NewRequest(http.MethodPost, path, map[string]string{"body": body})
	if err != nil {
		return nil, err
	}
	var made github.PullRequestComment
	_, err = api.Do(ctx, req, &made)
	return &made, err
}

// React adds a reaction of the App to a comment. GitHub answers that it stands already (200) as that it is new (201).
func (c *Client) React(ctx context.Context, repo bot.RepoRef, to bot.Comment, r bot.Reaction) error {
	api, err := c.as(repo, answering)
	if err != nil {
		return err
	}
	if to.Kind == bot.ReviewComment {
		_, _, err = api.Reactions.CreatePullRequestCommentReaction(ctx, repo.Owner, repo.Name, to.ID, string(r))
	} else {
		_, _, err = api.Reactions.CreateIssueCommentReaction(ctx, repo.Owner, repo.Name, to.ID, string(r))
	}
	if err != nil {
		return c.explain(err, "adding the reaction %s to comment %d of %s", r, to.ID, repo)
	}
	return nil
}

// inThread is as for a call about one issue or pull request.
func (c *Client) inThread(repo bot.RepoRef, s scope, number int) (*github.Client, error) {
	if number <= 0 {
		return nil, callerError(fmt.Sprintf("%d is no number of an issue or pull request of %s", number, repo))
	}
	return c.as(repo, s)
}

func fromIssue(c *github.IssueComment) bot.Comment {
	return bot.Comment{Kind: bot.IssueComment, ID: c.GetID(), URL: c.GetHTMLURL(), Body: c.GetBody(), Author: fromUser(c.GetUser()), Updated: c.GetUpdatedAt().Time}
}

func fromReview(c *github.PullRequestComment) bot.Comment {
	out := bot.Comment{
		Kind: bot.ReviewComment, ID: c.GetID(), URL: c.GetHTMLURL(), Body: c.GetBody(), Author: fromUser(c.GetUser()),
		Updated: c.GetUpdatedAt().Time, InReplyTo: c.GetInReplyTo(), Path: c.GetPath(), Line: c.GetLine(), Side: c.GetSide(), Hunk: c.GetDiffHunk(), Commit: c.GetCommitID(),
	}
	// A range may start on the other side of the diff: that line is of another file than Line.
	if c.GetStartSide() == c.GetSide() {
		out.StartLine = c.GetStartLine()
	}
	return out
}

func fromUser(u *github.User) bot.User {
	return bot.User{ID: u.GetID(), Login: u.GetLogin(), Bot: u.GetType() == "Bot"}
}

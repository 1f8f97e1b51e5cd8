package gh

import (
	"context"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// maxNotes bounds the comments of one review.
const maxNotes = 100

// Suggest makes a review with a comment for each note, at most a hundred. Their lines must be in the pull request's
// diff at sha; otherwise GitHub refuses the review.
func (c *Client) Suggest(ctx context.Context, repo port.RepoRef, number int, sha, body string,
	notes []port.Suggestion) (port.Comment, error) {
	if len(notes) == 0 || len(notes) > maxNotes {
		return port.Comment{}, callerError("a review must have from 1 to 100 notes")
	}
	if err := checkBody(body); err != nil {
		return port.Comment{}, err
	}
	req := &github.PullRequestReviewRequest{CommitID: &sha, Body: &body}
	for _, n := range notes {
		if err := checkBody(n.Body); err != nil {
			return port.Comment{}, err
		}
		req.Comments = append(req.Comments, draft(n))
	}
	api, err := c.forThread(repo, answering, number)
	if err != nil {
		return port.Comment{}, err
	}
	return c.review(ctx, api, repo, number, req)
}

func draft(n port.Suggestion) *github.DraftReviewComment {
	right := "RIGHT"
	d := &github.DraftReviewComment{Path: &n.Path, Body: &n.Body, Side: &right, Line: &n.Line}
	if n.StartLine != 0 && n.StartLine != n.Line {
		d.StartLine, d.StartSide = &n.StartLine, &right
	}
	return d
}

// review makes a review that neither approves nor requests changes.
func (c *Client) review(ctx context.Context, api *github.Client, repo port.RepoRef, number int,
	req *github.PullRequestReviewRequest) (port.Comment, error) {
	req.Event = github.String("COMMENT")
	made, _, err := api.PullRequests.CreateReview(ctx, repo.Owner, repo.Name, number, req)
	if err != nil {
		return port.Comment{}, c.explain(err, "reviewing %s#%d", repo, number)
	}
	return fromReview(made), nil
}

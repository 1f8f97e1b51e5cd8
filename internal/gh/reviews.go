package gh

import (
	"context"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// maxNotes bounds the notes of one review.
const maxNotes = 100

// Suggest makes a review with a note on each of the places, at most a hundred, which must be lines of the pull request's diff at
// sha: GitHub refuses the whole where one is not.
func (c *Client) Suggest(ctx context.Context, repo port.RepoRef, number int, sha, body string, notes []port.Suggestion) (port.Comment, error) {
	if len(notes) == 0 || len(notes) > maxNotes {
		return port.Comment{}, callerError("a review takes one note at least and a hundred at most")
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
	api, err := c.inThread(repo, answering, number)
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

// review says something about a pull request as a whole, which approves of nothing.
func (c *Client) review(ctx context.Context, api *github.Client, repo port.RepoRef, number int, req *github.PullRequestReviewRequest) (port.Comment, error) {
	req.Event = github.String("COMMENT")
	made, _, err := api.PullRequests.CreateReview(ctx, repo.Owner, repo.Name, number, req)
	if err != nil {
		return port.Comment{}, c.explain(err, "reviewing %s#%d", repo, number)
	}
	return fromReview(made), nil
}

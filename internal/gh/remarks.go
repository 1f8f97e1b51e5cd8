package gh

import (
	"context"
	"slices"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot"
)

// Remarks returns the newest comments of the thread that replyTo stands in when that is a review comment, else of the
// conversation, oldest first: at most the hundred of one page.
func (c *Client) Remarks(ctx context.Context, repo bot.RepoRef, number int, replyTo *bot.Comment) ([]bot.Comment, error) {
	api, err := c.inThread(repo, reading, number)
	if err != nil {
		return nil, err
	}
	s := search{api: api, repo: repo, number: number, thread: threadOf(replyTo)}
	list, err := s.newest(ctx)
	if err != nil {
		return nil, c.explain(err, "reading the comments of %s#%d", repo, number)
	}
	return list, nil
}

func (s search) newest(ctx context.Context) ([]bot.Comment, error) {
	if s.thread != 0 {
		return s.newestInReview(ctx)
	}
	comments, resp, err := s.conversationPage(ctx, 1)
	if err == nil && resp.LastPage > 1 {
		comments, _, err = s.conversationPage(ctx, resp.LastPage)
	}
	if err != nil {
		return nil, err
	}
	out := make([]bot.Comment, len(comments))
	for i, one := range comments {
		out[i] = fromIssue(one)
	}
	return out, nil
}

func (s search) newestInReview(ctx context.Context) ([]bot.Comment, error) {
	opts := &github.PullRequestListCommentsOptions{Sort: "created", Direction: "desc", ListOptions: github.ListOptions{PerPage: pageSize}}
	comments, _, err := s.api.PullRequests.ListComments(ctx, s.repo.Owner, s.repo.Name, s.number, opts)
	if err != nil {
		return nil, err
	}
	var out []bot.Comment
	for _, one := range slices.Backward(comments) {
		if c := fromReview(one); c.ID == s.thread || threadOf(&c) == s.thread {
			out = append(out, c)
		}
	}
	return out, nil
}

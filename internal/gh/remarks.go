package gh

import (
	"context"

	"github.com/tenon-bot/tenon/bot"
)

// Remarks returns the newest comments of the thread that replyTo stands in when that is a review comment, else of the
// conversation, oldest first: at most the hundred of one page.
func (c *Client) Remarks(ctx context.Context, repo bot.RepoRef, number int, replyTo *bot.Comment) ([]bot.Comment, error) {
	api, err := c.inThread(repo, reading, number)
	if err != nil {
		return nil, err
	}
	page, err := search{api: api, repo: repo, at: placeOf(number, replyTo)}.newestPage(ctx)
	if err != nil {
		return nil, c.explain(err, "reading the comments of %s#%d", repo, number)
	}
	var list []bot.Comment
	for _, one := range page {
		list = append(list, one.Comment)
	}
	return list, nil
}

func (s search) newestPage(ctx context.Context) ([]said, error) {
	page, resp, err := s.page(ctx, 1)
	if err == nil && resp.LastPage > 1 && s.at.Kind != bot.ReviewComment {
		page, _, err = s.page(ctx, resp.LastPage)
	}
	return page, err
}

// placeOf is the thread that replyTo stands in, or the conversation.
func placeOf(number int, replyTo *bot.Comment) bot.Place {
	if threadOf(replyTo) == 0 {
		return bot.Place{Number: number, Kind: bot.IssueComment}
	}
	return bot.Place{Number: number, Kind: bot.ReviewComment, To: replyTo}
}

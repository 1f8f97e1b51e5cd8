package gh

import (
	"context"

	"github.com/tenon-bot/tenon/bot/port"
)

// Remarks returns the newest comments of the thread that replyTo stands in when that is a review comment, else of the
// conversation, oldest first: at most the hundred of one page.
func (c *Client) Comments(ctx context.Context, repo port.RepoRef, number int, replyTo *port.Comment) ([]port.Comment, error) {
	api, err := c.inThread(repo, reading, number)
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

func (s search) newestPage(ctx context.Context) ([]said, error) {
	page, resp, err := s.page(ctx, 1)
	if err == nil && resp.LastPage > 1 && s.at.Kind != port.ReviewComment {
		page, _, err = s.page(ctx, resp.LastPage)
	}
	return page, err
}

// placeOf is the thread that replyTo stands in, or the conversation.
func placeOf(number int, replyTo *port.Comment) port.Place {
	if threadOf(replyTo) == 0 {
		return port.Place{Number: number, Kind: port.IssueComment}
	}
	return port.Place{Number: number, Kind: port.ReviewComment, To: replyTo}
}

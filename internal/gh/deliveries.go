package gh

import (
	"context"
	"errors"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// maxPageSize is GitHub's: "The number of results per page (max 100)."
const maxPageSize = 100

// Attempts returns a page of GitHub's attempts to deliver to the App's webhook, newest first: at most 100 of the last
// three days (on an Enterprise Server perhaps more). cursor is the next of the page before, "" for the newest; next is
// "" after the last page.
//
// All attempts are listed: GitHub's filter by status goes by the status code, which an attempt without a response need
// not have.
func (c *Client) Attempts(ctx context.Context, cursor string) (page []port.Attempt, next string, err error) {
	opts := &github.ListCursorOptions{PerPage: maxPageSize, Cursor: cursor}
	list, resp, err := c.asApp().Apps.ListHookDeliveries(ctx, opts)
	if err != nil {
		return nil, "", c.explain(err, "listing the deliveries of the App's webhook")
	}
	for _, d := range list {
		page = append(page, port.Attempt{ID: d.GetID(), Delivery: d.GetGUID(), Event: d.GetEvent(), Action: d.GetAction(),
			At: d.GetDeliveredAt().Time, Status: d.GetStatusCode()})
	}
	return page, resp.Cursor, nil
}

// Redeliver asks GitHub to send the delivery of an attempt again. It returns port.ErrNotFound if GitHub does not have
// it any more.
func (c *Client) Redeliver(ctx context.Context, attempt int64) error {
	_, _, err := c.asApp().Apps.RedeliverHookDelivery(ctx, attempt)
	var accepted *github.AcceptedError // the response is 202
	if err == nil || errors.As(err, &accepted) {
		return nil
	}
	return c.explain(err, "asking for attempt %d of a delivery again", attempt)
}

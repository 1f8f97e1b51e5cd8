package gh

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/text"
)

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
			Repository: d.GetRepositoryID(), At: d.GetDeliveredAt().Time, Status: d.GetStatusCode(),
			Outcome: d.GetStatus()})
	}
	return page, resp.Cursor, nil
}

// maxAnswer bounds the answer to a delivery that is returned, in bytes.
const maxAnswer = 500

// Answer returns the beginning of what was answered to an attempt, in one line, as GitHub keeps it: the text of
// whatever is at the webhook's URL.
func (c *Client) Answer(ctx context.Context, attempt int64) (string, error) {
	var got struct {
		Response struct {
			Payload json.RawMessage `json:"payload"` // a text, or null
		} `json:"response"`
	}
	path := fmt.Sprintf("app/hook/deliveries/%d", attempt)
	if err := call(ctx, c.asApp(), http.MethodGet, path, nil, &got); err != nil {
		return "", c.explain(err, "asking for attempt %d of a delivery", attempt)
	}
	var answer string
	if json.Unmarshal(got.Response.Payload, &answer) != nil {
		answer = "" // no text: an answer that tenon did not write
	}
	return text.Cut(text.OneLine(answer), maxAnswer), nil
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

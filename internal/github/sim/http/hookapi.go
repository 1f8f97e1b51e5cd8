package simhttp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

func getHookConfig(c *call) (*answer, error) {
	config := model.Object{"url": c.hook.url, "content_type": "json", "insecure_ssl": "0"}
	if !c.hook.NoSecret {
		config["secret"] = "********"
	}
	if c.hook.Form {
		config["content_type"] = "form"
	}
	if c.hook.InsecureTLS {
		config["insecure_ssl"] = "1"
	}
	return ok(config)
}

// deliveryJSON returns "hook-delivery-item".
func (c *call) deliveryJSON(d *delivery) model.Object {
	status := "OK"
	switch {
	case strings.Contains(d.Err, context.DeadlineExceeded.Error()):
		status = "timed out"
	case d.Err != "":
		status = "failed to connect to host"
	case !d.succeeded():
		status = fmt.Sprintf("Invalid HTTP Response: %d", d.Status)
	}
	var repo any
	if d.repo != 0 {
		repo = d.repo
	}
	return model.Object{"id": d.ID, "guid": d.GUID, "delivered_at": stamp(d.At), "redelivery": d.Redelivery,
		"duration": d.duration.Seconds(),
		"status":   status, "status_code": d.Status, "event": d.Event, "action": stringOrNull(d.Action),
		"installation_id": d.installation, "repository_id": repo, "throttled_at": nil}
}

// deliveryAge: only deliveries of the past 3 days are listed and can be sent again.
const deliveryAge = 3 * 24 * time.Hour

// listed reports whether a delivery is listed: its attempt has ended, and it is not too old.
func (c *call) listed(d *delivery) bool {
	return (d.Status != 0 || d.Err != "") && c.Clock().Sub(d.At) < deliveryAge
}

func (d *delivery) succeeded() bool { return d.Status >= 200 && d.Status < 300 }

// listDeliveries lists deliveries, newest first. The cursor of a page is the id of its first delivery.
func listDeliveries(c *call) (*answer, error) {
	status := c.query.Get("status")
	if status != "" && status != "success" && status != "failure" {
		return nil, model.Unprocessable("Invalid status")
	}
	all := slices.DeleteFunc(slices.Clone(c.deliveries), func(d *delivery) bool {
		return !c.listed(d) || status != "" && d.succeeded() != (status == "success")
	})
	slices.Reverse(all)
	if cursor := c.query.Get("cursor"); cursor != "" {
		i := slices.IndexFunc(all, func(d *delivery) bool { return fmt.Sprintf("v1_%d", d.ID) == cursor })
		if i < 0 {
			return nil, model.Unprocessable("Invalid cursor")
		}
		all = all[i:]
	}
	_, per := c.paging()
	h := http.Header{}
	if len(all) > per {
		h.Set("Link", fmt.Sprintf(`<%s%s?per_page=%d&cursor=v1_%d>; rel="next"`, c.Base, c.r.URL.Path, per, all[per].ID))
		all = all[:per]
	}
	list := make([]model.Object, len(all))
	for i, d := range all {
		list[i] = c.deliveryJSON(d)
	}
	return &answer{status: http.StatusOK, body: list, header: h}, nil
}

func (c named) deliveryOfPath() (*delivery, error) {
	id, err := c.number("delivery_id")
	if err != nil {
		return nil, err
	}
	for _, d := range c.deliveries {
		if d.ID == id && c.listed(d) {
			return d, nil
		}
	}
	return nil, notFound()
}

func getDelivery(c *call) (*answer, error) {
	d, err := c.deliveryOfPath()
	if err != nil {
		return nil, err
	}
	o := c.deliveryJSON(d)
	o["url"] = c.hook.url
	o["request"] = model.Object{"headers": c.hookHeaders(c.hook, d), "payload": json.RawMessage(d.payload)}
	o["response"] = model.Object{"headers": model.Object{}, "payload": d.Answer}
	return ok(o)
}

// redeliver responds 202 at once, with an empty object.
func redeliver(c *call) (*answer, error) {
	d, err := c.deliveryOfPath()
	if err != nil {
		return nil, err
	}
	c.attempt(c.copyOf(func(other *delivery) bool { return other == d }, true))
	return &answer{status: http.StatusAccepted, body: model.Object{}}, nil
}

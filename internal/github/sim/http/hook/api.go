package hook

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
)

// API is what the REST API tells of the App's webhook, and does with it. The caller holds the lock.
type API struct{ hooks *Hooks }

// APIOf returns a webhook as the REST API has it.
func APIOf(hooks *Hooks) API { return API{hooks} }

// SetURL sets the URL of the webhook.
func (a API) SetURL(url string) { a.hooks.hook.url = url }

// Config returns "webhook-config".
func (a API) Config() entity.Object {
	h := a.hooks.hook
	config := entity.Object{"url": h.url, "content_type": "json", "insecure_ssl": "0"}
	if !h.NoSecret {
		config["secret"] = "********"
	}
	if h.Form {
		config["content_type"] = "form"
	}
	if h.InsecureTLS {
		config["insecure_ssl"] = "1"
	}
	return config
}

// maxAge is how long a delivery is listed and can be sent again: 3 days.
const maxAge = 3 * 24 * time.Hour

// Listed returns the attempts that have ended and are not too old, oldest first.
func (a API) Listed() []*Attempt {
	return slices.DeleteFunc(slices.Clone(a.hooks.deliveries), func(d *Attempt) bool {
		return d.Status == 0 && d.Err == "" || a.hooks.Clock().Sub(d.At) >= maxAge
	})
}

// Repeat sends a delivery again.
func (a API) Repeat(d *Attempt) {
	a.hooks.attempt(a.hooks.copyOf(func(other *Attempt) bool { return other == d }, true))
}

// Delivery returns "hook-delivery".
func (a API) Delivery(d *Attempt) entity.Object {
	o := d.Item()
	o["url"] = a.hooks.hook.url
	o["request"] = entity.Object{"headers": a.hooks.hookHeaders(a.hooks.hook, d), "payload": json.RawMessage(d.payload)}
	o["response"] = entity.Object{"headers": entity.Object{}, "payload": d.Answer}
	return o
}

// Item returns "hook-delivery-item".
func (d *Attempt) Item() entity.Object {
	status := "OK"
	switch {
	case strings.Contains(d.Err, context.DeadlineExceeded.Error()):
		status = "timed out"
	case d.Err != "":
		status = "failed to connect to host"
	case !d.Succeeded():
		status = fmt.Sprintf("Invalid HTTP Response: %d", d.Status)
	}
	var repo any
	if d.repo != 0 {
		repo = d.repo
	}
	return entity.Object{"id": d.ID, "guid": d.GUID, "delivered_at": form.Time(d.At), "redelivery": d.Redelivery,
		"duration": d.duration.Seconds(), "status": status, "status_code": d.Status, "event": d.Event,
		"action": form.TextOrNull(d.Action), "installation_id": d.installation, "repository_id": repo, "throttled_at": nil}
}

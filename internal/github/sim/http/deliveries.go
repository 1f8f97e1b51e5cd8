package simhttp

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/hook"
)

func getHookConfig(c *call) (*answer, error) { return ok(c.hook.Config()) }

// listDeliveries lists deliveries, newest first. The cursor of a page is the id of its first delivery.
func listDeliveries(c *call) (*answer, error) {
	status := c.query.Get("status")
	if status != "" && status != "success" && status != "failure" {
		return nil, entity.Unprocessable("Invalid status")
	}
	all := slices.DeleteFunc(c.hook.Listed(), func(d *hook.Attempt) bool {
		return status != "" && d.Succeeded() != (status == "success")
	})
	slices.Reverse(all)
	if cursor := c.query.Get("cursor"); cursor != "" {
		i := slices.IndexFunc(all, func(d *hook.Attempt) bool { return fmt.Sprintf("v1_%d", d.ID) == cursor })
		if i < 0 {
			return nil, entity.Unprocessable("Invalid cursor")
		}
		all = all[i:]
	}
	_, per := c.paging()
	h := http.Header{}
	if len(all) > per {
		h.Set("Link", fmt.Sprintf(`<%s%s?per_page=%d&cursor=v1_%d>; rel="next"`, c.Base, c.r.URL.Path, per, all[per].ID))
		all = all[:per]
	}
	list := make([]entity.Object, len(all))
	for i, d := range all {
		list[i] = d.Item()
	}
	return &answer{status: http.StatusOK, body: list, header: h}, nil
}

func findDelivery(c *call) (*hook.Attempt, error) {
	id, err := c.number("delivery_id")
	if err != nil {
		return nil, err
	}
	for _, d := range c.hook.Listed() {
		if d.ID == id {
			return d, nil
		}
	}
	return nil, notFound()
}

func getDelivery(c *call) (*answer, error) {
	d, err := findDelivery(c)
	if err != nil {
		return nil, err
	}
	return ok(c.hook.Delivery(d))
}

// redeliver responds 202 at once, with an empty object.
func redeliver(c *call) (*answer, error) {
	d, err := findDelivery(c)
	if err != nil {
		return nil, err
	}
	c.hook.Repeat(d)
	return &answer{status: http.StatusAccepted, body: entity.Object{}}, nil
}

package simhttp

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

func (s *Server) usageOf(in *model.Installation) *model.Usage {
	u := s.State.Limits[in.ID]
	if u == nil {
		u = &model.Usage{}
		s.State.Limits[in.ID] = u
	}
	if now := s.Now(); !now.Before(u.Reset) {
		u.Reset, u.Used = now.Add(time.Hour), 0
	}
	return u
}

// spend counts a request, or returns the error of a limit. The App's own requests and /rate_limit do not count; GraphQL
// counts its requests itself.
func (c spending) spend(rt route) error {
	if c.token == nil || rt.path == "/rate_limit" || rt.path == graphQLPath {
		return nil
	}
	if e := c.spendRequest(); e != nil {
		return e
	}
	if rt.method == http.MethodGet {
		return nil
	}
	return c.spendContent()
}

// spendRequest checks the primary limit.
func (c spending) spendRequest() *model.APIError {
	u := c.usageOf(c.token.Installation)
	if u.Used >= c.requestLimit() {
		return model.Refuse(http.StatusForbidden, "API rate limit exceeded for installation ID %d.", c.token.Installation.ID)
	}
	u.Used++
	return nil
}

// spendContent checks the secondary limits: "no more than 80 content-generating requests per minute and no more than
// 500 content-generating requests per hour".
func (c spending) spendContent() error {
	u, now := c.usageOf(c.token.Installation), c.Clock()
	u.Content = slices.DeleteFunc(u.Content, func(t time.Time) bool { return now.Sub(t) >= time.Hour })
	recent := 0
	for _, t := range u.Content {
		if now.Sub(t) < time.Minute {
			recent++
		}
	}
	perMinute, perHour := c.opts.ContentPerMinute, c.opts.ContentPerHour
	if perMinute > 0 && recent >= perMinute || perHour > 0 && len(u.Content) >= perHour {
		f := SecondaryLimit(http.StatusForbidden, time.Minute)
		return &model.APIError{Status: f.Status, Message: f.Message, Header: f.Header}
	}
	u.Content = append(u.Content, now)
	return nil
}

func (c spending) rateHeaders(h http.Header) {
	u, limit := c.usageOf(c.token.Installation), c.requestLimit()
	h.Set("X-RateLimit-Limit", strconv.Itoa(limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(limit-u.Used))
	h.Set("X-RateLimit-Used", strconv.Itoa(u.Used))
	h.Set("X-RateLimit-Reset", fmt.Sprint(u.Reset.Unix()))
	h.Set("X-RateLimit-Resource", "core")
}

func getRateLimit(c *call) (*answer, error) {
	u := c.usageOf(c.token.Installation)
	core := model.Object{"limit": c.requestLimit(), "used": u.Used, "remaining": c.requestLimit() - u.Used,
		"reset": u.Reset.Unix()}
	search := model.Object{"limit": 30, "used": 0, "remaining": 30, "reset": c.Now().Add(time.Minute).Unix()}
	return ok(model.Object{"resources": model.Object{"core": core, "search": search}, "rate": core})
}

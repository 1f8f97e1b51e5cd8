package ghtest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// usage counts the requests of an installation.
type usage struct {
	reset   time.Time // when the hour ends
	used    int
	content []time.Time // requests that created content, of the last hour
}

func (s *Server) usageOf(in *installation) *usage {
	u := s.state.limits[in.id]
	if u == nil {
		u = &usage{}
		s.state.limits[in.id] = u
	}
	if now := s.now(); !now.Before(u.reset) {
		u.reset, u.used = now.Add(time.Hour), 0
	}
	return u
}

// spend counts a request, or returns the error of a limit. The App's own requests and /rate_limit do not count; GraphQL
// counts its requests itself.
func (c *call) spend(rt route) error {
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
func (c *call) spendRequest() *apiError {
	u := c.usageOf(c.token.installation)
	if u.used >= c.requestLimit() {
		return refuse(http.StatusForbidden, "API rate limit exceeded for installation ID %d.", c.token.installation.id)
	}
	u.used++
	return nil
}

// spendContent checks the secondary limits: "no more than 80 content-generating requests per minute and no more than
// 500 content-generating requests per hour".
func (c *call) spendContent() error {
	u, now := c.usageOf(c.token.installation), c.opts.Now()
	u.content = slices.DeleteFunc(u.content, func(t time.Time) bool { return now.Sub(t) >= time.Hour })
	recent := 0
	for _, t := range u.content {
		if now.Sub(t) < time.Minute {
			recent++
		}
	}
	perMinute, perHour := c.opts.ContentPerMinute, c.opts.ContentPerHour
	if perMinute > 0 && recent >= perMinute || perHour > 0 && len(u.content) >= perHour {
		f := SecondaryLimit(http.StatusForbidden, time.Minute)
		return &apiError{status: f.Status, message: f.Message, header: f.Header}
	}
	u.content = append(u.content, now)
	return nil
}

func (c *call) rateHeaders(h http.Header) {
	u, limit := c.usageOf(c.token.installation), c.requestLimit()
	h.Set("X-RateLimit-Limit", strconv.Itoa(limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(limit-u.used))
	h.Set("X-RateLimit-Used", strconv.Itoa(u.used))
	h.Set("X-RateLimit-Reset", fmt.Sprint(u.reset.Unix()))
	h.Set("X-RateLimit-Resource", "core")
}

func getRateLimit(c *call) (*answer, error) {
	u := c.usageOf(c.token.installation)
	core := object{"limit": c.requestLimit(), "used": u.used, "remaining": c.requestLimit() - u.used,
		"reset": u.reset.Unix()}
	search := object{"limit": 30, "used": 0, "remaining": 30, "reset": c.now().Add(time.Minute).Unix()}
	return ok(object{"resources": object{"core": core, "search": search}, "rate": core})
}

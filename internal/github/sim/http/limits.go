package simhttp

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// usageOf returns the requests of an installation in this hour.
func (s *site) usageOf(in *entity.Installation) *entity.Usage {
	u := s.State.Limits[in.ID]
	if u == nil {
		u = &entity.Usage{}
		s.State.Limits[in.ID] = u
	}
	if now := s.Now(); !now.Before(u.Reset) {
		u.Reset, u.Used = now.Add(time.Hour), 0
	}
	return u
}

// requestLimit returns how many requests an hour has for the token.
func requestLimit(c *call) int {
	if c.token.Kind == entity.JobToken {
		return c.opts.RequestsPerHourOfJobs
	}
	return c.opts.RequestsPerHour
}

// spend counts a request, or returns the error of a limit. The App's own requests and /rate_limit do not count; GraphQL
// counts its requests itself.
func spend(c *call, rt route) error {
	if c.token == nil || rt.path == "/rate_limit" || rt.path == traffic.GraphQLPath {
		return nil
	}
	if e := spendRequest(c); e != nil {
		return e
	}
	if rt.method == http.MethodGet {
		return nil
	}
	return spendContent(c)
}

// spendRequest checks the primary limit.
func spendRequest(c *call) *entity.APIError {
	u := c.usageOf(c.token.Installation)
	if u.Used >= requestLimit(c) {
		return entity.Refuse(http.StatusForbidden, "API rate limit exceeded for installation ID %d.", c.token.Installation.ID)
	}
	u.Used++
	return nil
}

// spendContent checks the secondary limits: "no more than 80 content-generating requests per minute and no more than
// 500 content-generating requests per hour".
func spendContent(c *call) error {
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
		f := traffic.SecondaryLimit(http.StatusForbidden, time.Minute)
		return &entity.APIError{Status: f.Status, Message: f.Message, Header: f.Header}
	}
	u.Content = append(u.Content, now)
	return nil
}

func rateHeaders(c *call, h http.Header) {
	u, limit := c.usageOf(c.token.Installation), requestLimit(c)
	h.Set("X-RateLimit-Limit", strconv.Itoa(limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(limit-u.Used))
	h.Set("X-RateLimit-Used", strconv.Itoa(u.Used))
	h.Set("X-RateLimit-Reset", fmt.Sprint(u.Reset.Unix()))
	h.Set("X-RateLimit-Resource", "core")
}

// usageOfUser returns the requests of the person in this hour.
func usageOfUser(c *call) *entity.Usage {
	u := c.usage[c.user.ID]
	if u == nil {
		u = &entity.Usage{}
		c.usage[c.user.ID] = u
	}
	if now := c.Now(); !now.Before(u.Reset) {
		u.Reset, u.Used = now.Add(time.Hour), 0
	}
	return u
}

// userRateHeaders sets the headers of the person's rate limit.
func userRateHeaders(c *call, h http.Header) {
	u := usageOfUser(c)
	h.Set("X-RateLimit-Limit", strconv.Itoa(c.opts.RequestsPerHour))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(c.opts.RequestsPerHour-u.Used))
	h.Set("X-RateLimit-Used", strconv.Itoa(u.Used))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(u.Reset.Unix(), 10))
	h.Set("X-RateLimit-Resource", "core")
}

func getRateLimit(c *call) (*answer, error) {
	u := c.usageOf(c.token.Installation)
	core := entity.Object{"limit": requestLimit(c), "used": u.Used, "remaining": requestLimit(c) - u.Used,
		"reset": u.Reset.Unix()}
	search := entity.Object{"limit": 30, "used": 0, "remaining": 30, "reset": c.Now().Add(time.Minute).Unix()}
	return ok(entity.Object{"resources": entity.Object{"core": core, "search": search}, "rate": core})
}

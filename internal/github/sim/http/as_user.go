package simhttp

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// isOfUser reports whether a request has the token of a person.
func (c allowed) isOfUser() bool { return strings.HasPrefix(credentials(c.r), "ghu_") }

// runAsUser carries out the request of a person.
func (c allowed) runAsUser(rt route) (*answer, error) {
	t := c.userToken(credentials(c.r))
	if t == nil {
		return nil, model.Refuse(http.StatusUnauthorized, "Bad credentials")
	}
	c.user = t.user
	u := c.usageOfUser()
	if u.Used >= c.opts.RequestsPerHour {
		return nil, model.Refuse(http.StatusForbidden, "API rate limit exceeded for user ID %d.", t.user.ID)
	}
	u.Used++
	switch {
	case rt.as == asUser:
		return rt.do(c.call)
	case rt.method != http.MethodGet || rt.path != "/repos/{owner}/{repo}":
		return nil, notAccessible()
	}
	r, err := c.repoOfPath()
	if err != nil {
		return nil, err
	}
	if !c.mayRead(r) {
		return nil, notFound()
	}
	c.repo = r
	return rt.do(c.call)
}

// mayRead reports whether the person can read a repository through the App: a public one, or one of an installation.
func (c allowed) mayRead(r *model.Repository) bool {
	if c.user == nil || r.Public {
		return r.Public
	}
	return r.RoleOf(c.user).AtLeast(model.RoleRead) && c.State.InstallationFor(r) != nil
}

// usageOfUser returns the requests of the person in this hour.
func (c spending) usageOfUser() *model.Usage {
	u := c.oauth.limits[c.user.ID]
	if u == nil {
		u = &model.Usage{}
		c.oauth.limits[c.user.ID] = u
	}
	if now := c.Now(); !now.Before(u.Reset) {
		u.Reset, u.Used = now.Add(time.Hour), 0
	}
	return u
}

// getViewer answers with whose token it is.
func getViewer(c *call) (*answer, error) {
	if c.user == nil {
		return nil, notAccessible()
	}
	c.vars["username"] = c.user.Login
	return getUser(c)
}

// userRateHeaders sets the headers of the person's rate limit.
func (c spending) userRateHeaders(h http.Header) {
	u := c.usageOfUser()
	h.Set("X-RateLimit-Limit", strconv.Itoa(c.opts.RequestsPerHour))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(c.opts.RequestsPerHour-u.Used))
	h.Set("X-RateLimit-Used", strconv.Itoa(u.Used))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(u.Reset.Unix(), 10))
	h.Set("X-RateLimit-Resource", "core")
}

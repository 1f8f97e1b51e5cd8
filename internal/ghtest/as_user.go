package ghtest

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// What a person's token of the App can do: "user access tokens only have permissions that both the user and the app
// have". Here that is to ask who the person is, and for repositories.

// isOfUser reports whether a request has the token of a person.
func (c *call) isOfUser() bool { return strings.HasPrefix(credentials(c.r), "ghu_") }

// runAsUser carries out the request of a person.
func (c *call) runAsUser(rt route) (*answer, error) {
	t := c.userToken(credentials(c.r))
	if t == nil {
		return nil, refuse(http.StatusUnauthorized, "Bad credentials")
	}
	c.user = t.user
	u := c.usageOfUser()
	if u.used >= c.opts.RequestsPerHour {
		return nil, refuse(http.StatusForbidden, "API rate limit exceeded for user ID %d.", t.user.id)
	}
	u.used++
	switch {
	case rt.as == asUser:
		return rt.do(c)
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
	return rt.do(c)
}

// mayRead reports whether the person can read a repository through the App: a public one, or one of an installation.
func (c *call) mayRead(r *repository) bool {
	if c.user == nil || r.public {
		return r.public
	}
	return r.roleOf(c.user).atLeast(RoleRead) && c.state.installationFor(r) != nil
}

// usageOfUser returns the requests of the person in this hour.
func (c *call) usageOfUser() *usage {
	u := c.oauth.limits[c.user.id]
	if u == nil {
		u = &usage{}
		c.oauth.limits[c.user.id] = u
	}
	if now := c.now(); !now.Before(u.reset) {
		u.reset, u.used = now.Add(time.Hour), 0
	}
	return u
}

// getViewer answers with whose token it is.
func getViewer(c *call) (*answer, error) {
	if c.user == nil {
		return nil, notAccessible()
	}
	c.vars["username"] = c.user.login
	return getUser(c)
}

// userRateHeaders sets the headers of the person's rate limit.
func (c *call) userRateHeaders(h http.Header) {
	u := c.usageOfUser()
	h.Set("X-RateLimit-Limit", strconv.Itoa(c.opts.RequestsPerHour))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(c.opts.RequestsPerHour-u.used))
	h.Set("X-RateLimit-Used", strconv.Itoa(u.used))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(u.reset.Unix(), 10))
	h.Set("X-RateLimit-Resource", "core")
}

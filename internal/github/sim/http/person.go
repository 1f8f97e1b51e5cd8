package simhttp

import (
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// isOfUser reports whether a request has the token of a person.
func isOfUser(c *call) bool { return strings.HasPrefix(traffic.Credentials(c.r), "ghu_") }

// runAsUser carries out the request of a person.
func runAsUser(c *call, rt route) (*answer, error) {
	c.user = c.flows.UserOf(traffic.Credentials(c.r))
	if c.user == nil {
		return nil, entity.Refuse(http.StatusUnauthorized, "Bad credentials")
	}
	u := usageOfUser(c)
	if u.Used >= c.opts.RequestsPerHour {
		return nil, entity.Refuse(http.StatusForbidden, "API rate limit exceeded for user ID %d.", c.user.ID)
	}
	u.Used++
	switch {
	case rt.as == asUser:
		return rt.do(c)
	case rt.method != http.MethodGet || rt.path != "/repos/{owner}/{repo}":
		return nil, notAccessible()
	}
	r, err := findRepo(c)
	if err != nil {
		return nil, err
	}
	if !mayRead(c, r) {
		return nil, notFound()
	}
	c.repo = r
	return rt.do(c)
}

// getViewer answers with whose token it is.
func getViewer(c *call) (*answer, error) {
	if c.user == nil {
		return nil, notAccessible()
	}
	c.vars["username"] = c.user.Login
	return getUser(c)
}

package ghtest

import (
	"net/http"
	"strconv"
	"strings"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

func getRepo(c *call) (*answer, error) { return ok(c.fullRepoJSON(c.repo)) }

func (c *call) userOfPath() *user { return c.state.users[strings.ToLower(c.vars["username"])] }

func getUser(c *call) (*answer, error) {
	u := c.userOfPath()
	if u == nil {
		return nil, notFound()
	}
	o := c.userObject(u)
	for _, field := range []string{"name", "company", "location", "email", "hireable", "bio"} {
		o[field] = nil
	}
	o["blog"], o["public_repos"], o["public_gists"], o["followers"], o["following"] = "", 0, 0, 0, 0
	o["created_at"], o["updated_at"] = stamp(u.created), stamp(u.created)
	return ok(o)
}

// getPermission responds for users without a role too: they have "none", or "read" in a public repository.
func getPermission(c *call) (*answer, error) {
	u := c.userOfPath()
	if u == nil {
		return nil, refuse(http.StatusNotFound, "%s is not a user", c.vars["username"])
	}
	role := c.repo.roleOf(u)
	o := c.userObject(u)
	o["role_name"] = string(role)
	o["permissions"] = object{"admin": role.atLeast(RoleAdmin), "maintain": role.atLeast(RoleMaintain),
		"push": role.atLeast(RoleWrite), "triage": role.atLeast(RoleTriage), "pull": role.atLeast(RoleRead)}
	return ok(object{"permission": role.legacy(), "role_name": string(role), "user": o})
}

// checkCollaborator responds 204 for a collaborator, and 404 for anybody else.
func checkCollaborator(c *call) (*answer, error) {
	u := c.userOfPath()
	if u == nil || c.repo.association(u) == "NONE" {
		return nil, notFound()
	}
	return noContent()
}

package simhttp

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func getRepo(c *call) (*answer, error) { return ok(c.fullRepoJSON(c.repo)) }

func (c named) userOfPath() *model.User { return c.State.Users[strings.ToLower(c.vars["username"])] }

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
	o["created_at"], o["updated_at"] = stamp(u.Created), stamp(u.Created)
	return ok(o)
}

// getPermission responds for users without a role too: they have "none", or "read" in a public repository.
func getPermission(c *call) (*answer, error) {
	u := c.userOfPath()
	if u == nil {
		return nil, model.Refuse(http.StatusNotFound, "%s is not a user", c.vars["username"])
	}
	role := c.repo.RoleOf(u)
	o := c.userObject(u)
	o["role_name"] = string(role)
	o["permissions"] = model.Object{"admin": role.AtLeast(model.RoleAdmin), "maintain": role.AtLeast(model.RoleMaintain),
		"push": role.AtLeast(model.RoleWrite), "triage": role.AtLeast(model.RoleTriage), "pull": role.AtLeast(model.RoleRead)}
	return ok(model.Object{"permission": role.Legacy(), "role_name": string(role), "user": o})
}

// checkCollaborator responds 204 for a collaborator, and 404 for anybody else.
func checkCollaborator(c *call) (*answer, error) {
	u := c.userOfPath()
	if u == nil || c.repo.Association(u) == "NONE" {
		return nil, notFound()
	}
	return noContent()
}

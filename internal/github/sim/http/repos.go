package simhttp

import (
	"net/http"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
)

func getRepo(c *call) (*answer, error) { return ok(c.form.FullRepository(c.repo)) }

func getUser(c *call) (*answer, error) {
	u := findUser(c)
	if u == nil {
		return nil, notFound()
	}
	o := c.form.UserObject(u)
	for _, field := range []string{"name", "company", "location", "email", "hireable", "bio"} {
		o[field] = nil
	}
	o["blog"], o["public_repos"], o["public_gists"], o["followers"], o["following"] = "", 0, 0, 0, 0
	o["created_at"], o["updated_at"] = form.Time(u.Created), form.Time(u.Created)
	return ok(o)
}

// getPermission responds for users without a role too: they have "none", or "read" in a public repository.
func getPermission(c *call) (*answer, error) {
	u := findUser(c)
	if u == nil {
		return nil, entity.Refuse(http.StatusNotFound, "%s is not a user", c.vars["username"])
	}
	role := c.repo.RoleOf(u)
	o := c.form.UserObject(u)
	o["role_name"] = string(role)
	o["permissions"] = entity.Object{"admin": role.AtLeast(entity.RoleAdmin),
		"maintain": role.AtLeast(entity.RoleMaintain), "push": role.AtLeast(entity.RoleWrite),
		"triage": role.AtLeast(entity.RoleTriage), "pull": role.AtLeast(entity.RoleRead)}
	return ok(entity.Object{"permission": role.Legacy(), "role_name": string(role), "user": o})
}

// checkCollaborator responds 204 for a collaborator, and 404 for anybody else.
func checkCollaborator(c *call) (*answer, error) {
	u := findUser(c)
	if u == nil || c.repo.Association(u) == "NONE" {
		return nil, notFound()
	}
	return noContent()
}

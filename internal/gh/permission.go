package gh

import (
	"context"
	"fmt"
	"net/url"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// Permission asks what login may do in repo. An error means: nothing. bot.ErrNotFound: GitHub knows no such user, or the
// repository is out of reach.
func (c *Client) Permission(ctx context.Context, repo port.RepoRef, login string) (port.Permission, error) {
	if login == "" || login == "." || login == ".." {
		return port.PermissionNone, callerError(fmt.Sprintf("asking for a permission: %q is nobody", login))
	}
	api, err := c.as(repo, reading)
	if err != nil {
		return port.PermissionNone, err
	}
	level, _, err := api.Repositories.GetPermissionLevel(ctx, repo.Owner, repo.Name, url.PathEscape(login))
	if err != nil {
		return port.PermissionNone, c.explain(err, "asking for the permission of %s in %s", login, repo)
	}
	return permission(level), nil
}

// permission reads GitHub's two fields: permission knows read, write, admin and none, and stands for custom roles too;
// role_name tells triage from read and maintain from write, and may hold any name that an organisation thought of.
func permission(level *github.RepositoryPermissionLevel) port.Permission {
	switch base, role := level.GetPermission(), level.GetRoleName(); {
	case base == "admin":
		return port.PermissionAdmin
	case base == "write" && role == "maintain":
		return port.PermissionMaintain
	case base == "write":
		return port.PermissionWrite
	case base == "read" && role == "triage":
		return port.PermissionTriage
	case base == "read":
		return port.PermissionRead
	}
	return port.PermissionNone
}

package simhttp

import (
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// authorize sets the repository in the path, and checks the token's permissions. A repository that the token cannot
// access is not found (404), a missing permission is forbidden (403).
func authorize(c *call, rt route) error {
	r, err := findRepo(c)
	if err != nil {
		return err
	}
	if r == nil {
		return c.permitted(rt.needs, rt.method)
	}
	c.repo = r
	if rt.as == asApp {
		return nil
	}
	if !c.token.Covers(r) {
		return outside(c, rt)
	}
	if err := c.permitted(narrow(c, rt.needs), rt.method); err != nil {
		return err
	}
	if r.Archived && rt.method != http.MethodGet {
		return entity.Refuse(http.StatusForbidden, "Repository was archived so is read-only.")
	}
	return nil
}

// findRepo returns the repository in the path, by its name or its id, or nil if there is none. An old name is
// redirected.
func findRepo(c *call) (*entity.Repository, error) {
	if c.vars["repository_id"] != "" {
		id, _ := c.number("repository_id")
		if r := c.State.Repos[id]; r != nil && !r.Deleted {
			return r, nil
		}
		return nil, notFound()
	}
	if c.vars["owner"] == "" {
		return nil, nil
	}
	name := c.vars["owner"] + "/" + c.vars["repo"]
	r, err := c.State.Repo(name)
	if err == nil {
		return r, nil
	}
	if r := c.State.FormerRepo(name); r != nil && finds(c, r) {
		return nil, redirectTo(c, r, belowRepo(c))
	}
	return nil, notFound()
}

// finds reports whether whoever asks for the former name of a repository is told the new one.
func finds(c *call, r *entity.Repository) bool {
	switch {
	case c.user != nil:
		return mayRead(c, r)
	case c.token != nil:
		return r.Public || c.token.Covers(r)
	}
	return true
}

// mayRead reports whether the person can read a repository through the App: a public one, or one of an installation.
func mayRead(c *call, r *entity.Repository) bool {
	if c.user == nil || r.Public {
		return r.Public
	}
	return r.RoleOf(c.user).AtLeast(entity.RoleRead) && c.State.InstallationFor(r) != nil
}

// outside returns the error for a repository that the token cannot access: public ones can be read, others are not
// found.
func outside(c *call, rt route) error {
	switch {
	case !c.repo.Public:
		return notFound()
	case rt.method != http.MethodGet || neverPublic(c):
		return notAccessible()
	}
	return nil
}

func (c *call) permitted(alternatives []string, method string) error {
	if len(alternatives) == 0 || c.token == nil {
		return nil
	}
	for _, need := range alternatives {
		if permission, level, _ := strings.Cut(need, ":"); c.tokenMay(permission, level) {
			return nil
		}
	}
	if c.repo != nil && c.repo.Public && method == http.MethodGet && !neverPublic(c) {
		return nil // "can be used without the permission if only public resources are requested"
	}
	return lacks(c, alternatives)
}

// tokenMay reports whether the token has a permission in the repository of the call.
func (c *call) tokenMay(permission, level string) bool {
	if level == "write" && c.repo != nil {
		return c.MayWrite(c.token, c.repo, permission)
	}
	return c.token.May(permission, level)
}

// neverPublic reports whether the path is of what nobody reads without the permission: collaborators and logs.
func neverPublic(c *call) bool {
	return strings.Contains(c.r.URL.Path, "/collaborators/") || strings.HasSuffix(c.r.URL.Path, "/logs")
}

// narrow removes pull_requests from "issues or pull_requests" if the thread is an issue.
func narrow(c *call, alternatives []string) []string {
	if len(alternatives) != 2 {
		return alternatives
	}
	if is := threadOfPath(c); is == nil || is.Pull != nil {
		return alternatives
	}
	return alternatives[:1]
}

// lacks returns the error for a token without any of these permissions, which a header names: "you can use the
// X-Accepted-GitHub-Permissions header to identify the permissions that are required".
func lacks(c *call, alternatives []string) *entity.APIError {
	e := notAccessible()
	if c.token.Kind == entity.PersonalToken {
		e = entity.Refuse(http.StatusForbidden, "Resource not accessible by personal access token")
	}
	e.Header = http.Header{}
	e.Header.Set("X-Accepted-GitHub-Permissions", strings.ReplaceAll(strings.Join(alternatives, "; "), ":", "="))
	return e
}

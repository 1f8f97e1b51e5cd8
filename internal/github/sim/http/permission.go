package simhttp

import (
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// authorize sets the repository in the path, and checks the token's permissions. A repository that the token cannot
// access is not found (404), a missing permission is forbidden (403).
func (c allowed) authorize(rt route) error {
	r, err := c.repoOfPath()
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
		return c.outside(rt)
	}
	if err := c.permitted(c.narrow(rt.needs), rt.method); err != nil {
		return err
	}
	if r.Archived && rt.method != http.MethodGet {
		return model.Refuse(http.StatusForbidden, "Repository was archived so is read-only.")
	}
	return nil
}

// repoOfPath returns the repository in the path, by its name or its id, or nil if there is none. An old name is
// redirected.
func (c named) repoOfPath() (*model.Repository, error) {
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
	if r := c.State.FormerRepo(name); r != nil && c.finds(r) {
		return nil, c.redirectTo(r, c.belowRepo())
	}
	return nil, notFound()
}

// finds reports whether whoever asks for the former name of a repository is told the new one.
func (c allowed) finds(r *model.Repository) bool {
	switch {
	case c.user != nil:
		return c.mayRead(r)
	case c.token != nil:
		return r.Public || c.token.Covers(r)
	}
	return true
}

// outside returns the error for a repository that the token cannot access: public ones can be read, others are not
// found.
func (c allowed) outside(rt route) error {
	switch {
	case !c.repo.Public:
		return notFound()
	case rt.method != http.MethodGet || c.neverPublic():
		return notAccessible()
	}
	return nil
}

func (c allowed) permitted(alternatives []string, method string) error {
	if len(alternatives) == 0 || c.token == nil {
		return nil
	}
	for _, need := range alternatives {
		if permission, level, _ := strings.Cut(need, ":"); c.tokenMay(permission, level) {
			return nil
		}
	}
	if c.repo != nil && c.repo.Public && method == http.MethodGet && !c.neverPublic() {
		return nil // "can be used without the permission if only public resources are requested"
	}
	return c.lacks(alternatives)
}

// neverPublic reports whether the path is of what nobody reads without the permission: collaborators and logs.
func (c allowed) neverPublic() bool {
	return strings.Contains(c.r.URL.Path, "/collaborators/") || strings.HasSuffix(c.r.URL.Path, "/logs")
}

// narrow removes pull_requests from "issues or pull_requests" if the thread is an issue.
func (c allowed) narrow(alternatives []string) []string {
	if len(alternatives) != 2 {
		return alternatives
	}
	if is := c.threadOfPath(); is == nil || is.Pull != nil {
		return alternatives
	}
	return alternatives[:1]
}

func (c named) threadOfPath() *model.Issue {
	if n, err := c.number("issue_number"); err == nil {
		return c.repo.Issues[int(n)]
	}
	if id, err := c.number("comment_id"); err == nil && c.State.Comments[id] != nil {
		return c.State.Comments[id].Issue
	}
	return nil
}

package ghtest

import (
	"net/http"
	"strings"
)

// authorize sets the repository in the path, and checks the token's permissions. A repository that the token cannot
// access is not found (404), a missing permission is forbidden (403).
func (c *call) authorize(rt route) error {
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
	if !c.token.covers(r) {
		return c.outside(rt)
	}
	if err := c.permitted(c.narrow(rt.needs), rt.method); err != nil {
		return err
	}
	if r.archived && rt.method != http.MethodGet {
		return refuse(http.StatusForbidden, "Repository was archived so is read-only.")
	}
	return nil
}

// repoOfPath returns the repository in the path, by its name or its id, or nil if there is none. An old name is
// redirected.
func (c *call) repoOfPath() (*repository, error) {
	if c.vars["repository_id"] != "" {
		id, _ := c.number("repository_id")
		if r := c.state.repos[id]; r != nil && !r.deleted {
			return r, nil
		}
		return nil, notFound()
	}
	if c.vars["owner"] == "" {
		return nil, nil
	}
	name := c.vars["owner"] + "/" + c.vars["repo"]
	r, err := c.state.repo(name)
	if err == nil {
		return r, nil
	}
	if r := c.state.formerRepo(name); r != nil && c.finds(r) {
		return nil, c.redirectTo(r, c.belowRepo())
	}
	return nil, notFound()
}

// finds reports whether whoever asks for the former name of a repository is told the new one.
func (c *call) finds(r *repository) bool {
	switch {
	case c.user != nil:
		return c.mayRead(r)
	case c.token != nil:
		return r.public || c.token.covers(r)
	}
	return true
}

// outside returns the error for a repository that the token cannot access: public ones can be read, others are not
// found.
func (c *call) outside(rt route) error {
	switch {
	case !c.repo.public:
		return notFound()
	case rt.method != http.MethodGet || c.neverPublic():
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
	if c.repo != nil && c.repo.public && method == http.MethodGet && !c.neverPublic() {
		return nil // "can be used without the permission if only public resources are requested"
	}
	return c.lacks(alternatives)
}

// neverPublic reports whether the path is of what nobody reads without the permission: collaborators and logs.
func (c *call) neverPublic() bool {
	return strings.Contains(c.r.URL.Path, "/collaborators/") || strings.HasSuffix(c.r.URL.Path, "/logs")
}

// narrow removes pull_requests from "issues or pull_requests" if the thread is an issue.
func (c *call) narrow(alternatives []string) []string {
	if len(alternatives) != 2 {
		return alternatives
	}
	if is := c.threadOfPath(); is == nil || is.pull != nil {
		return alternatives
	}
	return alternatives[:1]
}

func (c *call) threadOfPath() *issue {
	if n, err := c.number("issue_number"); err == nil {
		return c.repo.issues[int(n)]
	}
	if id, err := c.number("comment_id"); err == nil && c.state.comments[id] != nil {
		return c.state.comments[id].issue
	}
	return nil
}

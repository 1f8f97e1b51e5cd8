package ghtest

import (
	"fmt"
	"net/http"
	"strings"
)

// RenameRepo renames a repository: to "name", or to "owner/name" to transfer it to another account. Its old names
// redirect to it until another repository gets them.
func (s *Server) RenameRepo(repo, to string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return err
	}
	if !strings.Contains(to, "/") {
		to = r.owner.login + "/" + to
	}
	owner, err := s.freeName(to)
	if err != nil {
		return err
	}
	was := r.fullName()
	s.state.formerly[strings.ToLower(was)] = r.id
	_, r.name, _ = strings.Cut(to, "/")
	if r.owner == owner {
		_, name, _ := strings.Cut(was, "/")
		s.emit("repository", "renamed", r, r.id, s.adminOf(owner),
			object{"changes": object{"repository": object{"name": object{"from": name}}}})
		return nil
	}
	r.owner = owner
	return nil
}

// formerRepo returns the repository that had a name, or nil if there is none.
func (st *state) formerRepo(fullName string) *repository {
	if r := st.repos[st.formerly[strings.ToLower(fullName)]]; r != nil && !r.deleted {
		return r
	}
	return nil
}

// redirectTo returns GitHub's redirect to something that moved, by ids that never change: "301 permanent redirect … 307
// temporary redirect"; the second is for requests whose method has to stay.
func (c *call) redirectTo(r *repository, rest string) *apiError {
	to := fmt.Sprintf("%s/api/v3/repositories/%d%s", c.base, r.id, rest)
	if c.r.URL.RawQuery != "" {
		to += "?" + c.r.URL.RawQuery
	}
	e := refuse(http.StatusMovedPermanently, "Moved Permanently")
	if c.r.Method != http.MethodGet {
		e = refuse(http.StatusTemporaryRedirect, "Temporary Redirect")
	}
	e.url, e.header = to, http.Header{"Location": {to}}
	return e
}

// belowRepo returns the path below the repository, with its slash.
func (c *call) belowRepo() string {
	parts := strings.SplitN(c.r.URL.EscapedPath(), "/", 7) // "", api, v3, repos, owner, name, the rest
	if len(parts) < 7 {
		return ""
	}
	return "/" + parts[6]
}

// TransferIssue moves an issue, with its comments, to another repository of the same owner, and returns its number
// there.
func (s *Server) TransferIssue(repo string, number int, to string) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	is, err := s.state.issue(repo, number)
	if err != nil {
		return 0, err
	}
	target, err := s.state.repoOf(is.repo.owner, to)
	if err != nil {
		return 0, err
	}
	if is.pull != nil || target == is.repo {
		return 0, fmt.Errorf("GitHub cannot transfer %s#%d to %s", repo, number, to)
	}
	moved := s.addThread(target, is.user, is.title, is.body)
	moved.open, moved.created, moved.comments, moved.reactions = is.open, is.created, is.comments, is.reactions
	for _, co := range moved.comments {
		co.issue = moved
	}
	by := s.adminOf(is.repo.owner)
	is.gone, is.transferredTo, is.comments = true, moved, nil
	s.emitIssue("transferred", is, by,
		object{"changes": object{"new_issue": s.issueJSON(moved), "new_repository": s.repoJSON(target)}})
	s.emitIssue("opened", moved, by,
		object{"changes": object{"old_issue": s.issueJSON(is), "old_repository": s.repoJSON(is.repo)}})
	return moved.number, nil
}

// issueTransferred: "if the issue was transferred to another repository, the API returns a 301 Moved Permanently status
// … to … a repository where the authenticated user lacks read access, the API returns 404". It is 301 whatever the
// method.
func (c *call) issueTransferred(is *issue) error {
	to := is.transferredTo
	if !c.token.covers(to.repo) && !to.repo.public {
		return notFound()
	}
	parts := strings.SplitN(c.r.URL.EscapedPath(), fmt.Sprintf("/issues/%d", is.number), 2)
	e := c.redirectTo(to.repo, fmt.Sprintf("/issues/%d%s", to.number, parts[1]))
	e.status, e.message = http.StatusMovedPermanently, "Moved Permanently"
	return e
}

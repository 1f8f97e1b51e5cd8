package simhttp

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// redirectTo returns GitHub's redirect to something that moved, by ids that never change: "301 permanent redirect … 307
// temporary redirect"; the second is for requests whose method has to stay.
func (c named) redirectTo(r *model.Repository, rest string) *model.APIError {
	to := fmt.Sprintf("%s/api/v3/repositories/%d%s", c.Base, r.ID, rest)
	if c.r.URL.RawQuery != "" {
		to += "?" + c.r.URL.RawQuery
	}
	e := model.Refuse(http.StatusMovedPermanently, "Moved Permanently")
	if c.r.Method != http.MethodGet {
		e = model.Refuse(http.StatusTemporaryRedirect, "Temporary Redirect")
	}
	e.URL, e.Header = to, http.Header{"Location": {to}}
	return e
}

// belowRepo returns the path below the repository, with its slash.
func (c named) belowRepo() string {
	parts := strings.SplitN(c.r.URL.EscapedPath(), "/", 7) // "", api, v3, repos, owner, name, the rest
	if len(parts) < 7 {
		return ""
	}
	return "/" + parts[6]
}

// TransferIssue moves an issue, with its comments, to another repository of the same owner, and returns its number
// there.
func (s *Server) TransferIssue(repo string, number int, to string) (int, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	is, err := s.State.Issue(repo, number)
	if err != nil {
		return 0, err
	}
	target, err := s.State.RepoOf(is.Repo.Owner, to)
	if err != nil {
		return 0, err
	}
	if is.Pull != nil || target == is.Repo {
		return 0, fmt.Errorf("GitHub cannot transfer %s#%d to %s", repo, number, to)
	}
	moved := s.AddThread(target, is.User, is.Title, is.Body)
	moved.Open, moved.Created, moved.Comments, moved.Reactions = is.Open, is.Created, is.Comments, is.Reactions
	for _, co := range moved.Comments {
		co.Issue = moved
	}
	by := s.AdminOf(is.Repo.Owner)
	is.Gone, is.TransferredTo, is.Comments = true, moved, nil
	s.EmitIssue("transferred", is, by,
		model.Object{"changes": model.Object{"new_issue": s.issueJSON(moved), "new_repository": s.repoJSON(target)}})
	s.EmitIssue("opened", moved, by,
		model.Object{"changes": model.Object{"old_issue": s.issueJSON(is), "old_repository": s.repoJSON(is.Repo)}})
	return moved.Number, nil
}

// issueTransferred: "if the issue was transferred to another repository, the API returns a 301 Moved Permanently status
// … to … a repository where the authenticated user lacks read access, the API returns 404". It is 301 whatever the
// method.
func (c named) issueTransferred(is *model.Issue) error {
	to := is.TransferredTo
	if !c.token.Covers(to.Repo) && !to.Repo.Public {
		return notFound()
	}
	parts := strings.SplitN(c.r.URL.EscapedPath(), fmt.Sprintf("/issues/%d", is.Number), 2)
	e := c.redirectTo(to.Repo, fmt.Sprintf("/issues/%d%s", to.Number, parts[1]))
	e.Status, e.Message = http.StatusMovedPermanently, "Moved Permanently"
	return e
}

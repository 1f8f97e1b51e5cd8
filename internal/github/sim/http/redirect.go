package simhttp

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// redirectTo returns GitHub's redirect to something that moved, by ids that never change: "301 permanent redirect … 307
// temporary redirect"; the second is for requests whose method has to stay.
func redirectTo(c *call, r *entity.Repository, rest string) *entity.APIError {
	to := fmt.Sprintf("%s/api/v3/repositories/%d%s", c.Base, r.ID, rest)
	if c.r.URL.RawQuery != "" {
		to += "?" + c.r.URL.RawQuery
	}
	e := entity.Refuse(http.StatusMovedPermanently, "Moved Permanently")
	if c.r.Method != http.MethodGet {
		e = entity.Refuse(http.StatusTemporaryRedirect, "Temporary Redirect")
	}
	e.URL, e.Header = to, http.Header{"Location": {to}}
	return e
}

// belowRepo returns the path below the repository, with its slash.
func belowRepo(c *call) string {
	parts := strings.SplitN(c.r.URL.EscapedPath(), "/", 7) // "", api, v3, repos, owner, name, the rest
	if len(parts) < 7 {
		return ""
	}
	return "/" + parts[6]
}

// issueTransferred: "if the issue was transferred to another repository, the API returns a 301 Moved Permanently status
// … to … a repository where the authenticated user lacks read access, the API returns 404". It is 301 whatever the
// method.
func issueTransferred(c *call, is *entity.Issue) error {
	to := is.TransferredTo
	if !c.token.Covers(to.Repo) && !to.Repo.Public {
		return notFound()
	}
	parts := strings.SplitN(c.r.URL.EscapedPath(), fmt.Sprintf("/issues/%d", is.Number), 2)
	e := redirectTo(c, to.Repo, fmt.Sprintf("/issues/%d%s", to.Number, parts[1]))
	e.Status, e.Message = http.StatusMovedPermanently, "Moved Permanently"
	return e
}

package ghtest

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// wholeSHA matches the full name of a commit.
var wholeSHA = regexp.MustCompile(`^[0-9a-f]{40}$`)

// listCommits: "sha: SHA or branch to start listing commits from. Default: the repository's default branch."
func listCommits(c *call) (*answer, error) {
	rev := c.resolveLagging(orElse(c.query.Get("sha"), c.repo.defaultBranch))
	if rev == "" {
		if c.repo.git.Branch(c.repo.defaultBranch) == "" {
			return nil, refuse(http.StatusConflict, "Git Repository is empty.")
		}
		return nil, notFound()
	}
	filter, err := c.commitFilter()
	if err != nil {
		return nil, err
	}
	list, err := c.repo.git.Log(rev, filter)
	if err != nil {
		return nil, err
	}
	return paged(c, list, c.commitJSON)
}

// maxLog is how many commits are listed at most.
const maxLog = 1000

// commitFilter returns the filter of the query: author is a login or an e-mail address, and since and until are
// compared with the committer's time.
func (c *call) commitFilter() (f git.Filter, err error) {
	f = git.Filter{Author: c.query.Get("author"), Path: strings.TrimSuffix(c.query.Get("path"), "/"), Max: maxLog}
	if u := c.state.users[strings.ToLower(f.Author)]; u != nil {
		f.Author = u.email()
	}
	if f.Since, err = c.time("since"); err != nil {
		return f, err
	}
	f.Until, err = c.time("until")
	return f, err
}

// aSHA matches the name of a commit, also an abbreviated one.
var aSHA = regexp.MustCompile(`^[0-9a-f]{7,40}$`)

// resolve returns the commit of a name, or "" if there is none: "a commit SHA, branch name (heads/BRANCH_NAME), or tag
// name (tags/TAG_NAME)". The API does not know other revisions of git (main~2, :/text, @{1}).
func (c *call) resolve(rev string) string {
	if strings.ContainsAny(rev, "~^:?*[\\ ") || strings.Contains(rev, "@{") || strings.Contains(rev, "..") {
		return ""
	}
	names := []string{"refs/heads/" + rev, "refs/tags/" + rev, "refs/" + rev}
	if aSHA.MatchString(rev) || rev == "HEAD" || strings.HasPrefix(rev, "refs/") {
		names = append(names, rev)
	}
	for _, name := range names {
		if sha := c.repo.git.Resolve(name); sha != "" {
			return sha
		}
	}
	return ""
}

// commitJSON returns "commit".
func (c *call) commitJSON(ci git.Commit) object {
	api, html := c.repoURL()+"/commits/"+ci.SHA, c.htmlRepoURL(c.repo)+"/commit/"+ci.SHA
	parents := []object{}
	for _, p := range ci.Parents {
		parents = append(parents, object{"sha": p, "url": c.repoURL() + "/commits/" + p,
			"html_url": c.htmlRepoURL(c.repo) + "/commit/" + p})
	}
	return object{
		"sha": ci.SHA, "node_id": nodeID("C", c.repo.id) + ci.SHA[:8], "url": api, "html_url": html,
		"comments_url": api + "/comments",
		"commit": object{
			"url":           c.repoURL() + "/git/commits/" + ci.SHA,
			"author":        signatureJSON(ci.Author),
			"committer":     signatureJSON(ci.Committer),
			"message":       strings.TrimSuffix(ci.Message, "\n"),
			"tree":          object{"sha": ci.Tree, "url": c.repoURL() + "/git/trees/" + ci.Tree},
			"comment_count": 0,
			"verification":  c.verification(ci),
		},
		"author": c.accountOf(ci.Author.Email), "committer": c.accountOf(ci.Committer.Email), "parents": parents,
	}
}

func signatureJSON(s git.Signature) object {
	return object{"name": s.Name, "email": s.Email, "date": stamp(s.When)}
}

// verification returns the "verification" of a commit: whether GitHub signed it. There is no signature in the object
// here.
func (c *call) verification(ci git.Commit) object {
	if !c.state.signed[ci.SHA] {
		return object{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil}
	}
	return object{"verified": true, "reason": "valid", "signature": "-----BEGIN PGP SIGNATURE-----",
		"payload": "tree " + ci.Tree, "verified_at": stamp(ci.Committer.When)}
}

// accountOf returns the account of an e-mail address, or null if there is none.
func (c *call) accountOf(email string) any {
	for _, u := range c.state.users {
		if strings.EqualFold(u.email(), email) {
			return c.userJSON(u)
		}
	}
	return nil
}

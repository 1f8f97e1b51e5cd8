package simhttp

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// wholeSHA matches the full name of a commit.
var wholeSHA = regexp.MustCompile(`^[0-9a-f]{40}$`)

// listCommits: "sha: SHA or branch to start listing commits from. Default: the repository's default branch."
func listCommits(c *call) (*answer, error) {
	rev := c.resolveLagging(model.OrElse(c.query.Get("sha"), c.repo.DefaultBranch))
	if rev == "" {
		if c.repo.Git.Branch(c.repo.DefaultBranch) == "" {
			return nil, model.Refuse(http.StatusConflict, "Git Repository is empty.")
		}
		return nil, notFound()
	}
	filter, err := c.commitFilter()
	if err != nil {
		return nil, err
	}
	list, err := c.repo.Git.Log(rev, filter)
	if err != nil {
		return nil, err
	}
	return paged(c, list, c.commitJSON)
}

// commitFilter returns the filter of the query: author is a login or an e-mail address, and since and until are
// compared with the committer's time.
func (c commitCalls) commitFilter() (f git.Filter, err error) {
	f = git.Filter{Author: c.query.Get("author"), Path: strings.TrimSuffix(c.query.Get("path"), "/"), Max: sim.MaxLog}
	if u := c.State.Users[strings.ToLower(f.Author)]; u != nil {
		f.Author = u.Email()
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
func (c commitCalls) resolve(rev string) string {
	if strings.ContainsAny(rev, "~^:?*[\\ ") || strings.Contains(rev, "@{") || strings.Contains(rev, "..") {
		return ""
	}
	names := []string{"refs/heads/" + rev, "refs/tags/" + rev, "refs/" + rev}
	if aSHA.MatchString(rev) || rev == "HEAD" || strings.HasPrefix(rev, "refs/") {
		names = append(names, rev)
	}
	for _, name := range names {
		if sha := c.repo.Git.Resolve(name); sha != "" {
			return sha
		}
	}
	return ""
}

// commitJSON returns "commit".
func (c commitCalls) commitJSON(ci git.Commit) model.Object {
	api, html := c.repoURL()+"/commits/"+ci.SHA, c.HTMLRepoURL(c.repo)+"/commit/"+ci.SHA
	parents := []model.Object{}
	for _, p := range ci.Parents {
		parents = append(parents, model.Object{"sha": p, "url": c.repoURL() + "/commits/" + p,
			"html_url": c.HTMLRepoURL(c.repo) + "/commit/" + p})
	}
	return model.Object{
		"sha": ci.SHA, "node_id": sim.NodeID("C", c.repo.ID) + ci.SHA[:8], "url": api, "html_url": html,
		"comments_url": api + "/comments",
		"commit": model.Object{
			"url":           c.repoURL() + "/git/commits/" + ci.SHA,
			"author":        signatureJSON(ci.Author),
			"committer":     signatureJSON(ci.Committer),
			"message":       strings.TrimSuffix(ci.Message, "\n"),
			"tree":          model.Object{"sha": ci.Tree, "url": c.repoURL() + "/git/trees/" + ci.Tree},
			"comment_count": 0,
			"verification":  c.verification(ci),
		},
		"author": c.accountOf(ci.Author.Email), "committer": c.accountOf(ci.Committer.Email), "parents": parents,
	}
}

func signatureJSON(s git.Signature) model.Object {
	return model.Object{"name": s.Name, "email": s.Email, "date": stamp(s.When)}
}

// verification returns the "verification" of a commit: whether GitHub signed it. There is no signature in the object
// here.
func (c commitCalls) verification(ci git.Commit) model.Object {
	if !c.State.Signed[ci.SHA] {
		return model.Object{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil}
	}
	return model.Object{"verified": true, "reason": "valid", "signature": "-----BEGIN PGP SIGNATURE-----",
		"payload": "tree " + ci.Tree, "verified_at": stamp(ci.Committer.When)}
}

// accountOf returns the account of an e-mail address, or null if there is none.
func (c commitCalls) accountOf(email string) any {
	for _, u := range c.State.Users {
		if strings.EqualFold(u.Email(), email) {
			return c.userJSON(u)
		}
	}
	return nil
}

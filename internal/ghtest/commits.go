package ghtest

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// commitInfo is a commit with further fields of the API.
type commitInfo struct {
	Commit
	tree                   string
	authored, committed    time.Time
	committer, committerAt string // name and e-mail address
}

// wholeSHA matches the full name of a commit.
var wholeSHA = regexp.MustCompile(`^[0-9a-f]{40}$`)

// listCommits: "sha: SHA or branch to start listing commits from. Default: the repository's default branch."
func listCommits(c *call) (*answer, error) {
	rev := c.resolveLagging(orElse(c.query.Get("sha"), c.repo.defaultBranch))
	if rev == "" {
		if c.branch(c.repo, c.repo.defaultBranch) == "" {
			return nil, refuse(http.StatusConflict, "Git Repository is empty.")
		}
		return nil, notFound()
	}
	narrow, err := c.commitFilter()
	if err != nil {
		return nil, err
	}
	list, err := c.commitInfos(c.repo, rev, narrow...)
	if err != nil {
		return nil, err
	}
	return paged(c, list, c.commitJSON)
}

// commitFilter returns git's arguments for the query: author is a login or an e-mail address, since and until are
// compared with the committer's time, and path is the last.
func (c *call) commitFilter() ([]string, error) {
	var args []string
	for _, name := range []string{"since", "until"} {
		t, err := c.time(name)
		switch {
		case err != nil:
			return nil, err
		case !t.IsZero():
			args = append(args, fmt.Sprintf("--%s=%d", name, t.Unix()))
		}
	}
	if author := c.query.Get("author"); author != "" {
		if u := c.state.users[strings.ToLower(author)]; u != nil {
			author = u.email()
		}
		args = append(args, "--fixed-strings", "--author=<"+author+">")
	}
	args = append(args, "--")
	if path := c.query.Get("path"); path != "" {
		args = append(args, ":(top,literal)"+path)
	}
	return args, nil
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
		if sha := c.commitOf(c.repo, name); sha != "" {
			return sha
		}
	}
	return ""
}

// commitInfos returns at most 1,000 commits, selected by git's arguments, with paths after "--".
func (s *Server) commitInfos(r *repository, rev string, narrow ...string) ([]commitInfo, error) {
	if len(narrow) == 0 {
		narrow = []string{"--"}
	}
	args := []string{"log", "-z", "--max-count=1000",
		"--format=%H%x1f%P%x1f%T%x1f%aI%x1f%cI%x1f%cn%x1f%ce%x1f%an%x1f%ae%x1f%B", rev}
	git := s.git
	if wholeSHA.MatchString(rev) {
		git = s.known
	}
	out, err := git(r.dir, append(args, narrow...)...)
	if err != nil || out == "" {
		return nil, err
	}
	var list []commitInfo
	for record := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		f := strings.SplitN(record, "\x1f", 10)
		info := commitInfo{Commit: Commit{SHA: f[0], Parents: strings.Fields(f[1]), Author: f[7], Email: f[8],
			Message: strings.TrimSuffix(f[9], "\n")},
			tree: f[2], committer: f[5], committerAt: f[6]}
		info.authored, _ = time.Parse(time.RFC3339, f[3])
		info.committed, _ = time.Parse(time.RFC3339, f[4])
		list = append(list, info)
	}
	return list, nil
}

// commitJSON returns "commit".
func (c *call) commitJSON(ci commitInfo) object {
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
			"url":       c.repoURL() + "/git/commits/" + ci.SHA,
			"author":    object{"name": ci.Author, "email": ci.Email, "date": stamp(ci.authored)},
			"committer": object{"name": ci.committer, "email": ci.committerAt, "date": stamp(ci.committed)},
			"message":   ci.Message, "tree": object{"sha": ci.tree, "url": c.repoURL() + "/git/trees/" + ci.tree},
			"comment_count": 0,
			"verification":  c.verification(ci),
		},
		"author": c.accountOf(ci.Email), "committer": c.accountOf(ci.committerAt), "parents": parents,
	}
}

// verification returns the "verification" of a commit: whether GitHub signed it. There is no signature in the object
// here.
func (c *call) verification(ci commitInfo) object {
	if !c.state.signed[ci.SHA] {
		return object{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil}
	}
	return object{"verified": true, "reason": "valid", "signature": "-----BEGIN PGP SIGNATURE-----",
		"payload": "tree " + ci.tree, "verified_at": stamp(ci.committed)}
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

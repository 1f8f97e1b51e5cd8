package simhttp

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// listCommits: "sha: SHA or branch to start listing commits from. Default: the repository's default branch."
func listCommits(c *call) (*answer, error) {
	rev := resolveLagging(c, entity.OrElse(c.query.Get("sha"), c.repo.DefaultBranch))
	if rev == "" {
		if c.repo.Git.Branch(c.repo.DefaultBranch) == "" {
			return nil, entity.Refuse(http.StatusConflict, "Git Repository is empty.")
		}
		return nil, notFound()
	}
	filter, err := commitFilter(c)
	if err != nil {
		return nil, err
	}
	list, err := c.repo.Git.Log(rev, filter)
	if err != nil {
		return nil, err
	}
	return paged(c, list, c.code().Commit)
}

// commitFilter returns the filter of the query: author is a login or an e-mail address, and since and until are
// compared with the committer's time.
func commitFilter(c *call) (f git.Filter, err error) {
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

// resolveLagging is resolve for what lags behind a push. It returns "" for a commit that GitHub does not know yet.
func resolveLagging(c *call, rev string) string {
	if c.repo.Lag == nil {
		return c.resolve(rev)
	}
	if sha, is := c.repo.Lag.Branches[rev]; is {
		return sha
	}
	sha := c.resolve(rev)
	if sha == "" {
		return ""
	}
	known := git.Filter{Not: slices.Collect(maps.Values(c.repo.Lag.Branches)), Max: 1}
	if unknown, err := c.repo.Git.Log(sha, known); err != nil || len(unknown) > 0 {
		return ""
	}
	return sha
}

// getCommit responds with "commit", with its statistics and files.
func getCommit(c *call) (*answer, error) {
	if err := c.notEmpty(); err != nil {
		return nil, err
	}
	sha := c.resolve(c.vars["ref"])
	if sha == "" {
		return nil, entity.Unprocessable("No commit found for SHA: %s", c.vars["ref"])
	}
	commit, err := c.repo.Git.Commit(sha)
	if err != nil {
		return nil, err
	}
	o := c.code().Commit(commit)
	files := []entity.Object{}
	additions, deletions := 0, 0
	if len(commit.Parents) > 0 {
		changed, err := c.repo.Git.Diff(commit.Parents[0], sha)
		if err != nil {
			return nil, err
		}
		for _, f := range changed {
			files = append(files, c.code().File(f, sha))
			additions, deletions = additions+f.Additions, deletions+f.Deletions
		}
	}
	o["files"], o["stats"] = files, entity.Object{"additions": additions, "deletions": deletions,
		"total": additions + deletions}
	return ok(o)
}

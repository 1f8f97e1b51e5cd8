package simhttp

import (
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// signature is an author or committer of a new commit.
type signature struct {
	Name  *string    `json:"name"`
	Email *string    `json:"email"`
	Date  *time.Time `json:"date"`
}

// createCommit creates a commit object. Without an author and a committer, the author is the App, and GitHub commits
// and signs it, so that it is verified.
func createCommit(c *call) (*answer, error) {
	var in struct {
		Message   *string    `json:"message"`
		Tree      *string    `json:"tree"`
		Parents   []string   `json:"parents"`
		Author    *signature `json:"author"`
		Committer *signature `json:"committer"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	switch {
	case in.Message == nil:
		return nil, model.NotSupplied("message")
	case in.Tree == nil:
		return nil, model.NotSupplied("tree")
	case !c.hasObject(*in.Tree, git.KindTree):
		return nil, model.Unprocessable("Tree SHA does not exist")
	}
	for _, p := range in.Parents {
		if !c.hasObject(p, git.KindCommit) {
			return nil, model.Unprocessable("Parent SHA does not exist or is not a commit object")
		}
	}
	author, committer, err := c.signatures(in.Author, in.Committer)
	if err != nil {
		return nil, err
	}
	sha, err := c.repo.Git.WriteCommit(git.Commit{Tree: *in.Tree, Parents: in.Parents, Author: author,
		Committer: committer, Message: *in.Message})
	if err != nil {
		return nil, err
	}
	if in.Author == nil && in.Committer == nil {
		c.State.Signed[sha] = true
	}
	return c.answerCommit(sha, created)
}

// identity matches a name or address that is valid in a commit: not blank, on one line, without angle brackets.
var identity = regexp.MustCompile(`^[^\x00\n<>]*[^\x00\n<> .,:;"'\\][^\x00\n<>]*$`)

// signatures returns those of a new commit: "The authenticated user will be both by default"; the default of the
// committer is the author. Without both, GitHub is the committer.
func (c commitCalls) signatures(author, committer *signature) (git.Signature, git.Signature, error) {
	by := git.Signature{Name: c.sender().Login, Email: c.sender().Email(), When: c.Now()}
	to := sim.HubSignature(c.Now())
	var err error
	if author != nil {
		if by, err = c.signature(*author, "author"); err != nil {
			return by, to, err
		}
		to = by
	}
	if committer != nil {
		to, err = c.signature(*committer, "committer")
	}
	return by, to, err
}

func (c commitCalls) signature(s signature, role string) (git.Signature, error) {
	switch {
	case s.Name == nil:
		return git.Signature{}, model.NotSupplied("name")
	case s.Email == nil:
		return git.Signature{}, model.NotSupplied("email")
	case !identity.MatchString(*s.Name) || !identity.MatchString(*s.Email): // git can store no such identity
		return git.Signature{}, model.Unprocessable("%s is invalid", role)
	}
	out := git.Signature{Name: *s.Name, Email: *s.Email, When: c.Now()}
	if s.Date != nil {
		out.When = *s.Date
	}
	return out, nil
}

func getGitCommit(c *call) (*answer, error) {
	if !c.hasObject(c.vars["sha"], git.KindCommit) {
		return nil, notFound()
	}
	return c.answerCommit(c.vars["sha"], func(o model.Object) (*answer, error) { return ok(o) })
}

// answerCommit responds with "git-commit".
func (c commitCalls) answerCommit(sha string, answer func(model.Object) (*answer, error)) (*answer, error) {
	commit, err := c.repo.Git.Commit(sha)
	if err != nil {
		return nil, err
	}
	full := c.commitJSON(commit)
	inner := full["commit"].(model.Object)
	return answer(model.Object{"sha": sha, "node_id": full["node_id"], "url": inner["url"], "html_url": full["html_url"],
		"author": inner["author"], "committer": inner["committer"], "tree": inner["tree"], "message": inner["message"],
		"parents": full["parents"], "verification": inner["verification"]})
}

// getCommit responds with "commit", with its statistics and files.
func getCommit(c *call) (*answer, error) {
	if err := c.notEmpty(); err != nil {
		return nil, err
	}
	sha := c.resolve(c.vars["ref"])
	if sha == "" {
		return nil, model.Unprocessable("No commit found for SHA: %s", c.vars["ref"])
	}
	commit, err := c.repo.Git.Commit(sha)
	if err != nil {
		return nil, err
	}
	o := c.commitJSON(commit)
	files := []model.Object{}
	additions, deletions := 0, 0
	if len(commit.Parents) > 0 {
		changed, err := c.repo.Git.Diff(commit.Parents[0], sha)
		if err != nil {
			return nil, err
		}
		for _, f := range changed {
			files = append(files, c.fileJSON(f, sha))
			additions, deletions = additions+f.Additions, deletions+f.Deletions
		}
	}
	o["files"], o["stats"] = files, model.Object{"additions": additions, "deletions": deletions,
		"total": additions + deletions}
	return ok(o)
}

func (c commitCalls) branchJSON(name, sha string) model.Object {
	return model.Object{"name": name, "protected": c.repo.Protected[name] != nil,
		"commit": model.Object{"sha": sha, "url": c.repoURL() + "/commits/" + sha}}
}

func listBranches(c *call) (*answer, error) {
	refs, err := c.refs("refs/heads/")
	if err != nil {
		return nil, err
	}
	return paged(c, refs, func(r model.Object) model.Object {
		return c.branchJSON(strings.TrimPrefix(r["ref"].(string), "refs/heads/"), r["object"].(model.Object)["sha"].(string))
	})
}

// getBranch responds with "branch-with-protection".
func getBranch(c *call) (*answer, error) {
	name := c.vars["branch"]
	sha := c.repo.Git.Branch(name)
	if sha == "" {
		return nil, model.Refuse(http.StatusNotFound, "Branch not found")
	}
	commit, err := c.repo.Git.Commit(sha)
	if err != nil {
		return nil, err
	}
	o := c.branchJSON(name, sha)
	api := c.repoURL() + "/branches/" + escapePath(name)
	o["commit"] = c.commitJSON(commit)
	o["_links"] = model.Object{"self": api, "html": c.HTMLRepoURL(c.repo) + "/tree/" + escapePath(name)}
	o["protection_url"] = api + "/protection"
	o["protection"] = model.Object{"enabled": o["protected"],
		"required_status_checks": model.Object{"enforcement_level": "off",
			"contexts": []string{}, "checks": []string{}}}
	return ok(o)
}

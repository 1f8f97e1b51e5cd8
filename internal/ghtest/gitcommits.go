package ghtest

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
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
		return nil, notSupplied("message")
	case in.Tree == nil:
		return nil, notSupplied("tree")
	case !c.hasObject(*in.Tree, "tree"):
		return nil, unprocessable("Tree SHA does not exist")
	}
	args := []string{"commit-tree", *in.Tree}
	for _, p := range in.Parents {
		if !c.hasObject(p, "commit") {
			return nil, unprocessable("Parent SHA does not exist or is not a commit object")
		}
		args = append(args, "-p", p)
	}
	env, err := c.commitEnv(in.Author, in.Committer)
	if err != nil {
		return nil, err
	}
	sha, err := c.gitIn(c.repo.dir, strings.NewReader(*in.Message), env, args...)
	if err != nil {
		return nil, err
	}
	if in.Author == nil && in.Committer == nil {
		c.state.signed[sha] = true
	}
	return c.answerCommit(sha, created)
}

// identity matches a name or address that is valid in a commit: not blank, on one line, without angle brackets.
var identity = regexp.MustCompile(`^[^\x00\n<>]*[^\x00\n<> .,:;"'\\][^\x00\n<>]*$`)

// commitEnv returns git's environment with author and committer: "The authenticated user will be both by default"; the
// default of the committer is the author.
func (c *call) commitEnv(author, committer *signature) ([]string, error) {
	now := c.now()
	bot, botEmail, hub, hubEmail := c.sender().login, c.sender().email(), "GitHub", "noreply@github.com"
	by := signature{&bot, &botEmail, &now}
	to := signature{&hub, &hubEmail, &now}
	if author != nil {
		by, to = *author, *author
	}
	if committer != nil {
		to = *committer
	}
	var env []string
	for i, s := range []signature{by, to} {
		role := []string{"AUTHOR", "COMMITTER"}[i]
		switch {
		case s.Name == nil:
			return nil, notSupplied("name")
		case s.Email == nil:
			return nil, notSupplied("email")
		case !identity.MatchString(*s.Name) || !identity.MatchString(*s.Email): // git can store no such identity
			return nil, unprocessable("%s is invalid", strings.ToLower(role))
		}
		at := now
		if s.Date != nil {
			at = *s.Date
		}
		env = append(env, fmt.Sprintf("GIT_%s_NAME=%s", role, *s.Name), fmt.Sprintf("GIT_%s_EMAIL=%s", role, *s.Email),
			fmt.Sprintf("GIT_%s_DATE=%d %s", role, at.Unix(), at.Format("-0700")))
	}
	return env, nil
}

func getGitCommit(c *call) (*answer, error) {
	if !c.hasObject(c.vars["sha"], "commit") {
		return nil, notFound()
	}
	return c.answerCommit(c.vars["sha"], func(o object) (*answer, error) { return ok(o) })
}

// answerCommit responds with "git-commit".
func (c *call) answerCommit(sha string, answer func(object) (*answer, error)) (*answer, error) {
	list, err := c.commitInfos(c.repo, sha)
	if err != nil {
		return nil, err
	}
	full := c.commitJSON(list[0])
	inner := full["commit"].(object)
	return answer(object{"sha": sha, "node_id": full["node_id"], "url": inner["url"], "html_url": full["html_url"],
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
		return nil, unprocessable("No commit found for SHA: %s", c.vars["ref"])
	}
	list, err := c.commitInfos(c.repo, sha)
	if err != nil {
		return nil, err
	}
	o := c.commitJSON(list[0])
	files := []object{}
	additions, deletions := 0, 0
	if len(list[0].Parents) > 0 {
		changed, err := c.diff(c.repo, list[0].Parents[0]+".."+sha)
		if err != nil {
			return nil, err
		}
		for _, f := range changed {
			files = append(files, c.fileJSON(f, sha))
			additions, deletions = additions+f.additions, deletions+f.deletions
		}
	}
	o["files"], o["stats"] = files, object{"additions": additions, "deletions": deletions, "total": additions + deletions}
	return ok(o)
}

func (c *call) branchJSON(name, sha string) object {
	return object{"name": name, "protected": c.repo.protected[name] != nil,
		"commit": object{"sha": sha, "url": c.repoURL() + "/commits/" + sha}}
}

func listBranches(c *call) (*answer, error) {
	refs, err := c.refs("refs/heads")
	if err != nil {
		return nil, err
	}
	return paged(c, refs, func(r object) object {
		return c.branchJSON(strings.TrimPrefix(r["ref"].(string), "refs/heads/"), r["object"].(object)["sha"].(string))
	})
}

// getBranch responds with "branch-with-protection".
func getBranch(c *call) (*answer, error) {
	name := c.vars["branch"]
	sha := c.branch(c.repo, name)
	if sha == "" {
		return nil, refuse(http.StatusNotFound, "Branch not found")
	}
	list, err := c.commitInfos(c.repo, sha)
	if err != nil {
		return nil, err
	}
	o := c.branchJSON(name, sha)
	api := c.repoURL() + "/branches/" + escapePath(name)
	o["commit"] = c.commitJSON(list[0])
	o["_links"] = object{"self": api, "html": c.htmlRepoURL(c.repo) + "/tree/" + escapePath(name)}
	o["protection_url"] = api + "/protection"
	o["protection"] = object{"enabled": o["protected"], "required_status_checks": object{"enforcement_level": "off",
		"contexts": []string{}, "checks": []string{}}}
	return ok(o)
}

package simhttp

import (
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
	"github.com/tenon-bot/tenon/internal/github/sim/http/githttp"
)

func listBranches(c *call) (*answer, error) {
	refs, err := refsOf(c, "refs/heads/")
	if err != nil {
		return nil, err
	}
	return paged(c, refs, func(r entity.Object) entity.Object {
		name, object := strings.TrimPrefix(r["ref"].(string), "refs/heads/"), r["object"].(entity.Object)
		return c.code().Branch(name, object["sha"].(string))
	})
}

// getBranch responds with "branch-with-protection".
func getBranch(c *call) (*answer, error) {
	name := c.vars["branch"]
	sha := c.repo.Git.Branch(name)
	if sha == "" {
		return nil, entity.Refuse(http.StatusNotFound, "Branch not found")
	}
	commit, err := c.repo.Git.Commit(sha)
	if err != nil {
		return nil, err
	}
	o := c.code().Branch(name, sha)
	api := c.repoURL() + "/branches/" + form.EscapePath(name)
	o["commit"] = c.code().Commit(commit)
	o["_links"] = entity.Object{"self": api, "html": c.RepoPage(c.repo) + "/tree/" + form.EscapePath(name)}
	o["protection_url"] = api + "/protection"
	o["protection"] = entity.Object{"enabled": o["protected"],
		"required_status_checks": entity.Object{"enforcement_level": "off", "contexts": []string{}, "checks": []string{}}}
	return ok(o)
}

// refsOf returns the refs whose names begin with a prefix.
func refsOf(c *call, prefix string) ([]entity.Object, error) {
	refs, err := c.repo.Git.Refs(prefix)
	list := []entity.Object{}
	for _, ref := range refs {
		list = append(list, c.code().Ref(ref.Name, ref.SHA, c.repo.Git.Kind(ref.SHA)))
	}
	return list, err
}

// getRef: "If the :ref doesn't exist in the repository, a 404 is returned", also if it is a prefix of others.
func getRef(c *call) (*answer, error) {
	if err := c.notEmpty(); err != nil {
		return nil, err
	}
	sha := c.repo.Git.Ref(refOfPath(c))
	if sha == "" {
		return nil, notFound()
	}
	return ok(c.code().Ref(refOfPath(c), sha, c.repo.Git.Kind(sha)))
}

func matchingRefs(c *call) (*answer, error) {
	if err := c.notEmpty(); err != nil {
		return nil, err
	}
	list, err := refsOf(c, refOfPath(c))
	if err != nil {
		return nil, err
	}
	return ok(list)
}

func createRef(c *call) (*answer, error) {
	var in struct{ Ref, SHA *string }
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	switch {
	case in.Ref == nil:
		return nil, entity.NotSupplied("ref")
	case in.SHA == nil:
		return nil, entity.NotSupplied("sha")
	}
	if err := checkNewRef(*in.Ref); err != nil {
		return nil, err
	}
	if err := c.notEmpty(); err != nil {
		return nil, err
	}
	if below, err := c.repo.Git.Refs(*in.Ref + "/"); err != nil || len(below) > 0 || c.repo.Git.Ref(*in.Ref) != "" {
		return nil, entity.Unprocessable("Reference already exists")
	}
	if err := moveRef(c, *in.Ref, "", *in.SHA); err != nil {
		return nil, err
	}
	return created(c.code().Ref(*in.Ref, *in.SHA, "commit"))
}

// updateRef: "force: Leaving this out or setting it to false will make sure you're not overwriting work."
func updateRef(c *call) (*answer, error) {
	var in struct {
		SHA   *string `json:"sha"`
		Force bool    `json:"force"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if in.SHA == nil {
		return nil, entity.NotSupplied("sha")
	}
	old := c.repo.Git.Ref(refOfPath(c))
	switch {
	case old == "":
		return nil, entity.Unprocessable("Reference does not exist")
	case !c.hasObject(*in.SHA, git.KindCommit):
		return nil, entity.Unprocessable("Object does not exist")
	case !in.Force && !c.repo.Git.IsAncestor(old, *in.SHA):
		return nil, entity.Unprocessable("Update is not a fast forward")
	}
	if err := moveRef(c, refOfPath(c), old, *in.SHA); err != nil {
		return nil, err
	}
	return ok(c.code().Ref(refOfPath(c), *in.SHA, "commit"))
}

func deleteRef(c *call) (*answer, error) {
	old := c.repo.Git.Ref(refOfPath(c))
	if old == "" {
		return nil, entity.Unprocessable("Reference does not exist")
	}
	if err := moveRef(c, refOfPath(c), old, ""); err != nil {
		return nil, err
	}
	return noContent()
}

// moveRef moves, creates or deletes a ref by the rules of a push. An empty from means no ref, an empty to deletes it.
func moveRef(c *call, ref, from, to string) error {
	if err := mayMove(c, ref, to); err != nil {
		return err
	}
	if err := c.repo.Git.Update(git.Update{Name: ref, From: from, To: to}); err != nil {
		return err
	}
	return c.RefsMoved(c.repo, c.sender())
}

// mayMove returns an error if a ref cannot be moved.
func mayMove(c *call, ref, to string) error {
	branch, isBranch := strings.CutPrefix(ref, "refs/heads/")
	switch {
	case strings.HasPrefix(ref, "refs/pull/"):
		return entity.Unprocessable("Reference cannot be updated")
	case isBranch && c.repo.Protected[branch] != nil && to == "":
		return entity.Unprocessable("Cannot delete a protected branch")
	// As in a push: "deletion of the current branch prohibited".
	case isBranch && branch == c.repo.DefaultBranch && to == "":
		return entity.Unprocessable("Cannot delete the default branch")
	case isBranch && c.repo.Protected[branch] != nil:
		return entity.Unprocessable("%s", c.repo.Protected[branch].Refusal())
	case to == "":
		return nil
	case !c.hasObject(to, git.KindCommit):
		return entity.Unprocessable("Object does not exist")
	case c.token.May("workflows", "write"):
		return nil
	}
	file, err := githttp.NewWorkflow(c.repo, to)
	if err == nil && file != "" {
		return refuseWorkflows(c, file)
	}
	return err
}

// checkNewRef checks the name of a new ref.
func checkNewRef(ref string) error {
	if !strings.HasPrefix(ref, "refs/") || strings.Count(ref, "/") < 2 {
		return entity.Unprocessable("Reference name must start with 'refs/' and have at least two slashes")
	}
	if !git.ValidRef(ref) {
		return entity.Unprocessable("%s is not a valid ref name.", ref)
	}
	if wholeSHA.MatchString(strings.SplitN(ref, "/", 3)[2]) { // as in a push, GH002
		return entity.Unprocessable("Sorry, branch or tag names consisting of 40 hex characters are not allowed.")
	}
	return nil
}

// refuseWorkflows returns the error of a move of a branch to commits that change the file of a workflow.
func refuseWorkflows(c *call, file string) error {
	if c.token.Kind != entity.JobToken {
		return notAccessible()
	}
	return entity.Refuse(http.StatusForbidden,
		"refusing to allow a GitHub App to create or update workflow `%s` without `workflows` permission", file)
}

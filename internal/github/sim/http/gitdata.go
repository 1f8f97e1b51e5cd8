package simhttp

import (
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// hasObject reports whether the repository has an object of a kind, by its full SHA.
func (c refCalls) hasObject(sha, kind string) bool {
	return c.repo.Git.Kind(sha) == kind
}

// refOfPath returns the full name of the ref in the path.
func (c named) refOfPath() string { return "refs/" + c.vars["ref"] }

func (c refCalls) refJSON(ref, sha, kind string) model.Object {
	plural := map[string]string{"commit": "commits", "tag": "tags", "tree": "trees", "blob": "blobs"}[kind]
	return model.Object{"ref": ref, "node_id": sim.NodeID("REF", c.repo.ID) + ref,
		"url":    c.repoURL() + "/git/" + escapePath(ref),
		"object": model.Object{"sha": sha, "type": kind, "url": c.repoURL() + "/git/" + plural + "/" + sha}}
}

// refs returns the refs whose names begin with a prefix.
func (c refCalls) refs(prefix string) ([]model.Object, error) {
	refs, err := c.repo.Git.Refs(prefix)
	list := []model.Object{}
	for _, ref := range refs {
		list = append(list, c.refJSON(ref.Name, ref.SHA, c.repo.Git.Kind(ref.SHA)))
	}
	return list, err
}

// notEmpty returns GitHub's error for git data of a repository without commits.
func (c refCalls) notEmpty() error {
	if list, err := c.repo.Git.Refs(""); err != nil || len(list) > 0 {
		return err
	}
	return model.Refuse(http.StatusConflict, "Git Repository is empty.")
}

// getRef: "If the :ref doesn't exist in the repository, a 404 is returned", also if it is a prefix of others.
func getRef(c *call) (*answer, error) {
	if err := c.notEmpty(); err != nil {
		return nil, err
	}
	sha := c.repo.Git.Ref(c.refOfPath())
	if sha == "" {
		return nil, notFound()
	}
	return ok(c.refJSON(c.refOfPath(), sha, c.repo.Git.Kind(sha)))
}

func matchingRefs(c *call) (*answer, error) {
	if err := c.notEmpty(); err != nil {
		return nil, err
	}
	list, err := c.refs(c.refOfPath())
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
		return nil, model.NotSupplied("ref")
	case in.SHA == nil:
		return nil, model.NotSupplied("sha")
	}
	if err := c.checkNewRef(*in.Ref); err != nil {
		return nil, err
	}
	if err := c.notEmpty(); err != nil {
		return nil, err
	}
	if below, err := c.repo.Git.Refs(*in.Ref + "/"); err != nil || len(below) > 0 || c.repo.Git.Ref(*in.Ref) != "" {
		return nil, model.Unprocessable("Reference already exists")
	}
	if err := c.moveRef(*in.Ref, "", *in.SHA); err != nil {
		return nil, err
	}
	return created(c.refJSON(*in.Ref, *in.SHA, "commit"))
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
		return nil, model.NotSupplied("sha")
	}
	old := c.repo.Git.Ref(c.refOfPath())
	switch {
	case old == "":
		return nil, model.Unprocessable("Reference does not exist")
	case !c.hasObject(*in.SHA, git.KindCommit):
		return nil, model.Unprocessable("Object does not exist")
	case !in.Force && !c.repo.Git.IsAncestor(old, *in.SHA):
		return nil, model.Unprocessable("Update is not a fast forward")
	}
	if err := c.moveRef(c.refOfPath(), old, *in.SHA); err != nil {
		return nil, err
	}
	return ok(c.refJSON(c.refOfPath(), *in.SHA, "commit"))
}

func deleteRef(c *call) (*answer, error) {
	old := c.repo.Git.Ref(c.refOfPath())
	if old == "" {
		return nil, model.Unprocessable("Reference does not exist")
	}
	if err := c.moveRef(c.refOfPath(), old, ""); err != nil {
		return nil, err
	}
	return noContent()
}

// moveRef moves, creates or deletes a ref by the rules of a push. An empty from means no ref, an empty to deletes it.
func (c refCalls) moveRef(ref, from, to string) error {
	if err := c.mayMove(ref, to); err != nil {
		return err
	}
	if err := c.repo.Git.Update(git.Update{Name: ref, From: from, To: to}); err != nil {
		return err
	}
	return c.RefsMoved(c.repo, c.sender())
}

// mayMove returns an error if a ref cannot be moved.
func (c refCalls) mayMove(ref, to string) error {
	branch, isBranch := strings.CutPrefix(ref, "refs/heads/")
	switch {
	case strings.HasPrefix(ref, "refs/pull/"):
		return model.Unprocessable("Reference cannot be updated")
	case isBranch && c.repo.Protected[branch] != nil && to == "":
		return model.Unprocessable("Cannot delete a protected branch")
	// As in a push: "deletion of the current branch prohibited".
	case isBranch && branch == c.repo.DefaultBranch && to == "":
		return model.Unprocessable("Cannot delete the default branch")
	case isBranch && c.repo.Protected[branch] != nil:
		return model.Unprocessable("%s", c.repo.Protected[branch].Refusal())
	case to == "":
		return nil
	case !c.hasObject(to, git.KindCommit):
		return model.Unprocessable("Object does not exist")
	case c.token.May("workflows", "write"):
		return nil
	}
	file, err := c.newWorkflow(to)
	if err == nil && file != "" {
		return c.refuseWorkflows(file)
	}
	return err
}

// newWorkflow returns the first file of a workflow that commits change which no ref has yet, or "" if there is none.
func (c refCalls) newWorkflow(sha string) (string, error) {
	refs, err := c.repo.Git.Refs("")
	if err != nil {
		return "", err
	}
	filter := git.Filter{Path: strings.TrimSuffix(sim.WorkflowFolder, "/")}
	for _, ref := range refs {
		if tip := c.repo.Git.Resolve(ref.Name); tip != "" {
			filter.Not = append(filter.Not, tip)
		}
	}
	list, err := c.repo.Git.Log(sha, filter)
	if err != nil {
		return "", err
	}
	for _, commit := range list {
		if len(commit.Parents) > 1 { // a merge: its parents have the change
			continue
		}
		files, err := c.repo.Git.Diff(strings.Join(commit.Parents, ""), commit.SHA)
		if err != nil {
			return "", err
		}
		for _, f := range files {
			if strings.HasPrefix(f.Path, sim.WorkflowFolder) || strings.HasPrefix(f.Previous, sim.WorkflowFolder) {
				return f.Path, nil
			}
		}
	}
	return "", nil
}

// checkNewRef checks the name of a new ref.
func (c refCalls) checkNewRef(ref string) error {
	if !strings.HasPrefix(ref, "refs/") || strings.Count(ref, "/") < 2 {
		return model.Unprocessable("Reference name must start with 'refs/' and have at least two slashes")
	}
	if !git.ValidRef(ref) {
		return model.Unprocessable("%s is not a valid ref name.", ref)
	}
	if wholeSHA.MatchString(strings.SplitN(ref, "/", 3)[2]) { // as in a push, GH002
		return model.Unprocessable("Sorry, branch or tag names consisting of 40 hex characters are not allowed.")
	}
	return nil
}

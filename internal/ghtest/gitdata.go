package ghtest

import (
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// hasObject reports whether the repository has an object of a kind, by its full SHA.
func (c *call) hasObject(sha, kind string) bool {
	return c.repo.git.Kind(sha) == kind
}

// refOfPath returns the full name of the ref in the path.
func (c *call) refOfPath() string { return "refs/" + c.vars["ref"] }

func (c *call) refJSON(ref, sha, kind string) object {
	plural := map[string]string{"commit": "commits", "tag": "tags", "tree": "trees", "blob": "blobs"}[kind]
	return object{"ref": ref, "node_id": nodeID("REF", c.repo.id) + ref, "url": c.repoURL() + "/git/" + escapePath(ref),
		"object": object{"sha": sha, "type": kind, "url": c.repoURL() + "/git/" + plural + "/" + sha}}
}

// refs returns the refs whose names begin with a prefix.
func (c *call) refs(prefix string) ([]object, error) {
	refs, err := c.repo.git.Refs(prefix)
	list := []object{}
	for _, ref := range refs {
		list = append(list, c.refJSON(ref.Name, ref.SHA, c.repo.git.Kind(ref.SHA)))
	}
	return list, err
}

// notEmpty returns GitHub's error for git data of a repository without commits.
func (c *call) notEmpty() error {
	if list, err := c.repo.git.Refs(""); err != nil || len(list) > 0 {
		return err
	}
	return refuse(http.StatusConflict, "Git Repository is empty.")
}

// getRef: "If the :ref doesn't exist in the repository, a 404 is returned", also if it is a prefix of others.
func getRef(c *call) (*answer, error) {
	if err := c.notEmpty(); err != nil {
		return nil, err
	}
	sha := c.repo.git.Ref(c.refOfPath())
	if sha == "" {
		return nil, notFound()
	}
	return ok(c.refJSON(c.refOfPath(), sha, c.repo.git.Kind(sha)))
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
		return nil, notSupplied("ref")
	case in.SHA == nil:
		return nil, notSupplied("sha")
	}
	if err := c.checkNewRef(*in.Ref); err != nil {
		return nil, err
	}
	if err := c.notEmpty(); err != nil {
		return nil, err
	}
	if below, err := c.repo.git.Refs(*in.Ref + "/"); err != nil || len(below) > 0 || c.repo.git.Ref(*in.Ref) != "" {
		return nil, unprocessable("Reference already exists")
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
		return nil, notSupplied("sha")
	}
	old := c.repo.git.Ref(c.refOfPath())
	switch {
	case old == "":
		return nil, unprocessable("Reference does not exist")
	case !c.hasObject(*in.SHA, git.KindCommit):
		return nil, unprocessable("Object does not exist")
	case !in.Force && !c.repo.git.IsAncestor(old, *in.SHA):
		return nil, unprocessable("Update is not a fast forward")
	}
	if err := c.moveRef(c.refOfPath(), old, *in.SHA); err != nil {
		return nil, err
	}
	return ok(c.refJSON(c.refOfPath(), *in.SHA, "commit"))
}

func deleteRef(c *call) (*answer, error) {
	old := c.repo.git.Ref(c.refOfPath())
	if old == "" {
		return nil, unprocessable("Reference does not exist")
	}
	if err := c.moveRef(c.refOfPath(), old, ""); err != nil {
		return nil, err
	}
	return noContent()
}

// moveRef moves, creates or deletes a ref by the rules of a push. An empty from means no ref, an empty to deletes it.
func (c *call) moveRef(ref, from, to string) error {
	if err := c.mayMove(ref, to); err != nil {
		return err
	}
	if err := c.repo.git.Update(git.Update{Name: ref, From: from, To: to}); err != nil {
		return err
	}
	return c.refsMoved(c.repo, c.sender())
}

// mayMove returns an error if a ref cannot be moved.
func (c *call) mayMove(ref, to string) error {
	branch, isBranch := strings.CutPrefix(ref, "refs/heads/")
	switch {
	case strings.HasPrefix(ref, "refs/pull/"):
		return unprocessable("Reference cannot be updated")
	case isBranch && c.repo.protected[branch] != nil && to == "":
		return unprocessable("Cannot delete a protected branch")
	// As in a push: "deletion of the current branch prohibited".
	case isBranch && branch == c.repo.defaultBranch && to == "":
		return unprocessable("Cannot delete the default branch")
	case isBranch && c.repo.protected[branch] != nil:
		return unprocessable("%s", c.repo.protected[branch].refusal())
	case to == "":
		return nil
	case !c.hasObject(to, git.KindCommit):
		return unprocessable("Object does not exist")
	case c.token.may("workflows", "write"):
		return nil
	}
	file, err := c.newWorkflow(to)
	if err == nil && file != "" {
		return c.refuseWorkflows(file)
	}
	return err
}

// newWorkflow returns the first file of a workflow that commits change which no ref has yet, or "" if there is none.
func (c *call) newWorkflow(sha string) (string, error) {
	refs, err := c.repo.git.Refs("")
	if err != nil {
		return "", err
	}
	filter := git.Filter{Path: strings.TrimSuffix(workflowFolder, "/")}
	for _, ref := range refs {
		if tip := c.repo.git.Resolve(ref.Name); tip != "" {
			filter.Not = append(filter.Not, tip)
		}
	}
	list, err := c.repo.git.Log(sha, filter)
	if err != nil {
		return "", err
	}
	for _, commit := range list {
		if len(commit.Parents) > 1 { // a merge: its parents have the change
			continue
		}
		files, err := c.repo.git.Diff(strings.Join(commit.Parents, ""), commit.SHA)
		if err != nil {
			return "", err
		}
		for _, f := range files {
			if strings.HasPrefix(f.Path, workflowFolder) || strings.HasPrefix(f.Previous, workflowFolder) {
				return f.Path, nil
			}
		}
	}
	return "", nil
}

// checkNewRef checks the name of a new ref.
func (c *call) checkNewRef(ref string) error {
	if !strings.HasPrefix(ref, "refs/") || strings.Count(ref, "/") < 2 {
		return unprocessable("Reference name must start with 'refs/' and have at least two slashes")
	}
	if !git.ValidRef(ref) {
		return unprocessable("%s is not a valid ref name.", ref)
	}
	if wholeSHA.MatchString(strings.SplitN(ref, "/", 3)[2]) { // as in a push, GH002
		return unprocessable("Sorry, branch or tag names consisting of 40 hex characters are not allowed.")
	}
	return nil
}

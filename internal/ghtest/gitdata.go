package ghtest

import (
	"net/http"
	"strings"
)

// hasObject reports whether the repository has an object of a kind, by its full SHA.
func (c *call) hasObject(sha, kind string) bool {
	if !wholeSHA.MatchString(sha) {
		return false
	}
	got, err := c.known(c.repo.dir, "cat-file", "-t", sha)
	return err == nil && got == kind
}

// refOfPath returns the full name of the ref in the path.
func (c *call) refOfPath() string { return "refs/" + c.vars["ref"] }

func (c *call) refJSON(ref, sha, kind string) object {
	plural := map[string]string{"commit": "commits", "tag": "tags", "tree": "trees", "blob": "blobs"}[kind]
	return object{"ref": ref, "node_id": nodeID("REF", c.repo.id) + ref, "url": c.repoURL() + "/git/" + escapePath(ref),
		"object": object{"sha": sha, "type": kind, "url": c.repoURL() + "/git/" + plural + "/" + sha}}
}

// refs returns the refs of an exact name, or all below a prefix, like for-each-ref.
func (c *call) refs(patterns ...string) ([]object, error) {
	args := append([]string{"for-each-ref", "--format=%(refname) %(objectname) %(objecttype)"}, patterns...)
	out, err := c.git(c.repo.dir, args...)
	list := []object{}
	for line := range strings.Lines(out) {
		if f := strings.Fields(line); len(f) == 3 {
			list = append(list, c.refJSON(f[0], f[1], f[2]))
		}
	}
	return list, err
}

// notEmpty returns GitHub's error for git data of a repository without commits.
func (c *call) notEmpty() error {
	if list, err := c.refs("--count=1"); err != nil || len(list) > 0 {
		return err
	}
	return refuse(http.StatusConflict, "Git Repository is empty.")
}

// getRef: "If the :ref doesn't exist in the repository, a 404 is returned", also if it is a prefix of others.
func getRef(c *call) (*answer, error) {
	if err := c.notEmpty(); err != nil {
		return nil, err
	}
	list, err := c.refs(c.refOfPath())
	if err != nil || len(list) == 0 || list[0]["ref"] != c.refOfPath() {
		return nil, notFound()
	}
	return ok(list[0])
}

func matchingRefs(c *call) (*answer, error) {
	if err := c.notEmpty(); err != nil {
		return nil, err
	}
	all, err := c.refs()
	if err != nil {
		return nil, err
	}
	list := []object{}
	for _, r := range all {
		if strings.HasPrefix(r["ref"].(string), c.refOfPath()) {
			list = append(list, r)
		}
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
	if list, err := c.refs(*in.Ref); err != nil || len(list) > 0 {
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
	list, err := c.refs(c.refOfPath())
	if err != nil || len(list) == 0 || list[0]["ref"] != c.refOfPath() {
		return nil, unprocessable("Reference does not exist")
	}
	old := list[0]["object"].(object)["sha"].(string)
	if !c.hasObject(*in.SHA, "commit") {
		return nil, unprocessable("Object does not exist")
	}
	if _, err := c.git(c.repo.dir, "merge-base", "--is-ancestor", old, *in.SHA); err != nil && !in.Force {
		return nil, unprocessable("Update is not a fast forward")
	}
	if err := c.moveRef(c.refOfPath(), old, *in.SHA); err != nil {
		return nil, err
	}
	return ok(c.refJSON(c.refOfPath(), *in.SHA, "commit"))
}

func deleteRef(c *call) (*answer, error) {
	list, err := c.refs(c.refOfPath())
	if err != nil || len(list) == 0 || list[0]["ref"] != c.refOfPath() {
		return nil, unprocessable("Reference does not exist")
	}
	if err := c.moveRef(c.refOfPath(), list[0]["object"].(object)["sha"].(string), ""); err != nil {
		return nil, err
	}
	return noContent()
}

// moveRef moves, creates or deletes a ref by the rules of a push. An empty from means no ref, an empty to deletes it.
func (c *call) moveRef(ref, from, to string) error {
	if err := c.mayMove(ref, to); err != nil {
		return err
	}
	args := []string{"update-ref", ref, to, from}
	if to == "" {
		args = []string{"update-ref", "-d", ref, from}
	}
	if _, err := c.git(c.repo.dir, args...); err != nil {
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
	case !c.hasObject(to, "commit"):
		return unprocessable("Object does not exist")
	}
	files, err := c.git(c.repo.dir, "log", "--format=", "--name-only", to, "--not", "--all", "--", ".github/workflows")
	if err == nil && files != "" && !c.token.may("workflows", "write") {
		return c.refuseWorkflows(files)
	}
	return err
}

// checkNewRef checks the name of a new ref.
func (c *call) checkNewRef(ref string) error {
	if !strings.HasPrefix(ref, "refs/") || strings.Count(ref, "/") < 2 {
		return unprocessable("Reference name must start with 'refs/' and have at least two slashes")
	}
	if _, err := c.git(c.repo.dir, "check-ref-format", ref); err != nil {
		return unprocessable("%s is not a valid ref name.", ref)
	}
	if wholeSHA.MatchString(strings.SplitN(ref, "/", 3)[2]) { // as in a push, GH002
		return unprocessable("Sorry, branch or tag names consisting of 40 hex characters are not allowed.")
	}
	return nil
}

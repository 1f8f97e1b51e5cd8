package simhttp

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// newCommit is the input of createCommitOnBranch.
type newCommit struct {
	ref, parent string
	message     string
	additions   []treeEntry
	deletions   []string
}

// createCommitOnBranch makes a commit on top of a branch, which must point to expectedHeadOid, and moves the branch to
// it. GitHub signs the commit. All files that it writes have the mode 100644.
func (c mutations) createCommitOnBranch(args map[string]any) (any, error) {
	in, _ := args["input"].(map[string]any)
	branch, _ := in["branch"].(map[string]any)
	if err := c.committableRepo(branch); err != nil {
		return nil, err
	}
	n, err := readNewCommit(in, branch)
	if err != nil {
		return nil, err
	}
	if err := c.checkNewCommit(n); err != nil {
		return nil, err
	}
	sha, err := c.writeCommit(n)
	if err != nil {
		return nil, err
	}
	if err := mayMove(c.call, n.ref, sha); err != nil {
		return nil, err
	}
	if err := c.repo.Git.Update(git.Update{Name: n.ref, From: n.parent, To: sha}); err != nil {
		return nil, staleHead(n.parent) // a push came between
	}
	c.State.Signed[sha] = true
	return entity.Object{"__typename": "CreateCommitOnBranchPayload", "clientMutationId": in["clientMutationId"],
		"commit": c.commitNode(sha)}, c.RefsMoved(c.repo, c.sender())
}

// committableRepo sets the repository of a CommittableBranch: "by passing both of repositoryNameWithOwner and
// branchName". The branch's global id is not supported here.
func (c mutations) committableRepo(branch map[string]any) error {
	name, _ := branch["repositoryNameWithOwner"].(string)
	if name == "" || branch["branchName"] == nil || branch["id"] != nil {
		return entity.Unprocessable("branch needs repositoryNameWithOwner and branchName")
	}
	r, err := c.State.Repo(name)
	if err != nil {
		return entity.Refuse(http.StatusNotFound, "Could not resolve to a Repository with the name '%s'.", name)
	}
	return c.mayChange(r, "contents:write")
}

func readNewCommit(in, branch map[string]any) (newCommit, error) {
	name, _ := branch["branchName"].(string)
	message, _ := in["message"].(map[string]any)
	headline, _ := message["headline"].(string)
	body, _ := message["body"].(string)
	n := newCommit{ref: "refs/heads/" + strings.TrimPrefix(name, "refs/heads/"), message: headline}
	if body != "" {
		n.message += "\n\n" + body
	}
	n.parent, _ = in["expectedHeadOid"].(string)
	switch {
	case !wholeSHA.MatchString(n.parent):
		return n, entity.Refuse(0, "Variable was provided invalid value for expectedHeadOid: %v is not a valid GitObjectID",
			n.parent)
	case strings.TrimSpace(headline) == "" || strings.Contains(headline, "\n"):
		return n, entity.Unprocessable("The headline of a commit message is one line that is not blank")
	}
	changes, _ := in["fileChanges"].(map[string]any)
	for _, item := range listOf(changes["additions"]) {
		path, _ := item["path"].(string)
		contents, _ := item["contents"].(string)
		data, err := base64.StdEncoding.DecodeString(contents)
		if err != nil {
			return n, entity.Refuse(0,
				"Variable was provided invalid value for fileChanges.additions.contents: not valid Base64String")
		}
		text := string(data)
		n.additions = append(n.additions, treeEntry{Path: path, Mode: "100644", Type: "blob", Content: &text})
	}
	for _, item := range listOf(changes["deletions"]) {
		path, _ := item["path"].(string)
		n.deletions = append(n.deletions, path)
	}
	return n, nil
}

// listOf returns a list of input objects.
func listOf(value any) []map[string]any {
	items, _ := value.([]any)
	list := make([]map[string]any, len(items))
	for i, item := range items {
		list[i], _ = item.(map[string]any)
	}
	return list
}

func (c mutations) checkNewCommit(n newCommit) error {
	switch tip := c.repo.Git.Branch(strings.TrimPrefix(n.ref, "refs/heads/")); {
	case tip == "":
		return entity.Refuse(http.StatusNotFound, "No ref found with the name '%s'", n.ref)
	case tip != n.parent:
		return staleHead(n.parent)
	}
	var seen []string
	for _, e := range n.additions {
		if err := checkEntry(c.call, e); err != nil {
			return err
		}
		seen = append(seen, e.Path)
	}
	for _, path := range n.deletions {
		if _, err := c.repo.Git.At(n.parent, path); err != nil {
			return entity.Refuse(http.StatusNotFound,
				"A path was requested for deletion which does not exist as of commit oid `%s`", n.parent)
		}
		seen = append(seen, path)
	}
	slices.Sort(seen)
	if len(slices.Compact(slices.Clone(seen))) < len(seen) {
		return entity.Unprocessable("A path is changed twice")
	}
	return nil
}

// writeCommit writes the commit, by GitHub in the name of the App.
func (c mutations) writeCommit(n newCommit) (string, error) {
	entries := n.additions
	for _, path := range n.deletions {
		entries = append([]treeEntry{{Path: path, Mode: "100644", SHA: []byte("null")}}, entries...)
	}
	tree, err := writeTree(c.call, n.parent, entries)
	if err != nil {
		return "", err
	}
	author, committer, err := signatures(c.call, nil, nil)
	if err != nil {
		return "", err
	}
	sha, err := c.repo.Git.WriteCommit(git.Commit{Tree: tree, Parents: []string{n.parent}, Author: author,
		Committer: committer, Message: n.message})
	if err != nil {
		return "", fmt.Errorf("making a commit: %w", err)
	}
	return sha, nil
}

// staleHead returns GitHub's error for an expectedHeadOid that does not match.
func staleHead(expected string) error {
	return entity.Refuse(http.StatusConflict, "Expected branch to point to %q but it did not.  Pull and try again.",
		expected)
}

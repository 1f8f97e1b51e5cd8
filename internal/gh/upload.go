package gh

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// Upload makes a commit by GitHub's API and moves the branch to it. It sets no author and no committer, so that GitHub
// uses the App for both and signs the commit. Two requests create the tree and the commit, with one more for each large
// file. A third moves the branch by GraphQL, under the condition that it still points to the parent: REST would accept
// any ancestor, and restore commits that somebody removed.
//
// Upload returns port.ErrMoved if the branch does not point to the parent, or if a new branch exists already, a
// *port.RejectedError with GitHub's text if GitHub rejects the move, and port.ErrDenied if the token does not allow it.
// In these cases the branch is unchanged. Changes without an effect are an error.
func (c *Client) Upload(ctx context.Context, repo port.RepoRef, u port.Upload) (sha string, err error) {
	if u.Branch == "" || u.Parent == "" || u.Tree == "" || len(u.Changes) == 0 || strings.TrimSpace(u.Message) == "" {
		return "", callerError("making a commit: the branch, its parent, the parent's tree, " +
			"the changes or the message are missing")
	}
	api, err := c.forRepo(repo, committing)
	if err != nil {
		return "", err
	}
	up := upload{Client: c, api: api, repo: repo, Upload: u}
	if repo.NodeID == "" {
		if err := up.requestNodeID(ctx); err != nil {
			return "", err
		}
	}
	tree, err := up.tree(ctx)
	if err != nil {
		return "", c.explain(err, "making a tree in %s", repo)
	}
	if sha, err = up.commit(ctx, tree); err != nil {
		return "", c.explain(err, "making a commit in %s", repo)
	}
	return sha, up.moveBranch(ctx, sha)
}

// upload is the upload of one commit.
type upload struct {
	*Client
	port.Upload
	api  *github.Client
	repo port.RepoRef
}

func (u *upload) requestNodeID(ctx context.Context) error {
	got, _, err := u.api.Repositories.GetByID(ctx, u.repo.ID)
	if err != nil {
		return u.explain(err, "asking for repository %s", u.repo)
	}
	u.repo.NodeID = got.GetNodeID()
	return nil
}

func (u *upload) commit(ctx context.Context, tree string) (string, error) {
	made, _, err := u.api.Git.CreateCommit(ctx, u.repo.Owner, u.repo.Name, &github.Commit{
		Message: &u.Message,
		Tree:    &github.Tree{SHA: &tree},
		Parents: []*github.Commit{{SHA: &u.Parent}},
	}, nil)
	if err == nil && made.GetSHA() == "" {
		err = errors.New("GitHub's answer names no commit")
	}
	return made.GetSHA(), err
}

const updateRefs = `mutation($repository: ID!, $name: GitRefname!, $before: GitObjectID!, $after: GitObjectID!) {
  updateRefs(input: {
    repositoryId: $repository, refUpdates: [{name: $name, beforeOid: $before, afterOid: $after}]
  }) { clientMutationId }
}`

// noCommit is the id that "can be used to verify that the references should not exist" (updateRefs).
const noCommit = "0000000000000000000000000000000000000000"

// moveBranch moves the branch to the commit. If that fails, it reads the branch to find out what happened: the response
// can be lost, and GitHub's errors are not documented.
func (u *upload) moveBranch(ctx context.Context, sha string) error {
	vars := map[string]any{
		"repository": u.repo.NodeID, "name": "refs/heads/" + u.Branch, "before": u.Parent, "after": sha,
	}
	if u.New {
		vars["before"] = noCommit
	}
	failed := u.graphQL(ctx, u.api, updateRefs, vars, nil)
	if failed == nil {
		return nil
	}
	tip, err := u.tip(ctx)
	switch {
	case err == nil && tip == sha:
		return nil
	case err == nil && tip != u.oldTip():
		return fmt.Errorf("moving %s of %s: %w", u.Branch, u.repo, port.ErrMoved)
	case err == nil && rejection(failed) != "":
		return &port.RejectedError{Branch: u.Branch, Text: rejection(failed)}
	}
	return u.explain(failed, "moving %s of %s", u.Branch, u.repo)
}

// oldTip returns the commit that the branch must point to, or "" if there must be no branch.
func (u *upload) oldTip() string {
	if u.New {
		return ""
	}
	return u.Parent
}

// tip returns the commit that the branch points to, or "" if there is no branch.
func (u *upload) tip(ctx context.Context) (string, error) {
	ref, resp, err := u.api.Git.GetRef(ctx, u.repo.Owner, u.repo.Name, "refs/heads/"+u.Branch)
	if err != nil && resp != nil && resp.StatusCode == http.StatusNotFound {
		return "", nil
	}
	return ref.GetObject().GetSHA(), err
}

// rejection returns GitHub's text if it rejected the move because of a protected branch or a rule, or "" for other
// errors.
func rejection(err error) string {
	var failure *graphQLFailure
	var status *statusError
	if !errors.As(err, &failure) || !errors.As(err, &status) ||
		status.status == http.StatusNotFound || strings.HasPrefix(failure.text, notForApps) {
		return ""
	}
	return failure.text
}

const (
	// maxInline bounds one file, and maxInlines all files, in the request for the tree, in bytes. GitHub documents no
	// limit. Each file beyond them is uploaded as a blob.
	maxInline  = 1 << 20
	maxInlines = 4 << 20
)

// tree creates the parent's tree with the changes, and returns its id.
func (u *upload) tree(ctx context.Context) (string, error) {
	entries := make([]*github.TreeEntry, len(u.Changes))
	room := maxInlines
	for i, change := range u.Changes {
		entry, err := u.entry(ctx, change, &room)
		if err != nil {
			return "", err
		}
		entries[i] = entry
	}
	made, _, err := u.api.Git.CreateTree(ctx, u.repo.Owner, u.repo.Name, u.Tree, entries)
	switch {
	case err != nil:
		return "", err
	case made.GetSHA() == "":
		return "", callerError("GitHub's answer names no tree")
	case made.GetSHA() == u.Tree:
		return "", callerError("the changes change nothing")
	}
	return made.GetSHA(), nil
}

// entry returns the tree entry of a change; room is the number of bytes left for inline files.
func (u *upload) entry(ctx context.Context, change port.Change, room *int) (*github.TreeEntry, error) {
	e := &github.TreeEntry{Path: &change.Path, Mode: &change.Mode, Type: github.String("blob")}
	switch {
	case change.Removed():
		e.Mode = github.String("100644") // required; an entry without content is removed
	case change.Data == nil && change.Blob == "":
		return nil, callerError("the change of " + change.Path + " holds nothing")
	case change.Data == nil:
		e.SHA = &change.Blob
	case canInline(change.Data) && len(change.Data) <= *room:
		*room -= len(change.Data)
		e.Content = github.String(string(change.Data))
	default:
		sha, err := u.blob(ctx, change.Data)
		e.SHA = &sha
		return e, err
	}
	return e, nil
}

// canInline reports whether a file can be a JSON string: one that is not UTF-8 would be changed. Empty files and files
// with NUL bytes are uploaded as blobs, to be safe.
func canInline(data []byte) bool {
	return len(data) > 0 && len(data) <= maxInline && utf8.Valid(data) && bytes.IndexByte(data, 0) < 0
}

// blob creates a blob, and returns its id.
func (u *upload) blob(ctx context.Context, data []byte) (string, error) {
	made, _, err := u.api.Git.CreateBlob(ctx, u.repo.Owner, u.repo.Name, &github.Blob{
		Content: github.String(base64.StdEncoding.EncodeToString(data)), Encoding: github.String("base64"),
	})
	if err == nil && made.GetSHA() == "" {
		err = callerError("GitHub's answer names no blob")
	}
	return made.GetSHA(), err
}

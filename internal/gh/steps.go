package gh

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// inSteps makes the commit of any changes. Two requests create the tree and the commit, with one more for each large
// file. A third moves the branch by GraphQL.
func (u *upload) inSteps(ctx context.Context) (sha string, err error) {
	if u.repo.NodeID == "" {
		if err := u.requestNodeID(ctx); err != nil {
			return "", err
		}
	}
	if sha, err = u.make(ctx); err != nil {
		return "", err
	}
	if err := u.moveBranch(ctx, sha); err != nil {
		return "", err
	}
	return sha, nil
}

// make makes the tree and the commit.
func (u *upload) make(ctx context.Context) (sha string, err error) {
	tree, err := u.tree(ctx)
	if err != nil {
		return "", u.explain(err, "making a tree in %s", u.repo)
	}
	if sha, err = u.commit(ctx, tree); err != nil {
		return "", u.explain(err, "making a commit in %s", u.repo)
	}
	return sha, nil
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
	parents := []*github.Commit{{SHA: &u.Parent}}
	if u.Merge != "" {
		parents = append(parents, &github.Commit{SHA: &u.Merge})
	}
	made, _, err := u.api.Git.CreateCommit(ctx, u.repo.Owner, u.repo.Name, &github.Commit{
		Message: &u.Message,
		Tree:    &github.Tree{SHA: &tree},
		Parents: parents,
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
	failed := u.graphQL(repeatable(ctx), u.api, updateRefs, vars, nil)
	if failed == nil {
		return nil
	}
	tip, err := u.tip(ctx)
	if err == nil && tip == sha {
		return nil
	}
	return u.notMoved(failed, tip, err)
}

const (
	// maxInline bounds one file, and maxInlines all files, in the request for the tree, in bytes. GitHub documents no
	// limit. Each file beyond them is uploaded as a blob.
	maxInline  = 1 << 20
	maxInlines = 4 << 20
)

// tree creates the tree with the changes, and returns its id.
func (u *upload) tree(ctx context.Context) (string, error) {
	if len(u.Changes) == 0 {
		return u.Tree, nil
	}
	entries := make([]*github.TreeEntry, len(u.Changes))
	room := maxInlines
	changes := slices.Clone(u.Changes)
	slices.SortStableFunc(changes, func(a, b port.Change) int { // a file may be where a folder was, whose files go first
		return cmp.Compare(count(!a.Removed()), count(!b.Removed()))
	})
	for i, change := range changes {
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

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// entry returns the tree entry of a change; room is the number of bytes left for inline files.
func (u *upload) entry(ctx context.Context, change port.Change, room *int) (*github.TreeEntry, error) {
	e := &github.TreeEntry{Path: &change.Path, Mode: &change.Mode, Type: github.String("blob")}
	if change.Mode == port.ModeSubmodule {
		e.Type = github.String("commit")
	}
	switch {
	case change.Removed():
		e.Mode = github.String(port.ModeFile) // required; an entry without content is removed
	case change.Data == nil && change.Blob == "":
		return nil, callerError("the change of " + change.Path + " is empty")
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

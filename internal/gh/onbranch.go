package gh

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

const createCommitOnBranch = `mutation($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid } }
}`

// plainMode is the mode of all files that createCommitOnBranch writes.
const plainMode = port.ModeFile

// isPlain reports whether createCommitOnBranch can make a commit: it has one parent, the branch exists, and all files
// that are written are known, not empty, not large, and were and are of plainMode. A new branch would have to be made
// by a write of its own, and be seen without the commit.
func isPlain(u port.Upload) bool {
	size, removed := 0, map[string]bool{}
	for _, change := range u.Changes {
		if change.Removed() {
			removed[change.Path] = true
			continue
		}
		size += len(change.Data)
		if change.Mode != plainMode || change.OldMode != "" && change.OldMode != plainMode ||
			len(change.Data) == 0 || len(change.Data) > maxInline || size > maxInlines {
			return false
		}
	}
	return !u.New && u.Merge == "" && !replacesFolders(u.Changes, removed)
}

// replacesFolders reports whether a file takes the place of a folder whose files are removed, or the other way round.
// GitHub does not document in which order it adds and removes.
func replacesFolders(changes []port.Change, removed map[string]bool) bool {
	folders := map[string]bool{} // of the removed files
	for path := range removed {
		for dir := parentOf(path); dir != ""; dir = parentOf(dir) {
			folders[dir] = true
		}
	}
	for _, change := range changes {
		if change.Removed() {
			continue
		}
		if folders[change.Path] {
			return true
		}
		for dir := parentOf(change.Path); dir != ""; dir = parentOf(dir) {
			if removed[dir] {
				return true
			}
		}
	}
	return false
}

// parentOf returns the folder of a path, "" at the root.
func parentOf(path string) string { return path[:max(0, strings.LastIndexByte(path, '/'))] }

// onBranch makes the commit and moves the branch by one request. If that fails, it reads the branch to find out what
// happened: the response can be lost. The id of the commit is not known then, so the commit is recognised by its parent
// and its message, which names the run.
func (u *upload) onBranch(ctx context.Context) (sha string, err error) {
	var made struct {
		CreateCommitOnBranch struct {
			Commit struct {
				OID string `json:"oid"`
			} `json:"commit"`
		} `json:"createCommitOnBranch"`
	}
	failed := u.graphQL(repeatable(ctx), u.api, createCommitOnBranch, map[string]any{"input": u.commitInput()}, &made)
	if failed == nil && made.CreateCommitOnBranch.Commit.OID == "" {
		failed = errors.New("GitHub's answer names no commit")
	}
	if failed == nil {
		return made.CreateCommitOnBranch.Commit.OID, nil
	}
	tip, err := u.tip(ctx)
	if err == nil && tip != "" && tip != u.Parent {
		var ours bool
		if ours, err = u.isOurs(ctx, tip); ours {
			return tip, nil
		}
	}
	if err == nil && tip == u.Parent {
		var status *statusError
		switch {
		case isMissingPath(failed):
			return "", callerError(fmt.Sprintf("making a commit in %s: %v", u.repo, failed))
		case errors.As(failed, &status) && status.status == http.StatusNotFound:
			return u.inSteps(ctx) // the repository was renamed: REST knows its old name
		}
	}
	return "", u.notMoved(failed, tip, err)
}

// commitInput returns the input of createCommitOnBranch.
func (u *upload) commitInput() map[string]any {
	type addition struct {
		Path     string `json:"path"`
		Contents string `json:"contents"`
	}
	type deletion struct {
		Path string `json:"path"`
	}
	additions, deletions := []addition{}, []deletion{}
	for _, change := range u.Changes {
		if change.Removed() {
			deletions = append(deletions, deletion{change.Path})
			continue
		}
		additions = append(additions, addition{change.Path, base64.StdEncoding.EncodeToString(change.Data)})
	}
	headline, body := splitMessage(u.Message)
	return map[string]any{
		"branch":          map[string]any{"repositoryNameWithOwner": u.repo.String(), "branchName": u.Branch},
		"expectedHeadOid": u.Parent,
		"message":         map[string]any{"headline": headline, "body": body},
		"fileChanges":     map[string]any{"additions": additions, "deletions": deletions},
	}
}

// splitMessage splits a commit message into its first line and what follows the blank line.
func splitMessage(message string) (headline, body string) {
	headline, body, _ = strings.Cut(strings.TrimSpace(message), "\n")
	return headline, strings.TrimSpace(body)
}

// isOurs reports whether a commit is the one that was to be made.
func (u *upload) isOurs(ctx context.Context, sha string) (bool, error) {
	got, _, err := u.api.Git.GetCommit(ctx, u.repo.Owner, u.repo.Name, sha)
	if err != nil {
		return false, err
	}
	headline, body := splitMessage(u.Message)
	gotHeadline, gotBody := splitMessage(got.GetMessage())
	return len(got.Parents) == 1 && got.Parents[0].GetSHA() == u.Parent && gotHeadline == headline && gotBody == body, nil
}

// missingPath is GitHub's "A path was requested for deletion which does not exist as of commit oid …".
const missingPath = "requested for deletion which does not exist"

func isMissingPath(err error) bool {
	var failure *graphQLFailure
	return errors.As(err, &failure) && strings.Contains(failure.text, missingPath)
}

package simhttp_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const commitOnBranch = `mutation($i:CreateCommitOnBranchInput!){createCommitOnBranch(input:$i){commit{oid url}}}`

// commitOn asks for a commit on a branch that changes these files; a nil content removes the file.
func (w *world) commitOn(token, branch, head string, files map[string]*string) reply {
	w.t.Helper()
	additions, deletions := []map[string]any{}, []map[string]any{}
	for path, data := range files {
		if data == nil {
			deletions = append(deletions, map[string]any{"path": path})
			continue
		}
		contents := base64.StdEncoding.EncodeToString([]byte(*data))
		additions = append(additions, map[string]any{"path": path, "contents": contents})
	}
	return w.ask(token, commitOnBranch, map[string]any{"i": map[string]any{
		"branch":          map[string]any{"repositoryNameWithOwner": repo, "branchName": branch},
		"expectedHeadOid": head,
		"message":         map[string]any{"headline": "fix: one", "body": "Because.\n\nTenon-Run: x"},
		"fileChanges":     map[string]any{"additions": additions, "deletions": deletions},
	}})
}

func text(s string) *string { return &s }

// One request makes a signed commit on top of the branch and moves the branch; the pull request follows.
func TestACommitOnABranchIsOneRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := w.subscribe()
	tip := w.head()
	data := w.succeeds(w.commitOn(w.token, "feature", tip,
		map[string]*string{"new/b.bin": text("\xff\x00"), "a.txt": nil}))
	made := data["createCommitOnBranch"].(map[string]any)["commit"].(map[string]any)
	require.Equal(t, w.head(), made["oid"])
	w.WaitDeliveries()
	delivered := in.lastOf(t, "pull_request")
	require.Equal(t, "synchronize", delivered["action"])
	list, err := w.Commits(repo, "feature")
	require.NoError(t, err)
	require.Equal(t, []string{tip}, list[0].Parents)
	require.Equal(t, "fix: one\n\nBecause.\n\nTenon-Run: x", list[0].Message)
	require.True(t, list[0].Verified)
	require.Equal(t, w.BotLogin(), list[0].Author)
	got, err := w.File(repo, "feature", "new/b.bin")
	require.NoError(t, err)
	require.Equal(t, "\xff\x00", string(got))
	_, err = w.File(repo, "feature", "a.txt")
	require.Error(t, err)
}

// A commit on a branch is refused where a push is, and where the input is not what GitHub takes.
func TestWhatACommitOnABranchRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tip := w.head()
	one := map[string]*string{"x.txt": text("x\n")}
	for _, c := range []struct {
		branch, head  string
		files         map[string]*string
		kind, message string
	}{
		{"feature", zeroes, one, "STALE_DATA", "Expected branch to point to"},
		{"none", tip, one, "NOT_FOUND", "No ref found"},
		{"feature", "abc", one, "", "not a valid GitObjectID"},
		{"feature", tip, map[string]*string{"none.txt": nil}, "NOT_FOUND", "requested for deletion which does not exist"},
		{"feature", tip, map[string]*string{"../x": text("x")}, "UNPROCESSABLE", "malformed path"},
		{"feature", tip, map[string]*string{".git/config": text("x")}, "UNPROCESSABLE", "malformed path"},
		{"feature", tip, map[string]*string{".github/workflows/ci.yml": text("on: push\n")}, "FORBIDDEN",
			"Resource not accessible by integration"},
	} {
		w.fails(w.commitOn(w.token, c.branch, c.head, c.files), c.kind, c.message)
	}
	raw := func(contents, headline string) reply {
		return w.ask(w.token, commitOnBranch, map[string]any{"i": map[string]any{
			"branch":          map[string]any{"repositoryNameWithOwner": repo, "branchName": "feature"},
			"expectedHeadOid": tip, "message": map[string]any{"headline": headline},
			"fileChanges": map[string]any{"additions": []map[string]any{{"path": "x", "contents": contents}}},
		}})
	}
	w.fails(raw("not base64!", "fix: one"), "", "Base64String")
	w.fails(raw("eA==", " "), "UNPROCESSABLE", "headline")
	read := w.newToken(permissions(map[string]string{"contents": "read", "metadata": "read"}))
	w.fails(w.commitOn(read, "feature", tip, one), "FORBIDDEN", "Resource not accessible by integration")
	require.NoError(t, w.Protect(repo, "feature", "Changes must be made through a pull request."))
	w.fails(w.commitOn(w.token, "feature", tip, one), "UNPROCESSABLE", "Changes must be made through a pull request.")
	require.NoError(t, w.Protect(repo, "feature", ""))
	require.Equal(t, tip, w.head())
}

// What was an executable is one no more: the mutation writes no other mode than 100644.
func TestACommitOnABranchWritesOneModeOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tree := w.as("POST", "repos/"+repo+"/git/trees", `{"base_tree":"`+w.head()+
		`","tree":[{"path":"run.sh","mode":"100755","type":"blob","content":"#!/bin/sh\n"}]}`).sha()
	commit := w.as("POST", "repos/"+repo+"/git/commits",
		`{"message":"m","tree":"`+tree+`","parents":["`+w.head()+`"]}`).sha()
	w.succeeds(w.moveRef(w.token, "refs/heads/feature", w.head(), commit))
	w.succeeds(w.commitOn(w.token, "feature", commit, map[string]*string{"run.sh": text("#!/bin/sh\nls\n")}))
	listed := w.as("GET", "repos/"+repo+"/git/trees/"+w.head(), "").text
	require.Contains(t, listed, "run.sh")
	require.False(t, strings.Contains(listed, "100755"))
}

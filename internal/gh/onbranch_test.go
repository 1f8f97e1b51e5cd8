package gh_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestACommitOfPlainFilesIsOneRequest(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	_, err := w.app.Token(ctx, w.repo, true)
	require.NoError(t, err)
	files := map[string]string{"README.md": "hello, \"wörld\" <&> \u2028\r\n", "latin": "caf\xe9\n", "nul": "a\x00b",
		"new/bom": "\ufeffx\n"}
	up := w.onBranch(t, "feature/x", port.Change{Path: "old.txt"})
	for _, name := range []string{"README.md", "latin", "nul", "new/bom"} {
		up.Changes = append(up.Changes, write(name, files[name]))
	}
	w.ForgetRequests()
	sha, err := w.app.Upload(ctx, w.repo, up)
	require.NoError(t, err)
	require.Equal(t, []string{"POST /graphql"}, w.asked())
	require.Equal(t, sha, w.tip(t, "feature/x").SHA)
	require.Equal(t, up.Parent, w.tip(t, "feature/x").Parents[0])
	require.Equal(t, strings.TrimSpace(up.Message), strings.TrimSpace(w.tip(t, "feature/x").Message))
	for name, want := range files {
		got, err := w.File(hello, "feature/x", name)
		require.NoError(t, err)
		require.Equal(t, want, string(got), name)
	}
	require.Contains(t, w.changed(t, "feature/x"), "removed old.txt")
}

// createCommitOnBranch writes no other mode than 100644, and needs the content of each file.
func TestWhatIsNotPlainIsCommittedInSteps(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	big := strings.Repeat("0123456789abcde\n", 1<<16) // 1 MiB
	for name, c := range map[string]struct {
		changes []port.Change
		isNew   bool
	}{
		"an executable":       {[]port.Change{{Path: "run.sh", Mode: "100755", Data: []byte("#!/bin/sh\n")}}, false},
		"a former executable": {[]port.Change{{Path: "x", Mode: "100644", Data: []byte("x"), OldMode: "100755"}}, false},
		"a former link":       {[]port.Change{{Path: "x", Mode: "100644", Data: []byte("x"), OldMode: "120000"}}, false},
		"a file not loaded":   {[]port.Change{{Path: "x", Mode: "100644", Blob: "start"}}, false},
		"an empty file":       {[]port.Change{{Path: "x", Mode: "100644", Data: []byte{}}}, false},
		"a large file":        {[]port.Change{write("x", big+"x")}, false},
		"many large files": {[]port.Change{write("a", big), write("b", big), write("c", big), write("d", big),
			write("e", "x")}, false},
		"a new branch":         {[]port.Change{write("x", "x")}, true},
		"a file for a folder":  {[]port.Change{{Path: "server/start.go"}, write("server", "x")}, false},
		"a folder for a file":  {[]port.Change{{Path: "old.txt"}, write("old.txt/x/y", "x")}, false},
		"one of several files": {[]port.Change{write("x", "x"), {Path: "run.sh", Mode: "100755", Data: []byte("x")}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			up := w.onBranch(t, "feature/x", c.changes...)
			for i, change := range up.Changes {
				if change.Blob == "start" {
					up.Changes[i].Blob = w.entry(t, "feature/x", "server/start.go").SHA
				}
			}
			if up.New = c.isNew; up.New {
				up.Branch = "new"
			}
			w.ForgetRequests()
			_, err := w.app.Upload(ctx, w.repo, up)
			require.NoError(t, err)
			require.Contains(t, w.asked(), "POST /repos/{owner}/{repo}/git/trees")
			for _, change := range up.Changes {
				if !change.Removed() {
					require.Equal(t, change.Mode, w.entry(t, up.Branch, change.Path).Mode)
				}
			}
		})
	}
}

// The response can be lost, and the id of the commit with it.
func TestTheBranchSaysWhatBecameOfACommit(t *testing.T) {
	t.Parallel()
	at := func(sha string) response {
		return ok(fmt.Sprintf(`{"ref":"refs/heads/fix/a","object":{"sha":%q}}`, sha))
	}
	commit := func(parent, message string) response {
		return ok(fmt.Sprintf(`{"sha":"c2","message":%q,"parents":[{"sha":%q}]}`, message, parent))
	}
	failed := func(kind, message string) response {
		return ok(fmt.Sprintf(`{"data":{"createCommitOnBranch":null},"errors":[{"type":%q,"message":%q}]}`, kind, message))
	}
	const message = "fix: a\n\nTenon-Run: abc\n"
	broken := failed("", "Something went wrong while executing your query.")
	is := func(want error) func(*testing.T, error) {
		return func(t *testing.T, err error) { require.ErrorIs(t, err, want) }
	}
	done := func(t *testing.T, err error) { require.NoError(t, err) }
	again := func(t *testing.T, err error) {
		require.NotErrorIs(t, err, port.ErrMoved)
		require.ErrorContains(t, err, "moving fix/a of octo-org/hello-joint: ")
	}
	rejected := func(t *testing.T, err error) {
		var no *port.RejectedError
		require.ErrorAs(t, err, &no)
		require.Equal(t, "1 review is required.", no.Text)
	}
	for name, c := range map[string]struct {
		answer, tip, commit response
		want                func(*testing.T, error)
	}{
		"it went well": {ok(`{"data":{"createCommitOnBranch":{"commit":{"oid":"c2"}}}}`), at("c1"), response{},
			done},
		"the answer was lost":      {response{}, at("c2"), commit("c1", message), done},
		"the request was lost":     {response{}, at("c1"), response{}, again},
		"an error, but it is made": {broken, at("c2"), commit("c1", strings.TrimSpace(message)), done},
		"an error of GitHub's":     {broken, at("c1"), response{}, again},
		"an empty answer":          {ok(`{}`), at("c1"), response{}, again},
		"somebody pushed":          {failed("STALE_DATA", "it did not"), at("c2"), commit("c1", "Other"), is(port.ErrMoved)},
		"somebody pushed on top":   {failed("", "x"), at("c2"), commit("c9", message), is(port.ErrMoved)},
		"somebody deleted it":      {failed("NOT_FOUND", "No ref"), refusal(404, "Not Found"), response{}, is(port.ErrMoved)},
		"a protected branch":       {failed("UNPROCESSABLE", "1 review is required."), at("c1"), response{}, rejected},
		"a right that is lacking": {failed("FORBIDDEN", "Resource not accessible by integration"), at("c1"), response{},
			is(port.ErrDenied)},
		"it cannot be asked where it points": {broken, refusal(403, "no"), response{}, again},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newFakeAPI(t)
			d.on("POST /graphql", c.answer)
			d.on("GET "+root+"/git/ref/heads/fix/a", c.tip)
			d.on("GET "+root+"/git/commits/c2", c.commit)
			sha, err := d.client(t).Upload(context.Background(), joint, port.Upload{Branch: "fix/a", Parent: "c1", Tree: "t1",
				Message: message, Changes: []port.Change{write("a", "b"), {Path: "c"}}})
			c.want(t, err)
			if err == nil {
				require.Equal(t, "c2", sha)
			}
			attempts := 1
			if c.answer.status == 0 {
				attempts = 4 // it is sent again: the old head is its condition
			}
			require.Len(t, d.calls("POST /graphql"), attempts)
			var sent struct{ Variables map[string]any }
			require.NoError(t, json.Unmarshal([]byte(d.calls("POST /graphql")[0].body), &sent))
			require.Equal(t, map[string]any{"input": map[string]any{
				"branch":          map[string]any{"repositoryNameWithOwner": "octo-org/hello-joint", "branchName": "fix/a"},
				"expectedHeadOid": "c1",
				"message":         map[string]any{"headline": "fix: a", "body": "Tenon-Run: abc"},
				"fileChanges": map[string]any{"additions": []any{map[string]any{"path": "a", "contents": "Yg=="}},
					"deletions": []any{map[string]any{"path": "c"}}},
			}}, sent.Variables)
			d.noSecrets(t, err)
		})
	}
}

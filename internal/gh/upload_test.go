package gh_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

const hello = "octo-org/hello-joint"

// tip returns the newest commit of a branch.
func (w *world) tip(t *testing.T, branch string) git.Commit {
	t.Helper()
	objects := w.objects(t)
	c, err := objects.Commit(objects.Branch(branch))
	require.NoError(t, err)
	return c
}

func (w *world) objects(t *testing.T) *git.Repository {
	t.Helper()
	objects, err := w.Git(hello)
	require.NoError(t, err)
	return objects
}

// entry returns what is at a path of a branch.
func (w *world) entry(t *testing.T, branch, path string) git.Entry {
	t.Helper()
	e, err := w.objects(t).At(w.tip(t, branch).SHA, path)
	require.NoError(t, err)
	return e
}

// changed returns what the newest commit of a branch changes, as "modified README.md".
func (w *world) changed(t *testing.T, branch string) (list []string) {
	t.Helper()
	tip := w.tip(t, branch)
	files, err := w.objects(t).Diff(tip.Parents[0], tip.SHA)
	require.NoError(t, err)
	for _, f := range files {
		list = append(list, strings.TrimSpace(f.Status+" "+f.Path+" "+f.Previous))
	}
	return list
}

// onBranch returns an upload on top of a branch.
func (w *world) onBranch(t *testing.T, branch string, changes ...port.Change) port.Upload {
	t.Helper()
	tip := w.tip(t, branch)
	return port.Upload{
		Branch: branch, Parent: tip.SHA, Tree: tip.Tree,
		Changes: changes, Message: "fix: say hello\n\nTenon-Run: abc\n",
	}
}

func write(path, text string) port.Change {
	return port.Change{Path: path, Mode: "100644", Data: []byte(text)}
}

// asked returns the requests as "METHOD route".
func (w *world) asked() []string {
	var list []string
	for _, r := range w.Requests() {
		list = append(list, r.Method+" "+r.Route)
	}
	return list
}

func TestACommitTakesThreeRequestsAndNamesNobody(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	w.repo.NodeID = w.nodeID(t)
	_, err := w.app.Token(ctx, w.repo, true)
	require.NoError(t, err)
	up := w.onBranch(t, "feature/x", write("README.md", "hello, \"wörld\" <&> \u2028\r\n"),
		port.Change{Path: "run.sh", Mode: "100755", Data: []byte("#!/bin/sh\n")},
		port.Change{Path: "old.txt"}, port.Change{Path: "server/begin.go", Mode: "100644",
			Blob: w.entry(t, "feature/x", "server/start.go").SHA},
		port.Change{Path: "server/start.go"})
	var commit string
	w.ForgetRequests()
	w.Gate(func(stage simhttp.Stage, r *http.Request) {
		if stage == simhttp.BeforeEffect && strings.HasSuffix(r.URL.Path, "/git/commits") {
			commit = bodyOf(r)
		}
	})
	sha, err := w.app.Upload(ctx, w.repo, up)
	require.NoError(t, err)
	require.Equal(t, []string{"POST /repos/{owner}/{repo}/git/trees", "POST /repos/{owner}/{repo}/git/commits",
		"POST /graphql"}, w.asked())
	require.NotContains(t, commit, "author")
	require.NotContains(t, commit, "committer")

	require.Equal(t, sha, w.tip(t, "feature/x").SHA)
	require.Equal(t, up.Parent, w.tip(t, "feature/x").Parents[0])
	require.Equal(t, up.Message, w.tip(t, "feature/x").Message)
	readme, err := w.File(hello, "feature/x", "README.md")
	require.NoError(t, err)
	require.Equal(t, "hello, \"wörld\" <&> \u2028\r\n", string(readme))
	require.Equal(t, []string{"modified README.md", "removed old.txt", "added run.sh",
		"renamed server/begin.go server/start.go"}, w.changed(t, "feature/x"))
	require.Equal(t, "100755", w.entry(t, "feature/x", "run.sh").Mode)
}

func TestABranchThatIsNewMustNotBeThere(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	up := w.onBranch(t, "main", write("README.md", "hi\n"))
	up.Branch, up.New = "tenon/issue-1", true
	sha, err := w.app.Upload(ctx, w.repo, up)
	require.NoError(t, err, "a repository whose global id is not known is asked for it")
	require.Equal(t, sha, w.tip(t, "tenon/issue-1").SHA)
	up.Changes = []port.Change{write("README.md", "hi again\n")}
	_, err = w.app.Upload(ctx, w.repo, up)
	require.ErrorIs(t, err, port.ErrMoved)
	require.Equal(t, sha, w.tip(t, "tenon/issue-1").SHA)
}

func TestABranchThatMovedStaysWhereItIs(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	up := w.onBranch(t, "feature/x", write("README.md", "hi\n"))
	tip, err := w.Push(hello, "feature/x", map[string]string{"new.txt": "new\n"}, "push")
	require.NoError(t, err)
	_, err = w.app.Upload(ctx, w.repo, up)
	require.ErrorIs(t, err, port.ErrMoved)
	require.Equal(t, tip, w.tip(t, "feature/x").SHA)

	up = w.onBranch(t, "feature/x", write("README.md", "hi\n"))
	require.NoError(t, w.DeleteBranch(hello, "feature/x"))
	_, err = w.app.Upload(ctx, w.repo, up)
	require.ErrorIs(t, err, port.ErrMoved, "a branch that is gone is not made again")
}

func TestWhatARuleSaysReachesThePerson(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	up := w.onBranch(t, "main", write("README.md", "hi\n"))
	for reason, protect := range map[string]func(repo, branch, reason string) error{
		"Changes must be made through a pull request.": w.Protect,
		"Commits must have a ticket's number.":         w.Rule,
	} {
		require.NoError(t, protect(hello, "main", reason))
		_, err := w.app.Upload(ctx, w.repo, up)
		var no *port.RejectedError
		require.ErrorAs(t, err, &no)
		require.Equal(t, "main", no.Branch)
		require.Contains(t, no.Text, reason)
		require.NotErrorIs(t, err, port.ErrDenied)
	}
	require.Equal(t, up.Parent, w.tip(t, "main").SHA)
}

func TestAFileThatIsNoTextGoesUpOnItsOwn(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	large := strings.Repeat("0123456789abcde\n", 1<<16) // 1 MiB
	files := map[string]string{"latin": "caf\xe9\n", "nul": "a\x00b", "empty": "", "large": large + "x",
		"bom": "\ufeffx\n",
		"a":   large, "b": large, "c": large, "d": large[:1000]}
	var changes []port.Change
	for _, name := range []string{"latin", "nul", "empty", "large", "bom", "a", "b", "c", "d"} {
		changes = append(changes, write(name, files[name]))
	}
	up := w.onBranch(t, "feature/x", changes...)
	w.ForgetRequests()
	_, err := w.app.Upload(ctx, w.repo, up)
	require.NoError(t, err)
	for name, want := range files {
		got, err := w.File(hello, "feature/x", name)
		require.NoError(t, err)
		require.Equal(t, want, string(got), name)
	}
	require.Equal(t, 4, strings.Count(fmt.Sprint(w.asked()), "/git/blobs"),
		"those that are no text, the empty one and the large one")
}

func TestAnUploadThatCannotBeIsNotSent(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	w.repo.NodeID = w.nodeID(t)
	same := w.onBranch(t, "feature/x", write("README.md", "hello\n"))
	same.New, same.Branch = true, "new"
	_, err := w.app.Upload(ctx, w.repo, same)
	require.ErrorContains(t, err, "change nothing", "GitHub's tree is the same")
	w.ForgetRequests()
	for _, spoil := range []func(*port.Upload){
		func(u *port.Upload) { u.Branch = "" },
		func(u *port.Upload) { u.Parent = "" },
		func(u *port.Upload) { u.Tree = "" },
		func(u *port.Upload) { u.Message = " \n" },
		func(u *port.Upload) { u.Changes = nil },
	} {
		up := w.onBranch(t, "feature/x", write("README.md", "hi\n"))
		spoil(&up)
		_, err := w.app.Upload(ctx, w.repo, up)
		require.ErrorContains(t, err, "missing")
	}
	unchanged := port.Change{Path: "README.md", Mode: "100644", Data: []byte("hello\n"), Blob: "b1",
		OldMode: "100644", OldBlob: "b1"}
	_, err = w.app.Upload(ctx, w.repo, w.onBranch(t, "feature/x", unchanged))
	require.ErrorContains(t, err, "change nothing", "the files are the same")
	require.Empty(t, w.Requests())
}

// uploads returns a fakeAPI at which a commit can be made in steps; the test scripts the move of the branch.
func uploads(t *testing.T) (*fakeAPI, port.Upload) {
	d := newFakeAPI(t)
	d.on("POST "+root+"/git/trees", response{status: 201, body: `{"sha":"t2"}`})
	d.on("POST "+root+"/git/commits", response{status: 201, body: `{"sha":"c2"}`})
	return d, port.Upload{Branch: "fix/a", Parent: "c1", Tree: "t1", Message: "fix",
		Changes: []port.Change{{Path: "a", Mode: "100755", Data: []byte("b")}}}
}

func graphSays(kind, message string) response {
	return ok(fmt.Sprintf(`{"data":{"updateRefs":null},"errors":[{"type":%q,"path":["updateRefs"],"message":%q}]}`, kind,
		message))
}

func TestTheBranchSaysWhatBecameOfAMove(t *testing.T) {
	t.Parallel()
	gone := refusal(404, "Not Found")
	at := func(sha string) response {
		return ok(fmt.Sprintf(`{"ref":"refs/heads/fix/a","object":{"sha":%q}}`, sha))
	}
	const text = "Protected branch update failed for refs/heads/fix/a.\n\n1 review is required."
	isRejected := func(t *testing.T, err error) {
		var no *port.RejectedError
		require.ErrorAs(t, err, &no)
		require.Equal(t, port.RejectedError{Branch: "fix/a", Text: text}, *no)
	}
	is := func(want error) func(*testing.T, error) {
		return func(t *testing.T, err error) { require.ErrorIs(t, err, want) }
	}
	done := func(t *testing.T, err error) { require.NoError(t, err) }
	again := func(t *testing.T, err error) {
		var no *port.RejectedError
		require.Error(t, err)
		require.NotErrorAs(t, err, &no)
		require.NotErrorIs(t, err, port.ErrMoved)
		require.ErrorContains(t, err, "moving fix/a of octo-org/hello-joint: ")
	}
	for name, c := range map[string]struct {
		moved, stands response
		isNew         bool
		want          func(*testing.T, error)
	}{
		"it went well":                      {ok(`{"data":{"updateRefs":{"clientMutationId":null}}}`), gone, false, done},
		"the answer was lost":               {response{}, at("c2"), false, done},
		"the answer was lost, and the move": {response{}, at("c1"), false, again},
		"an error, but it is there": {graphSays("", "Something went wrong while executing your query."), at("c2"),
			false, done},
		"an error of GitHub's": {graphSays("", "Something went wrong while executing your query."), at("c1"),
			false, again},
		"an empty answer": {ok(`{}`), at("c1"), false, again},
		"somebody pushed": {graphSays("STALE_DATA", "is at another commit"), at("c9"), false,
			is(port.ErrMoved)},
		"somebody deleted it":            {graphSays("UNPROCESSABLE", "does not exist"), gone, false, is(port.ErrMoved)},
		"a new one is there":             {graphSays("UNPROCESSABLE", "exists"), at("c9"), true, is(port.ErrMoved)},
		"a new one is refused":           {graphSays("UNPROCESSABLE", text), gone, true, isRejected},
		"a protected branch":             {graphSays("UNPROCESSABLE", text), at("c1"), false, isRejected},
		"a protected branch, as a right": {graphSays("FORBIDDEN", text), at("c1"), false, isRejected},
		"a no of no type":                {graphSays("", text), at("c1"), false, isRejected},
		"a right that is lacking": {graphSays("FORBIDDEN", "Resource not accessible by integration"), at("c1"),
			false, is(port.ErrDenied)},
		"a repository that is not there": {graphSays("NOT_FOUND", "Could not resolve to a node"), at("c1"), false,
			is(port.ErrNotFound)},
		"it cannot be asked where it stands": {graphSays("UNPROCESSABLE", text), refusal(403, "no"), false, again},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, up := uploads(t)
			d.on("POST /graphql", c.moved)
			d.on("GET "+root+"/git/ref/heads/fix/a", c.stands)
			up.New = c.isNew
			sha, err := d.client(t).Upload(context.Background(), joint, up)
			c.want(t, err)
			if err == nil {
				require.Equal(t, "c2", sha)
			}
			var sent struct{ Variables map[string]string }
			require.NoError(t, json.Unmarshal([]byte(d.calls("POST /graphql")[0].body), &sent))
			before := map[bool]string{false: "c1", true: strings.Repeat("0", 40)}[c.isNew]
			require.Equal(t, map[string]string{"repository": "R_700", "name": "refs/heads/fix/a", "before": before,
				"after": "c2"}, sent.Variables)
			d.noSecrets(t, err)
		})
	}
}

func TestALongRefusalIsCut(t *testing.T) {
	t.Parallel()
	d, up := uploads(t)
	d.on("POST /graphql", graphSays("UNPROCESSABLE", strings.Repeat("é", 1<<20)))
	d.on("GET "+root+"/git/ref/heads/fix/a", ok(`{"object":{"sha":"c1"}}`))
	_, err := d.client(t).Upload(context.Background(), joint, up)
	var no *port.RejectedError
	require.ErrorAs(t, err, &no)
	require.LessOrEqual(t, len(no.Text), 16<<10)
	require.True(t, strings.HasSuffix(no.Text, "é…"))
}

func TestATokenThatMayNotWriteMakesNoCommit(t *testing.T) {
	t.Parallel()
	d, up := uploads(t)
	d.on("POST "+root+"/git/trees", refusal(403, "Resource not accessible by integration"))
	_, err := d.client(t).Upload(context.Background(), joint, up)
	require.ErrorIs(t, err, port.ErrDenied)
	require.ErrorContains(t, err, "making a tree in octo-org/hello-joint")
	require.Empty(t, d.calls("POST "+root+"/git/commits"))
}

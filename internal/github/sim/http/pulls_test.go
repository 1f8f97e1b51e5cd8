package simhttp_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

func newPull(head, base, more string) string {
	return fmt.Sprintf(`{"title":"A pull request","head":%q,"base":%q%s}`, head, base, more)
}

// "Create a pull request": head and base must exist and differ by a commit, one may be open at a time, drafts are not
// for every plan.
func TestAPullRequestNeedsSomethingToPull(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.Branch(repo, "same", ""))
	objects, err := w.Git(repo)
	require.NoError(t, err)
	tip, err := objects.Commit(objects.Branch("main"))
	require.NoError(t, err)
	tip.Parents, tip.Message = nil, "Begin again\n"
	orphan, err := objects.WriteCommit(tip)
	require.NoError(t, err)
	require.NoError(t, objects.SetBranch("orphan", orphan))
	path := "repos/" + repo + "/pulls"
	for _, c := range []struct{ body, message string }{
		{`{"title":"x","base":"main"}`, `head\" wasn't supplied`},
		{`{"title":"x","head":"feature"}`, `base\" wasn't supplied`},
		{`{"head":"feature","base":"main"}`, "missing_field"},
		{newPull("feature", "main", `,"body":"`+strings.Repeat("x", 65537)+`"`), "maximum is 65536 characters"},
		{newPull("nothing", "main", ""), `"field":"head"`},
		{newPull("bob:feature", "main", ""), `"field":"head"`},
		{newPull("feature", "nothing", ""), `"field":"base"`},
		{newPull("same", "main", ""), "No commits between main and same"},
		{newPull("main", "feature", ""), "No commits between feature and main"},
		{newPull("orphan", "main", ""), "no history in common"},
		{newPull("feature", "main", ""), "A pull request already exists for acme:feature."},
		{newPull("feature", "same", `,"issue":99`), `"field":"issue"`},
	} {
		w.refused(w.as("POST", path, c.body), 422, c.message)
	}
	read := w.newToken(permissions(map[string]string{"contents": "write", "pull_requests": "read"}))
	w.refused(w.call("POST", path, read, newPull("feature", "same", "")), 403, "not accessible by integration")
	r := w.as("POST", path, newPull("feature", "same", `,"draft":true,"body":"Fixes #2"`))
	require.Equal(t, 201, r.status, r.text)
	require.Equal(t, true, r.object()["draft"])
	require.Equal(t, "tenon[bot]", r.object()["user"].(map[string]any)["login"])
	require.Equal(t, w.head(), w.as("GET", fmt.Sprintf("repos/%s/git/ref/pull/%s/head", repo, r.object()["number"]),
		"").object()["object"].(map[string]any)["sha"])

	require.NoError(t, w.AddRepo(sim.Repo{Name: "acme/free", NoDrafts: true, Files: map[string]string{"x": "x\n"}}))
	_, err = w.Push("acme/free", "idea", map[string]string{"x": "y\n"}, "Idea\n")
	require.NoError(t, err)
	w.refused(w.as("POST", "repos/acme/free/pulls", newPull("idea", "main", `,"draft":true`)), 422,
		"Draft pull requests are not supported")
	require.Equal(t, 201, w.as("POST", "repos/acme/free/pulls", newPull("acme:idea", "main", "")).status)
}

// "Update a pull request", and which ones cannot be reopened.
func TestAPullRequestIsEditedClosedAndReopened(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := w.subscribe()
	path := fmt.Sprintf("repos/%s/pulls/%d", repo, w.pull)
	require.NoError(t, w.Branch(repo, "next", ""))
	w.WaitDeliveries() // of the branch: they may come in any order
	w.refused(w.as("PATCH", path, `{"title":"new","state":"merged"}`), 422, "Validation Failed")
	w.refused(w.as("PATCH", path, `{"title":"new","base":"nothing"}`), 422, "was not found")
	require.Equal(t, "A change", w.as("GET", path, "").object()["title"], "nothing changed")
	require.Equal(t, "next", w.as("PATCH", path, `{"base":"next","body":"b"}`).object()["base"].(map[string]any)["ref"])
	w.WaitDeliveries()
	_, o := in.last(t)
	require.Equal(t, "edited", o["action"])
	require.Equal(t, "closed", w.as("PATCH", path, `{"state":"closed"}`).object()["state"])
	w.refused(w.as("PATCH", path, `{"base":"main"}`), 422, "closed pull request")

	tip, err := w.Push(repo, "feature", map[string]string{"y": "y\n"}, "While it is closed\n")
	require.NoError(t, err)
	require.NotEqual(t, tip, w.as("GET", path, "").object()["head"].(map[string]any)["sha"])
	require.Equal(t, tip, w.as("PATCH", path, `{"state":"open"}`).object()["head"].(map[string]any)["sha"],
		"it follows its branch again")
	require.Equal(t, "closed", w.as("PATCH", path, `{"state":"closed"}`).object()["state"])
	other := w.as("POST", "repos/"+repo+"/pulls", newPull("feature", "next", ""))
	require.Equal(t, 201, other.status, other.text)
	w.refused(w.as("PATCH", path, `{"state":"open"}`), 422, "already an open pull request")
	require.Equal(t, 200, w.as("PATCH", fmt.Sprintf("repos/%s/pulls/%s", repo, other.object()["number"]),
		`{"state":"closed"}`).status)
	require.NoError(t, w.DeleteBranch(repo, "feature"))
	w.refused(w.as("PATCH", path, `{"state":"open"}`), 422, "branch has been deleted")
	require.ErrorContains(t, w.SetOpen(repo, w.pull, true), "branch has been deleted")
}

// A merged pull request remains merged; only a fork's author can allow edits by maintainers.
func TestWhatAPullRequestCannotBecome(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.Merge(repo, w.pull))
	merged := w.as("GET", fmt.Sprintf("repos/%s/pulls/%d", repo, w.pull), "").object()
	require.Equal(t, []any{true, "closed"}, []any{merged["merged"], merged["state"]})
	w.refused(w.as("PATCH", fmt.Sprintf("repos/%s/pulls/%d", repo, w.pull), `{"state":"open"}`), 422, "cannot be reopened")
	w.refused(w.as("PATCH", fmt.Sprintf("repos/%s/issues/%d", repo, w.pull), `{"state":"open"}`), 422,
		"cannot be reopened")
	require.NoError(t, w.AddUser("bob"))
	require.NoError(t, w.SetRole(repo, "bob", entity.RoleRead))
	fork, err := w.Fork(repo, "bob")
	require.NoError(t, err)
	_, err = w.OpenPull(sim.Pull{As: "bob", Repo: repo, Title: "Nothing", Head: "bob:main"})
	require.ErrorContains(t, err, "No commits between main and main")
	_, err = w.Push(fork, "idea", map[string]string{"x": "x\n"}, "An idea\n")
	require.NoError(t, err)
	n, err := w.OpenPull(sim.Pull{As: "bob", Repo: repo, Title: "An idea", Head: "bob:idea", NoMaintainerEdits: true})
	require.NoError(t, err)
	w.refused(w.as("PATCH", fmt.Sprintf("repos/%s/pulls/%d", repo, n), `{"maintainer_can_modify":true}`), 422,
		"without permission")
	list := w.as("GET", "repos/"+repo+"/pulls?head=bob:idea", "").list()
	require.Len(t, list, 1)
	require.Len(t, w.as("GET", "repos/"+repo+"/pulls?state=all&base=main", "").list(), 2)
	w.refused(w.as("GET", "repos/"+repo+"/pulls?state=some", ""), 422, "Validation Failed")
}

// "Lists a maximum of 250 commits for a pull request", oldest first.
func TestTheCommitsOfAPullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.Push(repo, "feature", map[string]string{"x": "x\n"}, "Second\n")
	require.NoError(t, err)
	list := w.as("GET", fmt.Sprintf("repos/%s/pulls/%d/commits", repo, w.pull), "").list()
	require.Len(t, list, 2)
	require.Equal(t, "Second", list[1].(map[string]any)["commit"].(map[string]any)["message"])
	w.refused(w.as("GET", fmt.Sprintf("repos/%s/pulls/%d/commits", repo, w.issue), ""), 404, "Not Found")
}

// "issue: An issue in the repository to convert to a pull request."
func TestAnIssueBecomesAPullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.Push(repo, "fix", map[string]string{"x": "x\n"}, "A fix\n")
	require.NoError(t, err)
	r := w.as("POST", "repos/"+repo+"/pulls", fmt.Sprintf(`{"issue":%d,"head":"fix","base":"main"}`, w.issue))
	require.Equal(t, 201, r.status, r.text)
	require.Equal(t, fmt.Sprint(w.issue), fmt.Sprint(r.object()["number"]))
	require.Equal(t, "A bug", r.object()["title"])
}

// "head: Filter pulls by head user or head organization and branch name in the format of user:ref-name"; a
// value without an owner is ignored.
func TestPullRequestsAreListed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.Push(repo, "idea", map[string]string{"x": "x\n"}, "Idea\n")
	require.NoError(t, err)
	w.clock.forward(time.Minute)
	require.Equal(t, 201, w.as("POST", "repos/"+repo+"/pulls", newPull("idea", "main", "")).status)
	require.NoError(t, w.SetOpen(repo, 3, false))
	w.clock.forward(time.Minute)
	require.Equal(t, 201, w.as("POST", "repos/"+repo+"/pulls", newPull("idea", "main", "")).status)
	for query, want := range map[string][]string{
		"":                            {"4", "1"},
		"?state=closed":               {"3"},
		"?state=all&head=acme:idea":   {"4", "3"},
		"?head=ACME:feature":          {"1"},
		"?head=bob:idea":              nil,
		"?head=idea":                  {"4", "1"},
		"?sort=created&direction=asc": {"1", "4"},
		"?state=all&head=acme:idea&sort=created&direction=desc&per_page=1": {"4"},
		"?sort=updated": {"1", "4"},
		"?base=feature": nil,
	} {
		var got []string
		for _, p := range w.as("GET", "repos/"+repo+"/pulls"+query, "").list() {
			got = append(got, fmt.Sprint(p.(map[string]any)["number"]))
		}
		require.Equal(t, want, got, query)
	}
}

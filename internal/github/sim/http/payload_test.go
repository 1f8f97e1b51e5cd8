package simhttp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// Every payload matches GitHub's description.
func TestPayloadsAreShapedAsGitHubs(t *testing.T) {
	t.Parallel()
	d := payloads(t)
	w := newWorld(t)
	in := w.subscribe()
	comment, err := w.Comment("alice", repo, w.pull, "a")
	require.NoError(t, err)
	require.NoError(t, w.EditComment("alice", comment, "b"))
	require.NoError(t, w.DeleteComment("alice", comment))
	_, err = w.Comment("alice", repo, w.issue, "on an issue")
	require.NoError(t, err)
	_, err = w.ReviewComment("alice", repo, w.pull, sim.Place{Path: "a.txt", Line: 20, StartLine: 19}, "c")
	require.NoError(t, err)
	_, err = w.OpenIssue("alice", repo, "Another", "")
	require.NoError(t, err)
	require.NoError(t, w.Label("alice", repo, w.issue, "tenon"))
	_, err = w.Push(repo, "idea", map[string]string{"y": "y\n"}, "An idea\n")
	require.NoError(t, err)
	_, err = w.OpenPull(sim.Pull{As: "alice", Repo: repo, Title: "An idea", Body: "/tenon ask why", Head: "idea"})
	require.NoError(t, err)
	sha, err := w.Push(repo, "feature", map[string]string{"x": "x\n"}, "More\n")
	require.NoError(t, err)
	r := w.as("POST", "repos/"+repo+"/check-runs",
		checkBody(sha, `,"actions":[{"label":"Undo","description":"Revert it","identifier":"undo"}]`))
	require.Equal(t, 201, r.status, r.text)
	require.NoError(t, w.PressButton("alice", r.id(), "undo"))
	require.Error(t, w.PressButton("alice", r.id(), "no such"))
	require.NoError(t, w.SetOpen(repo, w.pull, false))
	w.WaitDeliveries()
	require.Len(t, d.checkPayloads(t, in), 13)
}

// Reviews, edits and installations too.
func TestMorePayloadsAreShapedAsGitHubs(t *testing.T) {
	t.Parallel()
	d := payloads(t)
	w := newWorld(t)
	in := w.subscribe()
	_, err := w.Review("owner", repo, w.pull, sim.NewReview{Event: "APPROVE"})
	require.NoError(t, err)
	r := w.as("POST", w.reviews(), `{"event":"COMMENT","body":"b","comments":[{"path":"a.txt","body":"c","line":20}]}`)
	require.Equal(t, 200, w.as("PUT", fmt.Sprintf("%s/%d", w.reviews(), r.id()), body("c")).status)
	note := w.as("GET", fmt.Sprintf("%s/%d/comments", w.reviews(), r.id()), "").list()[0].(map[string]any)["id"]
	path := fmt.Sprintf("repos/%s/pulls/comments/%s", repo, note)
	require.Equal(t, 200, w.as("PATCH", path, body("d")).status)
	require.Equal(t, 204, w.as("DELETE", path, "").status)
	require.Equal(t, 200, w.as("PATCH", fmt.Sprintf("repos/%s/issues/%d", repo, w.issue),
		`{"title":"new","body":"new"}`).status)
	r = w.as("POST", "repos/"+repo+"/check-runs", checkBody(w.head(), `,"conclusion":"failure"`))
	require.NoError(t, w.Rerequest("alice", r.id()))
	require.ErrorContains(t, w.Rerequest("stranger", r.id()), "no write permission")
	require.NoError(t, w.AddRepo(sim.Repo{Name: "acme/other"}))
	_, err = w.Install(sim.Installation{Owner: "acme", Repos: []string{"other"}})
	require.NoError(t, err)
	_, err = w.Install(sim.Installation{Owner: "acme"})
	require.NoError(t, err)
	require.NoError(t, w.Suspend("acme", true))
	require.NoError(t, w.Suspend("acme", false))
	require.NoError(t, w.Uninstall("acme"))
	_, err = w.Install(sim.Installation{Owner: "acme"})
	require.NoError(t, err)
	w.WaitDeliveries()
	require.Len(t, d.checkPayloads(t, in), 16)
}

// checkPayloads checks all deliveries by the description, and returns their events.
func (d *description) checkPayloads(t *testing.T, in *inbox) map[string]bool {
	t.Helper()
	hooks := d.doc["x-hooks"].(schema)
	seen := map[string]bool{}
	for i, data := range in.bodies {
		var o map[string]any
		require.NoError(t, json.Unmarshal(data, &o))
		name := strings.ReplaceAll(in.name(i), " ", "_")
		ref, known := hooks[name].(string)
		require.True(t, known, name)
		require.Empty(t, d.check(schema{"$ref": ref}, o, name), name)
		seen[name] = true
	}
	return seen
}

// So are those of continuous integration.
func TestPayloadsOfCIAreShapedAsGitHubs(t *testing.T) {
	t.Parallel()
	d := payloads(t)
	w := newWorld(t, func(o *simhttp.Options) {
		o.Events = []string{"check_run", "check_suite", "workflow_run", "status"}
	})
	in := w.subscribe()
	ci := w.CI(repo, w.head())
	require.NoError(t, ci.Job("test").Fails("x\n"))
	require.NoError(t, ci.Check(sim.Check{App: "codecov", Name: "patch", Conclusion: "success"}))
	require.NoError(t, ci.Status("jenkins", "failure", "Broken", "https://ci.example.com/1"))
	w.WaitDeliveries()
	require.Len(t, d.checkPayloads(t, in), 7)
}

// The payload of a job that has ended too.
func TestAPayloadOfAJobIsShapedAsGitHubs(t *testing.T) {
	t.Parallel()
	d := payloads(t)
	w := newWorld(t, func(o *simhttp.Options) { o.Events = []string{"workflow_job"} })
	require.NoError(t, w.CI(repo, w.head()).Starts("test"))
	in := w.subscribe()
	require.NoError(t, w.CI(repo, w.head()).Job("test").Fails("x\n"))
	require.Equal(t, map[string]bool{"workflow_job_completed": true}, d.checkPayloads(t, in))
}

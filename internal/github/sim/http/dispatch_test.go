package simhttp_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

func (w *world) dispatch(file, body string) reply {
	w.t.Helper()
	return w.as("POST", "repos/"+repo+"/actions/workflows/"+file+"/dispatches", body)
}

// A workflow is started on a branch; a test runs its jobs, and the deliveries tell.
func TestAWorkflowIsStartedOnABranch(t *testing.T) {
	t.Parallel()
	w := newWorld(t, mayStartWorkflows)
	_, err := w.Push(repo, "main", map[string]string{".github/workflows/verify.yml": verifyFile}, "Verify\n")
	require.NoError(t, err)
	require.NoError(t, w.Branch(repo, "tenon/verify-1", ""))
	sha, err := w.Push(repo, "tenon/verify-1", map[string]string{"a.txt": "fixed\n"}, "Fix\n")
	require.NoError(t, err)
	in := w.subscribe()
	require.Equal(t, 204, w.dispatch("verify.yml", `{"ref":"tenon/verify-1","inputs":{"why":"x"}}`).status)
	run := w.runs()[0]
	require.Equal(t, sim.WorkflowRun{ID: run.ID, File: "verify.yml", Event: "workflow_dispatch",
		Branch: "tenon/verify-1", SHA: sha, Status: "queued", Attempt: 1, Jobs: map[string]int64{}}, run)
	ci := w.CI(repo, sha).Workflow("verify.yml")
	require.NoError(t, ci.Starts("build", "test"))
	require.NoError(t, ci.Job("build").Passes())
	require.NoError(t, ci.Job("test").Fails("x\n"))
	require.Len(t, w.runs(), 1)
	require.Equal(t, "failure", w.runs()[0].Conclusion)
	_, o := in.last(t)
	require.Equal(t, "tenon[bot]", at(o, "sender", "login"), "the App started it")
	path := "repos/" + repo + "/actions/workflows/verify.yml/runs"
	for query, n := range map[string]string{"?event=workflow_dispatch&head_sha=" + sha: "1", "?event=push": "0",
		"?branch=tenon/verify-1&status=failure": "1", "?status=in_progress": "0", "?branch=main": "0"} {
		require.Equal(t, n, fmt.Sprint(w.as("GET", path+query, "").object()["total_count"]), query)
	}
	require.NoError(t, w.DeleteBranch(repo, "tenon/verify-1"))
	require.Len(t, w.runs(), 1, "runs survive their branch")
}

// A run appears some time after GitHub accepted to start it, and a test can answer it at once.
func TestARunAppearsLaterThanItIsAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, mayStartWorkflows)
	sha, err := w.Push(repo, "main", map[string]string{".github/workflows/one.yml": "on: workflow_dispatch\n"}, "One\n")
	require.NoError(t, err)
	done := make(chan error, 1)
	w.OnDispatch(func(run sim.WorkflowRun) { done <- w.CI(repo, run.SHA).Workflow(run.File).Job("build").Passes() })
	require.NoError(t, w.Lag(repo, true))
	require.Equal(t, 204, w.dispatch("one.yml", `{"ref":"main"}`).status)
	require.Empty(t, w.runs())
	require.NoError(t, w.Lag(repo, false))
	require.NoError(t, <-done)
	require.Equal(t, "success", w.runs()[0].Conclusion)
	require.Equal(t, sha, w.runs()[0].SHA)
}

// GitHub's reasons not to start a workflow: no such file on the default branch (404); no such branch, no trigger in the
// file as the branch has it, inputs that it does not have, and a workflow that is disabled (422).
func TestWorkflowsThatAreNotStarted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, mayStartWorkflows)
	_, err := w.Push(repo, "main", map[string]string{".github/workflows/verify.yml": verifyFile,
		".github/workflows/ci.yml":   "on: push\n",
		".github/workflows/list.yml": "on: [push, workflow_dispatch]\n",
		".github/workflows/one.yml":  "on: workflow_dispatch\n",
		".github/workflows/bad.yml":  "on: [\n"}, "Workflows\n")
	require.NoError(t, err)
	const onMain = `{"ref":"main"}`
	w.refused(w.dispatch("no.yml", onMain), 404, "Not Found")
	w.refused(w.dispatch("17", onMain), 404, "Not Found")
	w.refused(w.dispatch("verify.yml", `{}`), 422, "ref")
	w.refused(w.dispatch("verify.yml", `{"ref":"gone"}`), 422, "No ref found for: gone")
	w.refused(w.dispatch("ci.yml", onMain), 422, "Workflow does not have 'workflow_dispatch' trigger")
	w.refused(w.dispatch("bad.yml", onMain), 422, "Workflow does not have 'workflow_dispatch' trigger")
	w.refused(w.dispatch("one.yml", `{"ref":"feature"}`), 422, "Workflow does not have 'workflow_dispatch' trigger")
	w.refused(w.dispatch("verify.yml", onMain), 422, "Required input 'why' not provided")
	w.refused(w.dispatch("one.yml", `{"ref":"main","inputs":{"b":1,"a":1}}`), 422,
		`Unexpected inputs provided: [\"a\", \"b\"]`)
	require.NoError(t, w.SetWorkflow(repo, "one.yml", false))
	w.refused(w.dispatch("one.yml", onMain), 422, "disabled workflow")
	require.Empty(t, w.runs())
	require.NoError(t, w.SetWorkflow(repo, "one.yml", true))
	require.Equal(t, 204, w.dispatch("one.yml", onMain).status)
	require.Equal(t, 204, w.dispatch("list.yml", onMain).status)
	require.Len(t, w.runs(), 2)
}

// Each permission is granted by itself, and its operations and events come with it.
func TestEachPermissionOfCIIsGrantedByItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sha := w.checked()
	job := w.jobOf(sha, "test")
	paths := map[string]string{"checks": "commits/" + sha + "/check-runs", "statuses": "commits/" + sha + "/status",
		"actions": fmt.Sprintf("actions/jobs/%d", job)}
	all := map[string]string{"metadata": "read", "contents": "write", "checks": "write", "statuses": "read",
		"actions": "read"}
	events := map[string]string{"checks": "check_suite completed", "statuses": "status",
		"actions": "workflow_run completed"}
	for name := range paths {
		may := maps.Clone(all)
		delete(may, name)
		_, err := w.Install(sim.Installation{Owner: "acme", Permissions: may})
		require.NoError(t, err)
		r := w.call("POST", fmt.Sprintf("app/installations/%d/access_tokens", w.installation), w.jwt(nil),
			fmt.Sprintf(`{"permissions":{%q:"read"}}`, name))
		w.refused(r, 422, "not granted to this installation")
		token := w.newToken(nil)
		in := w.subscribe()
		w.checked()
		for other, path := range paths {
			r := w.call("GET", "repos/"+repo+"/"+path, token, "")
			if other == name {
				w.refused(r, 403, "not accessible by integration")
				require.NotContains(t, in.names(), events[other])
				continue
			}
			require.Equal(t, 200, r.status, r.text)
			require.Contains(t, in.names(), events[other])
		}
	}
	w.refused(w.call("POST", "repos/"+repo+"/actions/workflows/ci.yml/dispatches", w.newToken(nil), `{"ref":"main"}`), 403,
		"not accessible by integration")
}

// Logs are never public, not even those of a public repository.
func TestLogsAreNeverPublic(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.AddRepo(sim.Repo{Name: "acme/open", Public: true, Files: map[string]string{"a": "a\n"}}))
	commits, err := w.Commits("acme/open", "main")
	require.NoError(t, err)
	require.NoError(t, w.CI("acme/open", commits[0].SHA).Job("test").Fails("x\n"))
	runs, err := w.WorkflowRuns("acme/open")
	require.NoError(t, err)
	token := w.newToken(permissions(map[string]string{"checks": "read"}))
	path := fmt.Sprintf("repos/acme/open/actions/jobs/%d", runs[0].Jobs["test"])
	require.Equal(t, 200, w.call("GET", path, token, "").status)
	w.refused(w.call("GET", path+"/logs", token, ""), 403, "not accessible by integration")
}

// A new permission counts once the owner has accepted it, which GitHub tells.
func TestAnOwnerAcceptsAPermission(t *testing.T) {
	t.Parallel()
	d := payloads(t)
	w := newWorld(t)
	_, err := w.Install(sim.Installation{Owner: "acme", Permissions: map[string]string{"metadata": "read",
		"checks": "write"}})
	require.NoError(t, err)
	want := fmt.Sprintf("app/installations/%d/access_tokens", w.installation)
	w.refused(w.call("POST", want, w.jwt(nil), `{"permissions":{"actions":"read"}}`), 422, "not granted")
	in := w.subscribe()
	require.NoError(t, w.AcceptPermissions("acme"))
	w.WaitDeliveries()
	require.Equal(t, map[string]bool{"installation_new_permissions_accepted": true}, d.checkPayloads(t, in))
	require.Equal(t, 201, w.call("POST", want, w.jwt(nil), `{"permissions":{"actions":"read"}}`).status)
}

// Starting a workflow counts as a write, and asking for a log as a request; its download does not.
func TestTheLimitsOfWorkflowsAndLogs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, mayStartWorkflows, func(o *simhttp.Options) { o.ContentPerMinute, o.RequestsPerHour = 1, 4 })
	sha, err := w.Push(repo, "main", map[string]string{".github/workflows/one.yml": "on: workflow_dispatch\n"}, "One\n")
	require.NoError(t, err)
	require.NoError(t, w.CI(repo, sha).Job("test").Fails("x\n"))
	job := w.jobOf(sha, "test")
	require.Equal(t, 204, w.dispatch("one.yml", `{"ref":"main"}`).status)
	w.refused(w.dispatch("one.yml", `{"ref":"main"}`), 403, "secondary rate limit")
	at := w.jobLog(w.token, job).header.Get("Location")
	for range 3 {
		status, _, err := w.download(at, "")
		require.NoError(t, err)
		require.Equal(t, 200, status)
	}
	require.Equal(t, 302, w.jobLog(w.token, job).status)
	w.refused(w.jobLog(w.token, job), 403, "API rate limit exceeded")
}

package simhttp_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

const verifyFile = `name: Verify
on:
  workflow_dispatch:
    inputs:
      why: { required: true }
      fast: { default: false }
jobs: {}
`

// mayStartWorkflows gives the App the permission to start workflows, which app.yml does not ask for.
func mayStartWorkflows(o *simhttp.Options) {
	o.Permissions = map[string]string{"metadata": "read", "contents": "write", "pull_requests": "write", "issues": "write",
		"checks": "write", "statuses": "read", "actions": "write", "workflows": "write"}
}

// jobOf returns the id of the newest job of a name on a commit.
func (w *world) jobOf(sha, name string) int64 {
	w.t.Helper()
	runs, err := w.WorkflowRuns(repo)
	require.NoError(w.t, err)
	id := int64(0)
	for _, run := range runs {
		if run.SHA == sha {
			id = max(id, run.Jobs[name])
		}
	}
	return id
}

// jobLog asks for the log of a job, and does not follow the redirect.
func (w *world) jobLog(token string, job int64) reply {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), "GET",
		fmt.Sprintf("%srepos/%s/actions/jobs/%d/logs", w.APIURL(), repo, job), nil)
	require.NoError(w.t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	stay := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r := w.sendBy(stay, req)
	describe(w.t).checkCall(w.t, req, "", r)
	return r
}

// download gets the log at a URL, with credentials if there are some, and returns what arrived.
func (w *world) download(at, token string) (status int, text string, err error) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), "GET", at, nil)
	require.NoError(w.t, err)
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(w.t, err)
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	return res.StatusCode, string(data), err
}

// A run of two jobs ends with the second one, and its suite with it.
func TestAWorkflowRunEndsWithItsLastJob(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := w.subscribe()
	sha := w.head()
	ci := w.CI(repo, sha)
	require.NoError(t, ci.Starts("test (ubuntu)", "lint"))
	require.ErrorContains(t, ci.Starts("test"), "runs already")
	require.NoError(t, ci.Job("lint").Passes())
	suite := func() map[string]any {
		r := w.as("GET", "repos/"+repo+"/commits/"+sha+"/check-suites", "")
		return r.object()["check_suites"].([]any)[0].(map[string]any)
	}
	require.Equal(t, "in_progress", suite()["status"])
	require.NotContains(t, in.names(), "check_suite completed")
	require.NoError(t, ci.Job("test (ubuntu)").Fails("--- FAIL: TestStart\n"))
	require.Equal(t, "failure", suite()["conclusion"])
	require.Equal(t, []string{"workflow_run requested", "workflow_run in_progress", "check_run created",
		"check_run created", "check_run completed", "check_run completed", "workflow_run completed",
		"check_suite completed"}, in.sorted("workflow_run requested", "workflow_run in_progress", "check_run created",
		"check_run completed", "workflow_run completed", "check_suite completed"))
	require.ErrorContains(t, ci.Job("lint").Fails(""), "has ended")
	require.ErrorContains(t, ci.Job("build").Fails(""), "name all jobs of a run in Starts")

	jobs := w.as("GET", fmt.Sprintf("repos/%s/actions/runs/%d/jobs", repo, w.runs()[0].ID), "").object()["jobs"].([]any)
	require.Len(t, jobs, 2)
	first := jobs[0].(map[string]any)
	require.Equal(t, "test (ubuntu)", first["name"])
	require.Equal(t, "failure", first["steps"].([]any)[2].(map[string]any)["conclusion"])
	notes := w.as("GET", fmt.Sprintf("repos/%s/check-runs/%s/annotations", repo, first["id"]), "").list()
	require.Equal(t, "Process completed with exit code 1.", notes[0].(map[string]any)["message"])
}

func (w *world) runs() []sim.WorkflowRun {
	w.t.Helper()
	runs, err := w.WorkflowRuns(repo)
	require.NoError(w.t, err)
	return runs
}

// names returns the events and actions of the deliveries, in the order of their arrival.
func (in *inbox) names() []string {
	var list []string
	for i := range in.heads {
		list = append(list, in.name(i))
	}
	return list
}

// sorted returns the names of the deliveries in an order, as they arrive in any.
func (in *inbox) sorted(order ...string) []string {
	var list []string
	for _, want := range order {
		for _, name := range in.names() {
			if name == want {
				list = append(list, name)
			}
		}
	}
	return list
}

// Failed jobs are repeated in a next attempt, beside those that passed.
func TestFailedJobsAreRepeated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sha := w.head()
	ci := w.CI(repo, sha)
	require.NoError(t, ci.Starts("test", "lint"))
	require.ErrorContains(t, ci.Reruns(), "no run that ended")
	require.NoError(t, ci.Job("test").Fails("x\n"))
	require.NoError(t, ci.Job("lint").Passes())
	before := w.jobOf(sha, "test")
	in := w.subscribe()
	require.NoError(t, ci.Reruns())
	require.NotContains(t, in.names(), "workflow_run requested")
	require.Equal(t, "in_progress", w.runs()[0].Status)
	require.NoError(t, ci.Job("test").Passes())
	run := w.runs()[0]
	require.Equal(t, sim.WorkflowRun{ID: run.ID, File: "ci.yml", Event: "push", Branch: "feature", SHA: sha,
		Status: "completed", Conclusion: "success", Attempt: 2, Jobs: run.Jobs}, run)
	require.Greater(t, run.Jobs["test"], before)
	path := "repos/" + repo + "/commits/" + sha + "/check-runs"
	require.Len(t, w.as("GET", path, "").object()["check_runs"], 2, "the latest of each name")
	require.Len(t, w.as("GET", path+"?filter=all", "").object()["check_runs"], 3)
	jobs := fmt.Sprintf("repos/%s/actions/runs/%d/jobs", repo, run.ID)
	require.Len(t, w.as("GET", jobs, "").object()["jobs"], 2)
	require.Len(t, w.as("GET", jobs+"?filter=all", "").object()["jobs"], 3)
	require.ErrorContains(t, ci.Reruns(), "no job failed")
}

// Two workflows with a job of one name are two check runs; other Apps, statuses and the App itself are beside them.
func TestWhatACommitIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sha := w.head()
	ci := w.CI(repo, sha)
	require.NoError(t, ci.Job("build").Fails("x\n"))
	require.NoError(t, ci.Workflow("docs.yml").Job("build").Passes())
	require.NoError(t, ci.Check(sim.Check{App: "codecov", Name: "codecov/patch"}))
	require.NoError(t, ci.Check(sim.Check{App: "codecov", Name: "codecov/patch", Conclusion: "failure",
		Page: "https://codecov.io/x", Title: "60% of diff hit", Annotations: []sim.Annotation{{Path: "a.txt", Line: 3,
			Level: "warning", Message: "not covered"}}}))
	require.NoError(t, ci.Status("jenkins", "pending", "", ""))
	require.NoError(t, ci.Status("jenkins", "error", "Broken", "https://ci.example.com/1"))
	require.Equal(t, 201, w.as("POST", "repos/"+repo+"/check-runs", checkBody(sha, `,"conclusion":"success"`)).status)

	checks := w.as("GET", "repos/"+repo+"/commits/"+sha+"/check-runs", "").object()["check_runs"].([]any)
	var names []string
	for _, c := range checks {
		o := c.(map[string]any)
		names = append(names, fmt.Sprintf("%s %s %s", o["app"].(map[string]any)["slug"], o["name"], o["conclusion"]))
	}
	require.Equal(t, []string{"tenon tenon success", "codecov codecov/patch failure", "github-actions build success",
		"github-actions build failure"}, names)
	mine, err := w.CheckRuns(repo)
	require.NoError(t, err)
	require.Len(t, mine, 1, "those of other Apps are not the App's")
	status := w.as("GET", "repos/"+repo+"/commits/"+sha+"/status", "").object()
	require.Equal(t, "failure", status["state"])
	require.Len(t, status["statuses"], 1)
	require.Len(t, w.as("GET", "repos/"+repo+"/commits/"+sha+"/statuses", "").list(), 2)
	theirs := checks[1].(map[string]any)["id"]
	w.refused(w.as("PATCH", fmt.Sprintf("repos/%s/check-runs/%s", repo, theirs), `{"conclusion":"success"}`), 403,
		"can only be modified by the GitHub App that created it")
	require.ErrorContains(t, ci.Status("x", "red", "", ""), "no state")
	require.ErrorContains(t, w.CI(repo, strings.Repeat("0", 40)).Job("x").Passes(), "no commit")
}

// A log is downloaded from another host, whose URL alone gives access, and only for a minute.
func TestALogIsElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sha := w.head()
	ci := w.CI(repo, sha)
	require.NoError(t, ci.Starts("test"))
	job := w.jobOf(sha, "test")
	w.refused(w.jobLog(w.token, job), 404, "Not Found")
	require.NoError(t, ci.Job("test").Fails("--- FAIL: TestStart\n"))
	at := w.jobLog(w.token, job).header.Get("Location")
	require.NotContains(t, at, "127.0.0.1")
	status, text, err := w.download(at, "")
	require.NoError(t, err)
	require.Equal(t, 200, status)
	lines := strings.Split(text, "\n")
	require.Regexp(t, `^\x{feff}20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z Current runner`, lines[0])
	require.Regexp(t, `Z --- FAIL: TestStart\n.*Z ##\[error\]Process completed with exit code 1\.\n`, text)
	status, _, _ = w.download(at, w.token)
	require.Equal(t, 401, status, "with GitHub's credentials")
	status, _, _ = w.download(strings.Replace(at, "sig=", "sig=x", 1), "")
	require.Equal(t, 403, status, "not signed so")
	w.clock.forward(time.Minute)
	status, _, _ = w.download(at, "")
	require.Equal(t, 403, status, "too late")
	logs := traffic.OfKind(w.Requests(), traffic.KindLog)
	require.Len(t, logs, 4)

	w.RedirectLogs("https://evil.example.com/")
	require.Equal(t, "https://evil.example.com/", w.jobLog(w.token, job).header.Get("Location"))
	w.RedirectLogs("")
	require.NoError(t, ci.Job("test").LogExpires())
	w.refused(w.jobLog(w.token, job), 410, "Server Error")
}

// Logs are of any size, and downloads may break off.
func TestALongLogAndOneThatBreaksOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sha := w.head()
	ci := w.CI(repo, sha)
	require.NoError(t, ci.Job("test").Ends(sim.JobEnd{Conclusion: "timed_out", Log: func() io.Reader {
		return io.LimitReader(endless{}, 3<<20)
	}}))
	job := w.jobOf(sha, "test")
	_, text, err := w.download(w.jobLog(w.token, job).header.Get("Location"), "")
	require.NoError(t, err)
	require.Len(t, text, 3<<20)
	require.NoError(t, ci.Job("test").LogBreaksOff(100))
	_, text, err = w.download(w.jobLog(w.token, job).header.Get("Location"), "")
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Len(t, text, 100)
}

// endless is a log without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = "x\n"[i%2]
	}
	return len(p), nil
}

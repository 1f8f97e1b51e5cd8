package gh_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	startVerify = "POST " + root + "/actions/workflows/verify.yml/dispatches"
	runsOf      = "GET " + root + "/actions/workflows/verify.yml/runs"
	jobsOf      = "GET " + root + "/actions/runs/9/jobs"
)

func TestAWorkflowIsStartedOnceWithATokenForThatAlone(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(startVerify, refusal(502, "Bad Gateway"))
	err := d.client(t).StartWorkflow(t.Context(), joint, "verify.yml", "tenon/verify-1")
	var wait *port.WaitError
	require.ErrorAs(t, err, &wait)
	require.Len(t, d.calls(startVerify), 1, "it may have started")
	require.JSONEq(t, `{"ref":"tenon/verify-1"}`, d.calls(startVerify)[0].body)
	require.JSONEq(t, `{"repository_ids":[700],"permissions":{"metadata":"read","actions":"write"}}`,
		d.calls(mintPath)[0].body)
}

func TestWhyAWorkflowIsNotStarted(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	c := d.client(t)
	start := func() error { return c.StartWorkflow(t.Context(), joint, "verify.yml", "tenon/verify-1") }
	const why = "Workflow does not have 'workflow_dispatch' trigger"
	d.on(startVerify, refusal(422, why))
	var rejected *port.RejectedError
	require.ErrorAs(t, start(), &rejected)
	require.Equal(t, port.RejectedError{Branch: "tenon/verify-1", Text: why}, *rejected)
	d.on(startVerify, refusal(403, "Resource not accessible by integration"))
	require.ErrorIs(t, start(), port.ErrDenied)
	d.on(mintPath, refusal(422, notAccepted))
	require.ErrorIs(t, d.client(t).StartWorkflow(t.Context(), joint, "verify.yml", "b"), port.ErrDenied)
}

func TestOnlyARunThatWasStartedOnTheCommitIsItsRun(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	one := func(id int, event, sha, status, conclusion string) string {
		return fmt.Sprintf(`{"id":%d,"event":%q,"head_sha":%q,"status":%q,"conclusion":%s,"html_url":"https://g.example/%d"}`,
			id, event, sha, status, conclusion, id)
	}
	d.on(runsOf, ok(`{"workflow_runs":[`+strings.Join([]string{
		one(9, "push", theCommit, "completed", `"success"`), one(8, "workflow_dispatch", "other", "completed", `"success"`),
		one(6, "workflow_dispatch", theCommit, "completed", `"success"`),
		one(7, "workflow_dispatch", theCommit, "in_progress", `null`),
	}, ",")+`]}`))
	got, found, err := d.client(t).WorkflowRun(t.Context(), joint, "verify.yml", theCommit)
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, port.WorkflowRun{ID: 7, Page: "https://g.example/7", Outcome: port.CheckPending}, got)
	require.Equal(t, "event=workflow_dispatch&head_sha="+theCommit+"&per_page=100", d.calls(runsOf)[0].query)
	require.JSONEq(t, `{"repository_ids":[700],"permissions":{"metadata":"read","actions":"read"}}`,
		d.calls(mintPath)[0].body)
}

func TestTheDefaultBranchIsNeverDeleted(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	c := d.client(t)
	for _, branch := range []string{"main", ""} {
		require.True(t, asPermanent(c.DeleteBranch(t.Context(), joint, branch)))
	}
	require.Empty(t, d.got)
	const deletion = "DELETE " + root + "/git/refs/heads/tenon/verify-1"
	d.on(deletion, refusal(422, "Cannot delete this branch"))
	require.Error(t, c.DeleteBranch(t.Context(), joint, "tenon/verify-1"))
	d.on(deletion, refusal(422, "Reference does not exist"))
	require.NoError(t, c.DeleteBranch(t.Context(), joint, "tenon/verify-1"))
}

func TestFailedJobsAreFoundOnLaterPages(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	failed := func(n int) string {
		return strings.Join(slices.Repeat([]string{`{"id":1,"conclusion":"failure","html_url":"javascript:x"}`}, n), ",")
	}
	second := response{status: 200, body: `{"jobs":[` + failed(20) + `]}`, header: map[string][]string{}}
	first := response{status: 200, body: `{"jobs":[{"id":2,"conclusion":"success"},` + failed(20) + `]}`,
		header: map[string][]string{"Link": {`<https://x/?page=2>; rel="next"`}}}
	d.on(jobsOf, first, second)
	got, err := d.client(t).FailedJobs(t.Context(), joint, 9)
	require.NoError(t, err)
	require.Len(t, got, 30)
	require.Empty(t, got[0].Page)
	require.Len(t, d.calls(jobsOf), 2)
	require.Equal(t, "filter=latest&page=2&per_page=100", d.calls(jobsOf)[1].query)
}

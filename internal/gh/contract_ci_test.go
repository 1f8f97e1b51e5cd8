package gh_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// ciJob is how a job ends.
type ciJob struct{ Name, Conclusion, Log string }

// The contracts of port.CI and port.Verification.
func TestCIContract(t *testing.T) {
	t.Parallel()
	open := func(t *testing.T) *stage {
		t.Helper()
		s := newStage(t)
		s.Grant(appPermissions("actions:write"))
		return s
	}
	play(t, open, ciStories)
	play(t, open, verificationStories)
}

var ciStories = []story{
	{"a commit without checks has none", noChecks},
	{"the checks of a commit say what they came to", outcomesOfChecks},
	{"a job that runs again is what it is now", jobRunsAgain},
	{"a check run of another app says what it found", otherCheck},
	{"the check runs of the app itself are left out", ownChecks},
	{"without statuses to read, the checks say that they are missing", statusesMissing},
	{"without checks to read, the statuses say that they are missing", checksMissing},
	{"a commit that GitHub does not know is not found", noSuchCommit},
	{"more checks than 100 are said to be more", manyChecks},
	{"a failed job has its steps and its log", failedJob},
	{"a log that has expired is not found", logExpired},
	{"without actions to read, there are neither jobs nor logs", actionsMissing},
}

// granted are the permissions for threads and branches, and more.
func granted(more ...string) map[string]string {
	all := map[string]string{"metadata": "read", "contents": "write", "issues": "write", "pull_requests": "write"}
	for _, m := range more {
		name, level, _ := strings.Cut(m, ":")
		all[name] = level
	}
	return all
}

// tip is the commit of the branch speed.
func tip(s *stage) string { return s.BranchAt(lathe, "speed") }

func checksOf(t *testing.T, s *stage, sha string) port.CommitChecks {
	t.Helper()
	got, err := s.App().CommitChecks(t.Context(), s.Ref(lathe), sha)
	require.NoError(t, err)
	return got
}

// checkNamed returns the check of a name, which has to be there once.
func checkNamed(t *testing.T, all port.CommitChecks, name string) port.CommitCheck {
	t.Helper()
	var found []port.CommitCheck
	for _, c := range all.Checks {
		if c.Name == name {
			found = append(found, c)
		}
	}
	require.Len(t, found, 1, name)
	return found[0]
}

// runJobs plays a run of the workflow on the branch speed. A job without a conclusion does not end.
func runJobs(s *stage, jobs ...ciJob) {
	var names []string
	for _, j := range jobs {
		names = append(names, j.Name)
	}
	s.StartJobs(lathe, tip(s), names...)
	for _, j := range jobs {
		if j.Conclusion != "" {
			s.EndJob(lathe, tip(s), j)
		}
	}
}

func noChecks(t *testing.T, s *stage) {
	require.Equal(t, port.CommitChecks{}, checksOf(t, s, tip(s)))
}

func outcomesOfChecks(t *testing.T, s *stage) {
	jobs := map[string]port.CheckOutcome{"": port.CheckPending, "success": port.CheckPassed, "skipped": port.CheckPassed,
		"neutral": port.CheckPassed, "failure": port.CheckFailed, "timed_out": port.CheckFailed,
		"cancelled": port.CheckCancelled}
	var list []ciJob
	for conclusion := range jobs {
		list = append(list, ciJob{Name: "job " + conclusion, Conclusion: conclusion})
	}
	runJobs(s, list...)
	states := map[string]port.CheckOutcome{"pending": port.CheckPending, "success": port.CheckPassed,
		"failure": port.CheckFailed, "error": port.CheckFailed}
	for state := range states {
		s.Status(lathe, tip(s), "status "+state, state, "it is "+state)
	}
	got := checksOf(t, s, tip(s))
	require.Len(t, got.Checks, len(jobs)+len(states))
	require.Empty(t, got.Missing)
	require.False(t, got.More)
	for conclusion, want := range jobs {
		c := checkNamed(t, got, "job "+conclusion)
		require.Equal(t, want, c.Outcome, conclusion)
		require.Equal(t, conclusion, c.Conclusion)
		require.Equal(t, "github-actions", c.App)
		require.NotZero(t, c.Check)
		require.NotZero(t, c.WorkflowRun)
		require.NotZero(t, c.Job)
		require.Contains(t, c.Page, fmt.Sprintf("/actions/runs/%d/job/%d", c.WorkflowRun, c.Job))
	}
	for state, want := range states {
		c := checkNamed(t, got, "status "+state)
		require.Equal(t, want, c.Outcome, state)
		require.Equal(t, "it is "+state, c.Said)
		require.Zero(t, c.Check)
		require.Zero(t, c.Job)
		require.Empty(t, c.App)
		if want == port.CheckPending {
			require.Empty(t, c.Conclusion)
		} else {
			require.Equal(t, state, c.Conclusion)
		}
	}
}

func jobRunsAgain(t *testing.T, s *stage) {
	runJobs(s, ciJob{"test", "failure", "oh\n"}, ciJob{Name: "lint", Conclusion: "success"})
	failed := checkNamed(t, checksOf(t, s, tip(s)), "test")
	s.Rerun(lathe, tip(s))
	again := checkNamed(t, checksOf(t, s, tip(s)), "test")
	require.Equal(t, port.CheckPending, again.Outcome)
	jobs, err := s.App().FailedJobs(t.Context(), s.Ref(lathe), failed.WorkflowRun)
	require.NoError(t, err)
	require.Empty(t, jobs)
	s.EndJob(lathe, tip(s), ciJob{Name: "test", Conclusion: "success"})
	got := checksOf(t, s, tip(s))
	require.Equal(t, port.CheckPassed, checkNamed(t, got, "test").Outcome)
	require.Len(t, got.Checks, 2)
}

func otherCheck(t *testing.T, s *stage) {
	notes := []port.Annotation{
		{Path: "speed.txt", StartLine: 2, EndLine: 3, Level: "failure", Title: "Slow", Message: "too\nslow"},
		{Path: "README.md", StartLine: 1, EndLine: 1, Level: "warning", Message: "hm"},
	}
	s.Check(lathe, tip(s), "inspector", "Inspection", "failure", "Two things are wrong.", notes...)
	c := checkNamed(t, checksOf(t, s, tip(s)), "Inspection")
	require.Equal(t, port.CheckFailed, c.Outcome)
	require.Equal(t, "inspector", c.App)
	require.Contains(t, c.Said, "Two things are wrong.")
	require.Equal(t, 2, c.Notes)
	require.Zero(t, c.Job)
	require.Zero(t, c.WorkflowRun)
	got, err := s.App().CheckAnnotations(t.Context(), s.Ref(lathe), c.Check)
	require.NoError(t, err)
	require.Equal(t, notes, got)
	_, err = s.App().CheckAnnotations(t.Context(), s.Ref(lathe), 1)
	require.ErrorIs(t, err, port.ErrNotFound)
}

func ownChecks(t *testing.T, s *stage) {
	runJobs(s, ciJob{"test", "success", ""})
	_, err := s.App().CreateCheck(t.Context(), s.Ref(lathe), port.Check{Name: "tenon fix", SHA: tip(s), Title: "Working",
		Status: "in_progress"})
	require.NoError(t, err)
	got := checksOf(t, s, tip(s))
	require.Len(t, got.Checks, 1)
	require.Equal(t, "test", got.Checks[0].Name)
}

func statusesMissing(t *testing.T, s *stage) {
	runJobs(s, ciJob{"test", "failure", ""})
	s.Status(lathe, tip(s), "deploy", "failure", "")
	s.Grant(granted("checks:write"))
	for range 2 {
		got := checksOf(t, s, tip(s))
		require.Equal(t, []string{"statuses: read"}, got.Missing)
		require.Len(t, got.Checks, 1)
		require.Equal(t, "test", got.Checks[0].Name)
		require.Equal(t, port.CheckFailed, got.Checks[0].Outcome)
	}
}

func checksMissing(t *testing.T, s *stage) {
	runJobs(s, ciJob{"test", "failure", ""})
	s.Status(lathe, tip(s), "deploy", "failure", "")
	s.Grant(granted("statuses:read"))
	got := checksOf(t, s, tip(s))
	require.Equal(t, []string{"checks: read"}, got.Missing)
	require.Len(t, got.Checks, 1)
	require.Equal(t, "deploy", got.Checks[0].Name)
	s.Grant(granted())
	got = checksOf(t, s, tip(s))
	require.Equal(t, port.CommitChecks{Missing: []string{"checks: read", "statuses: read"}}, got)
}

func noSuchCommit(t *testing.T, s *stage) {
	_, err := s.App().CommitChecks(t.Context(), s.Ref(lathe), "0123456789012345678901234567890123456789")
	require.ErrorIs(t, err, port.ErrNotFound)
	_, err = s.App().CommitChecks(t.Context(), s.Ref(lathe), "speed")
	requirePermanent(t, err)
}

func manyChecks(t *testing.T, s *stage) {
	var names []string
	for i := range 101 {
		names = append(names, fmt.Sprintf("job %d", i))
	}
	s.StartJobs(lathe, tip(s), names...)
	got := checksOf(t, s, tip(s))
	require.Len(t, got.Checks, 100)
	require.True(t, got.More)
}

func failedJob(t *testing.T, s *stage) {
	const log = "2026-05-04T09:00:01.1234567Z ##[group]Run go test\n2026-05-04T09:00:02.0000000Z --- FAIL: TestSpeed\n"
	runJobs(s, ciJob{"lint", "success", "fine\n"}, ciJob{"test (ubuntu)", "failure", log})
	c := checkNamed(t, checksOf(t, s, tip(s)), "test (ubuntu)")
	jobs, err := s.App().FailedJobs(t.Context(), s.Ref(lathe), c.WorkflowRun)
	require.NoError(t, err)
	require.Len(t, jobs, 1)
	require.Equal(t, c.Job, jobs[0].ID)
	require.Equal(t, "test (ubuntu)", jobs[0].Name)
	require.Equal(t, "failure", jobs[0].Conclusion)
	require.Equal(t, c.Page, jobs[0].Page)
	require.NotEmpty(t, jobs[0].Steps)
	require.Equal(t, 1, jobs[0].Steps[0].Number)
	require.True(t, slices.ContainsFunc(jobs[0].Steps, func(s port.JobStep) bool {
		return s.Conclusion == "failure" && s.Started != "" && s.Completed != ""
	}))
	body, err := s.App().JobLog(t.Context(), s.Ref(lathe), c.Job)
	require.NoError(t, err)
	text, err := io.ReadAll(body)
	require.NoError(t, err)
	require.NoError(t, body.Close())
	require.Equal(t, log, string(text))
	_, err = s.App().FailedJobs(t.Context(), s.Ref(lathe), 1)
	require.ErrorIs(t, err, port.ErrNotFound)
	_, err = s.App().JobLog(t.Context(), s.Ref(lathe), 1)
	require.ErrorIs(t, err, port.ErrNotFound)
}

func logExpired(t *testing.T, s *stage) {
	runJobs(s, ciJob{"test", "failure", "oh\n"})
	s.LoseLog(lathe, tip(s), "test")
	c := checkNamed(t, checksOf(t, s, tip(s)), "test")
	_, err := s.App().JobLog(t.Context(), s.Ref(lathe), c.Job)
	require.ErrorIs(t, err, port.ErrNotFound)
}

func actionsMissing(t *testing.T, s *stage) {
	runJobs(s, ciJob{"test", "failure", "oh\n"})
	s.Grant(granted("checks:write", "statuses:read"))
	c := checkNamed(t, checksOf(t, s, tip(s)), "test")
	require.NotZero(t, c.WorkflowRun)
	_, err := s.App().FailedJobs(t.Context(), s.Ref(lathe), c.WorkflowRun)
	require.ErrorIs(t, err, port.ErrDenied)
	_, err = s.App().JobLog(t.Context(), s.Ref(lathe), c.Job)
	require.ErrorIs(t, err, port.ErrDenied)
}

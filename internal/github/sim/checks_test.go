package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// "By default, GitHub creates a check suite automatically when code is pushed": one on each commit, for an App that may
// write checks.
func TestAPushMakesOneSuite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := suites{w.core}
	require.NoError(t, failed(w.Install(Installation{Owner: "acme"})))
	w.told()
	sha := w.push("feature", text("two"))
	require.NoError(t, w.Branch(repo, "same", "feature"))
	require.NoError(t, w.DeleteBranch(repo, "same"))
	require.Equal(t, []string{"feature requested owner", "pull synchronize owner"}, w.told())
	suite, other := s.SuiteFor(w.repo(), sha, nil), s.SuiteFor(w.repo(), sha, s.IntegrationOf("lint"))
	require.Len(t, w.core.State.CI.Suites, 2)
	require.Same(t, other, s.SuiteFor(w.repo(), sha, s.IntegrationOf("lint")))
	require.Equal(t, []int64{7, 15368}, []int64{s.SuiteAppID(suite), s.SuiteAppID(other)})
	require.NoError(t, w.SetBranch(repo, "main", sha))
	require.Equal(t, "feature", s.BranchAt(w.repo(), sha), "rather than the default branch")
	require.Equal(t, "acme", s.pusherOf(w.repo(), sha).Login, "its author")
}

// An App that may not write checks has no suites.
func TestAnAppWithoutChecksHasNoSuites(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, failed(w.Install(Installation{Owner: "acme", Permissions: map[string]string{"contents": "write",
		"checks": "read"}})))
	w.push("feature", "b\n")
	require.Empty(t, w.core.State.CI.Suites)
}

// The worst of the newest check runs decides about a suite, when all have completed.
func TestTheConclusionOfASuite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	suite := &entity.CheckSuite{Repo: w.repo(), By: w.user("owner")}
	state := func() string {
		status, conclusion := w.SuiteState(suite)
		return status + " " + conclusion
	}
	require.Equal(t, "queued ", state())
	for _, c := range [][3]string{{"test", "failure", "failure"}, {"lint", "success", "failure"},
		{"test", "skipped", "success"}, {"lint", "neutral", "neutral"}} {
		run := &entity.CheckRun{Repo: w.repo(), Name: c[0], Status: "in_progress"}
		w.AddCheck(run, suite)
		require.Equal(t, "in_progress ", state())
		run.Status, run.Conclusion = "completed", c[1]
		w.told()
		w.CheckCompleted(run, w.user("write"))
		require.Equal(t, []string{"check completed write", " completed owner"}, w.told())
		require.Equal(t, "completed "+c[2], state(), "of the newest of each name")
	}
	w.AddCheck(&entity.CheckRun{Repo: w.repo(), Name: "build", Status: "queued"}, suite)
	w.told()
	w.CheckCompleted(w.RunsOf(suite)[0], w.user("write"))
	require.Equal(t, []string{"check completed write"}, w.told(), "the suite is not complete")
	for i, worst := range severity {
		for _, better := range append(severity[i:len(severity):len(severity)], "") {
			require.Equal(t, []string{worst, worst}, []string{worse(worst, better), worse(better, worst)})
		}
	}
}

// A workflow that cannot start, or is cancelled, ends without a job that tells why.
func TestAWorkflowThatCannotStartAndOneThatIsCancelled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ci := w.CI(repo, w.thread(w.pull).Pull.HeadSHA)
	require.NoError(t, ci.CannotStart())
	require.Empty(t, w.core.State.Checks)
	ci = ci.Workflow("other.yml")
	require.ErrorContains(t, ci.Cancels(), "does not run")
	require.NoError(t, ci.Starts("test"))
	require.NoError(t, ci.Cancels())
	runs := number(w.WorkflowRuns(repo))(t)
	require.Equal(t, []string{"startup_failure", "cancelled"}, []string{runs[0].Conclusion, runs[1].Conclusion})
}

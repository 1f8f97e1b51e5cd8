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
	require.NoError(t, failed(w.Install(Installation{Owner: "acme", Permissions: map[string]string{"checks": "read"}})))
	w.push("feature", text("one"))
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

// A run of a workflow ends with its last job; the jobs that failed are repeated as its next attempt.
func TestARunOfAWorkflow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ci := w.CI(repo, w.thread(w.pull).Pull.HeadSHA)
	run := func() WorkflowRun {
		list := number(w.WorkflowRuns(repo))(t)
		return list[len(list)-1]
	}
	require.NoError(t, ci.Starts("test", "lint"))
	require.ErrorContains(t, ci.Starts("test"), "runs already")
	require.NoError(t, ci.Job("lint").Passes())
	require.Equal(t, "in_progress", run().Status)
	require.ErrorContains(t, ci.Reruns(), "no run that ended")
	require.ErrorContains(t, ci.Job("test").Ends(JobEnd{Conclusion: "stale"}), "no conclusion")
	require.NoError(t, ci.Job("test").Fails("--- FAIL\n"))
	require.ErrorContains(t, ci.Job("test").Passes(), "has ended")
	first := run()
	require.Equal(t, WorkflowRun{ID: first.ID, File: "ci.yml", Event: "push", Branch: "feature", SHA: ci.sha,
		Status: "completed", Conclusion: "failure", Attempt: 1, Jobs: first.Jobs}, first)
	require.Empty(t, number(w.CheckRuns(repo))(t), "jobs are not the App's")
	require.NoError(t, ci.Reruns())
	require.NoError(t, ci.Job("test").Passes())
	require.Equal(t, []any{"success", 2, first.Jobs["lint"]}, []any{run().Conclusion, run().Attempt, run().Jobs["lint"]})
	require.ErrorContains(t, ci.Reruns(), "no job failed")
	require.ErrorContains(t, ci.Cancels(), "does not run")
	require.NoError(t, ci.Starts("test"))
	require.NoError(t, ci.Cancels())
	require.Equal(t, "cancelled", run().Conclusion)
	require.NoError(t, ci.Workflow("one.yml").Job("only").Ends(JobEnd{Conclusion: "skipped"}))
	require.Nil(t, w.core.State.CI.Jobs[run().Jobs["only"]].Log.Open, "it has no log")
	require.ErrorContains(t, w.CI(repo, "none").Cancels(), "no commit")
}

// The newest status of a context counts; a check run of another App is changed until it has completed.
func TestWhatOthersSayOfACommit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sha := w.thread(w.pull).Pull.HeadSHA
	ci := w.CI(repo, sha)
	for _, st := range [][2]string{{"a", "pending"}, {"b", "error"}, {"a", "success"}} {
		require.NoError(t, ci.Status(st[0], st[1], "", ""))
	}
	require.ErrorContains(t, ci.Status("a", "fine", "", ""), "no state")
	now := w.CurrentStatuses(w.repo(), sha)
	require.Len(t, now, 2)
	require.Equal(t, []string{"success", "error"}, []string{now[0].State, now[1].State})
	for _, conclusion := range []string{"", "failure", "success"} {
		require.NoError(t, ci.Check(Check{App: "lint", Name: "x", Conclusion: conclusion}))
	}
	require.Len(t, w.RunsOf(suites{w.core}.SuiteFor(w.repo(), sha, suites{w.core}.IntegrationOf("lint"))), 2)
	w.check("own")
	require.Equal(t, "own", number(w.CheckRuns(repo))(t)[0].Name)
}

func TestWhatStartsAWorkflow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const inputs = "where: {required: true}, how: {required: true, default: fast}, why: {}"
	for trigger, has := range map[string]bool{"workflow_dispatch": true, "[push, workflow_dispatch]": true, "push": false,
		"[push]": false, "{push: }": false, "[": false, "{workflow_dispatch: {inputs: {" + inputs + "}}}": true} {
		require.NoError(t, failed(w.Push(repo, "main", map[string]string{WorkflowFolder + "a.yml": "name: A\non: " + trigger},
			"More\n")))
		f, is := w.WorkflowFileAt(w.repo(), "refs/heads/main", WorkflowFolder+"a.yml")
		require.True(t, is)
		d, found := f.Trigger()
		require.Equal(t, has, found, trigger)
		if d.Inputs != nil {
			require.NoError(t, d.Check(map[string]any{"where": "here"}))
			require.ErrorContains(t, d.Check(nil), "Required input 'where' not provided")
			require.ErrorContains(t, d.Check(map[string]any{"z": 1, "y": 1}), `Unexpected inputs provided: ["y", "z"]`)
		}
	}
	for n := range 2 {
		run := w.NewRun(w.WorkflowOf(w.repo(), "b.yml"), w.repo().Git.Branch("main"), "push", w.user("owner"))
		require.Equal(t, n+1, run.Number)
	}
}

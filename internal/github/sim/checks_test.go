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
	require.Equal(t, []string{"check_suite feature requested owner", "pull_request synchronize owner"}, w.told())
	suite := s.SuiteFor(w.repo(), sha, nil)
	require.Len(t, w.core.State.CI.Suites, 1)
	other := s.SuiteFor(w.repo(), sha, s.IntegrationOf("lint"))
	require.NotSame(t, suite, other)
	require.Same(t, other, s.SuiteFor(w.repo(), sha, s.IntegrationOf("lint")))
	require.Equal(t, []int64{7, 15368}, []int64{s.SuiteAppID(suite), s.SuiteAppID(other)})
	require.NoError(t, w.SetBranch(repo, "main", sha))
	require.Equal(t, "feature", s.BranchAt(w.repo(), sha), "rather than the default branch")
	require.Empty(t, s.BranchAt(w.repo(), "none"))
	require.Equal(t, "acme", s.pusherOf(w.repo(), sha).Login, "its author")
	require.Equal(t, "owner", s.pusherOf(w.repo(), "none").Login)
}

// The worst of the newest check runs decides about a suite, when all have completed.
func TestTheConclusionOfASuite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	suite := &entity.CheckSuite{Repo: w.repo(), By: w.user("owner")}
	state := func() []string {
		status, conclusion := w.SuiteState(suite)
		return []string{status, conclusion}
	}
	require.Equal(t, []string{"queued", ""}, state())
	conclude := func(name, conclusion string) {
		run := &entity.CheckRun{Repo: w.repo(), Name: name, Status: "in_progress"}
		w.AddCheck(run, suite)
		require.Equal(t, []string{"in_progress", ""}, state())
		run.Status, run.Conclusion = "completed", conclusion
		w.CheckCompleted(run, w.user("write"))
	}
	conclude("test", "failure")
	conclude("lint", "success")
	require.Equal(t, []string{"completed", "failure"}, state())
	conclude("test", "skipped")
	require.Equal(t, []string{"completed", "success"}, state(), "the newest of each name")
	require.Len(t, w.RunsOf(suite), 3)
	w.told()
	first := &entity.CheckRun{Repo: w.repo(), Name: "a", Status: "completed", Conclusion: "neutral"}
	w.AddCheck(first, suite)
	w.AddCheck(&entity.CheckRun{Repo: w.repo(), Name: "b", Status: "queued"}, suite)
	w.CheckCompleted(first, w.user("write"))
	require.Equal(t, []string{"check_run created tenon[bot]", "check_run created tenon[bot]",
		"check_run completed write"}, w.told(), "the suite is not complete")
	for _, c := range [][3]string{{"", "success", "success"}, {"success", "neutral", "success"},
		{"skipped", "neutral", "neutral"}, {"cancelled", "success", "cancelled"}, {"failure", "cancelled", "failure"},
		{"failure", "timed_out", "timed_out"}, {"timed_out", "action_required", "action_required"}} {
		require.Equal(t, c[2], worse(c[0], c[1]))
		if c[0] != "" {
			require.Equal(t, c[2], worse(c[1], c[0]))
		}
	}
}

// A run of a workflow ends with its last job; the jobs that failed are repeated as its next attempt.
func TestARunOfAWorkflow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sha := w.thread(w.pull).Pull.HeadSHA
	ci := w.CI(repo, sha)
	require.NoError(t, ci.Starts("test", "lint"))
	require.ErrorContains(t, ci.Starts("test"), "runs already")
	require.NoError(t, ci.Job("lint").Passes())
	require.Equal(t, "in_progress", w.run().Status)
	require.ErrorContains(t, ci.Job("build").Passes(), "no job")
	require.ErrorContains(t, ci.Job("test").Ends(JobEnd{Conclusion: "stale"}), "no conclusion")
	require.ErrorContains(t, ci.Reruns(), "no run that ended")
	require.NoError(t, ci.Job("test").Fails("--- FAIL\n"))
	require.ErrorContains(t, ci.Job("test").Passes(), "has ended")
	run := w.run()
	require.Equal(t, []any{"completed", "failure", 1, "feature", "ci.yml", "push"},
		[]any{run.Status, run.Conclusion, run.Attempt, run.Branch, run.File, run.Event})
	failed := w.core.State.CI.Jobs[run.Jobs["test"]]
	require.Equal(t, "Process completed with exit code 1.", *failed.Check.Annotations[0].Message)
	require.Equal(t, []string{"success", "success", "failure", "success", "success"}, conclusions(failed.Steps))
	require.Empty(t, number(w.CheckRuns(repo))(t), "jobs are not the App's")

	require.ErrorContains(t, ci.Reruns("none"), "none of this name")
	require.NoError(t, ci.Reruns())
	require.Equal(t, []any{"in_progress", 2}, []any{w.run().Status, w.run().Attempt})
	require.NoError(t, ci.Job("test").Passes())
	require.Equal(t, []any{"success", run.Jobs["lint"]}, []any{w.run().Conclusion, w.run().Jobs["lint"]})
	require.ErrorContains(t, ci.Reruns(), "no job failed")

	require.ErrorContains(t, ci.Cancels(), "does not run")
	require.NoError(t, ci.Starts("test"))
	require.NoError(t, ci.Cancels())
	require.Equal(t, "cancelled", w.run().Conclusion)
	require.NoError(t, ci.Workflow("other.yml").CannotStart())
	require.Equal(t, "startup_failure", w.run().Conclusion)
	require.NoError(t, ci.Workflow("one.yml").Job("only").Ends(JobEnd{Conclusion: "skipped"}))
	require.Nil(t, w.core.State.CI.Jobs[w.run().Jobs["only"]].Log.Open, "it has no log")
	require.ErrorContains(t, w.CI(repo, "none").Cancels(), "no commit")
	require.NoError(t, ci.Job("test").LogExpires())
	require.NoError(t, ci.Job("test").LogBreaksOff(9))
	log := w.core.State.CI.Jobs[number(w.WorkflowRuns(repo))(t)[1].Jobs["test"]].Log
	require.Equal(t, []any{true, int64(9)}, []any{log.Expired, log.Cut})
}

// run returns the newest run of a workflow.
func (w *world) run() WorkflowRun {
	w.t.Helper()
	list := number(w.WorkflowRuns(repo))(w.t)
	return list[len(list)-1]
}

func conclusions(steps []entity.Step) (list []string) {
	for _, st := range steps {
		list = append(list, st.Conclusion)
	}
	return list
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
	require.NoError(t, w.CI(repo, w.repo().Git.Branch("main")).Status("c", "success", "", ""))
	var now []string
	for _, st := range w.CurrentStatuses(w.repo(), sha) {
		now = append(now, st.Context+" "+st.State)
	}
	require.Equal(t, []string{"a success", "b error"}, now)
	for _, c := range []Check{{App: "lint", Name: "x"}, {App: "lint", Name: "x", Conclusion: "failure", Summary: "s"},
		{App: "lint", Name: "x", Conclusion: "success"}} {
		require.NoError(t, ci.Check(c))
	}
	suite := suites{w.core}.SuiteFor(w.repo(), sha, suites{w.core}.IntegrationOf("lint"))
	require.Len(t, w.RunsOf(suite), 2)
	require.Equal(t, "s", *w.RunsOf(suite)[0].Summary)
	w.check("own")
	require.Equal(t, "own", number(w.CheckRuns(repo))(t)[0].Name)
}

func TestWhatStartsAWorkflow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const inputs = "name: Deploy\non:\n  push:\n  workflow_dispatch:\n    inputs:\n      where: {required: true}\n" +
		"      how: {required: true, default: fast}\n      why: {}\n"
	for file, c := range map[string]struct {
		yaml string
		has  bool
	}{"a.yml": {"on: workflow_dispatch\n", true}, "b.yml": {"on: [push, workflow_dispatch]\n", true},
		"c.yml": {"on: push\n", false}, "d.yml": {"on: [push]\n", false}, "e.yml": {"on: {push: }\n", false},
		"f.yml": {"on: [\n", false}, "deploy.yml": {inputs, true}} {
		require.NoError(t, failed(w.Push(repo, "main", map[string]string{WorkflowFolder + file: c.yaml}, "More\n")))
		f, has := w.WorkflowFileAt(w.repo(), "refs/heads/main", WorkflowFolder+file)
		require.True(t, has)
		_, has = f.Trigger()
		require.Equal(t, c.has, has, file)
	}
	f, _ := w.WorkflowFileAt(w.repo(), "refs/heads/main", WorkflowFolder+"deploy.yml")
	d, _ := f.Trigger()
	require.NoError(t, d.Check(map[string]any{"where": "here"}))
	require.ErrorContains(t, d.Check(nil), "Required input 'where' not provided")
	require.ErrorContains(t, d.Check(map[string]any{"where": "here", "z": 1, "y": 1}),
		`Unexpected inputs provided: ["y", "z"]`)
	workflow := w.WorkflowOf(w.repo(), "deploy.yml")
	require.Equal(t, "Deploy", workflow.Name)
	require.Equal(t, WorkflowFolder+"none.yml", w.WorkflowOf(w.repo(), "none.yml").Name)
	require.NoError(t, w.SetWorkflow(repo, "deploy.yml", false))
	require.True(t, workflow.Disabled)
	second := w.NewRun(workflow, w.repo().Git.Branch("main"), "push", w.user("owner"))
	require.Equal(t, 1, second.Number)
	require.Equal(t, 2, w.NewRun(workflow, second.Suite.SHA, "push", w.user("owner")).Number)
}

package bot

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/ci"
	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// readCI returns a world, a reader of what CI reports there, and a commit.
func readCI(t *testing.T) (*bottest.World, ciReader, string) {
	t.Helper()
	w := bottest.New(t)
	c := ciReader{ci: w.GitHub, repo: w.Repo.Ref(), logs: ci.NewReader(), log: slog.New(slog.DiscardHandler)}
	return w, c, w.Repo.Branch("main")
}

func TestOnlyWhatFailedIsAFailure(t *testing.T) {
	t.Parallel()
	w, ci, sha := readCI(t)
	w.CI(sha).Starts("test", "docs", "lint", "deploy", "slow", "skipped").Fails("test", "x").Passes("docs").
		Ends("deploy", "cancelled").Ends("slow", "timed_out").Ends("skipped", "skipped").Status("ci/other", "error", "")
	f, err := ci.checks(t.Context(), sha)
	require.NoError(t, err)
	var names []string
	for _, one := range f.failed {
		names = append(names, one.Name)
	}
	require.Equal(t, []string{"test", "slow", "ci/other"}, names)
	require.Equal(t, []string{"lint"}, f.named(port.CheckPending))
	require.Empty(t, f.fingerprint(), "the logs were not read")
	f, err = ci.explain(t.Context(), f)
	require.NoError(t, err)
	require.NotEmpty(t, f.fingerprint())
	require.Equal(t, record.LogRead, f.failed[0].log)
	require.Empty(t, f.failed[2].log, "a status has none")
}

func TestTheFailuresOfAWorkflowRunAreThoseOfItsJobs(t *testing.T) {
	t.Parallel()
	w, ci, sha := readCI(t)
	w.CI(sha).Starts("test", "docs", "lint").Fails("test", "--- FAIL: TestHello\n").Passes("docs").
		Fails("lint", "x").LosesLog("lint").
		In("other.yml").Fails("elsewhere", "y")
	all, err := ci.checks(t.Context(), sha)
	require.NoError(t, err)
	f, err := ci.ofWorkflow(t.Context(), sha, all.failed[0].check.WorkflowRun)
	require.NoError(t, err)
	require.Len(t, f.failed, 2)
	shown := f.shown(everything)
	require.Equal(t, "test", shown.prompt.Failed[0].Name)
	require.Contains(t, shown.prompt.Failed[0].Output, "FAIL: TestHello")
	require.Equal(t, record.LogGone, shown.recorded.Failed[1].Log)

	may := bottest.Permissions()
	delete(may, "actions")
	w.GitHub.Grant("acme", may)
	f, err = ci.ofWorkflow(t.Context(), sha, all.failed[0].check.WorkflowRun)
	require.NoError(t, err)
	require.Equal(t, []string{"actions: read"}, f.missing)
	require.Nil(t, f.shown(everything).prompt)
}

func TestTheButtonFixIsThereWhileCIHasFailed(t *testing.T) {
	t.Parallel()
	w, _, sha := readCI(t)
	id, err := w.GitHub.CreateCheck(t.Context(), w.Repo.Ref(), port.Check{Name: port.CheckName, SHA: sha,
		Status:     "completed",
		Conclusion: "success", Title: "Done", Summary: "Done"})
	require.NoError(t, err)
	b := &Bot{GitHub: w.GitHub, Log: slog.New(slog.DiscardHandler)}
	fix, _ := command.Lookup(command.Fix)
	allowed := func(string) bool { return true }
	ev := port.Event{Repo: w.Repo.Ref()}
	verbs := func() (list []string) {
		for _, button := range w.Repo.CheckRuns()[0].Buttons {
			list = append(list, button.Verb)
		}
		return list
	}
	rec := record.Record{Committed: &record.Committed{SHA: sha}, CheckClosed: &id}
	require.NoError(t, b.offerFix(t.Context(), ev, rec, fix, true, allowed))
	require.Equal(t, []string{"undo", "fix"}, verbs())
	require.Equal(t, "Done", w.Repo.CheckRuns()[0].Title, "nothing else changes")
	require.NoError(t, b.offerFix(t.Context(), ev, rec, fix, false, allowed))
	require.Equal(t, []string{"undo"}, verbs(), "somebody had CI run again, and it passed")
	calls := len(w.Calls("UpdateCheck"))
	require.NoError(t, b.offerFix(t.Context(), ev, record.Record{Committed: rec.Committed}, fix, true, allowed))
	require.Len(t, w.Calls("UpdateCheck"), calls, "GitHub took no check")
	w.Before("UpdateCheck").Fail(bottest.Permanent("no"))
	require.NoError(t, b.offerFix(t.Context(), ev, rec, fix, true, allowed), "it is a convenience")
	w.Before("UpdateCheck").Fail(bottest.Retryable(0))
	require.Error(t, b.offerFix(t.Context(), ev, rec, fix, true, allowed), "which is possible later")
}

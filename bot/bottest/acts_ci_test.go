package bottest_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// follower follows the commits that it is told of, and notes when it looks at one.
type follower struct {
	w     *bottest.World
	looks []time.Time
}

func (f *follower) Handle(ctx context.Context, ev port.Event) error {
	if ev.Kind != port.Following {
		return f.w.Queue.Follow(ctx, follow(f.w, f.w.Repo.Branch("speed")))
	}
	f.looks = append(f.looks, f.w.Clock.Now())
	return nil
}

func (f *follower) DeadLetter(context.Context, port.Event, error) error { return nil }
func (f *follower) NotifyQueued(context.Context, port.Event, port.Event) (bool, error) {
	return true, nil
}

func follow(w *bottest.World, sha string) port.Event {
	return port.Event{Delivery: "follow-" + sha, Kind: port.Following, Repo: w.Repo.Ref(),
		Followed: &port.Followed{Commit: sha, Branch: "speed", Run: "abc"}}
}

// newFollower returns a world in which the tip of a pull request's branch is followed.
func newFollower(t *testing.T) (*bottest.World, *follower, string) {
	t.Helper()
	w := bottest.New(t)
	f := &follower{w: w}
	w.Handler = f
	w.Pull("speed", map[string]string{"speed.txt": "fast\n"}).Comment("maria", "/tenon fix it")
	w.Run()
	return w, f, w.Repo.Branch("speed")
}

func TestCIReportsWhenAllOfAWorkflowHasEnded(t *testing.T) {
	t.Parallel()
	w, f, sha := newFollower(t)
	ci := w.CI(sha).Starts("test", "lint").Fails("test", "oh\n")
	w.Run()
	require.Empty(t, f.looks, "lint runs")
	ci.In("docs.yml").Passes("docs")
	w.Run()
	require.Len(t, f.looks, 1, "another workflow has ended")
	ci.Passes("lint")
	w.Run()
	require.Len(t, f.looks, 2)
	ci.Status("deploy", "pending", "")
	w.Run()
	require.Len(t, f.looks, 2, "a status that is pending reports nothing")
	ci.Status("deploy", "success", "")
	w.Run()
	require.Len(t, f.looks, 3)
	ci.Check("inspector", "Inspection", "", "")
	w.Run()
	require.Len(t, f.looks, 3)
	ci.Check("inspector", "Inspection", "success", "").Reruns()
	w.Run()
	require.Len(t, f.looks, 4)
	w.Repo.Mute(true)
	ci.Passes("test")
	w.Run()
	require.Len(t, f.looks, 4)
	w.Repo.Mute(false)
	ci.Reports()
	w.Run()
	require.Len(t, f.looks, 5)
}

func TestRunDoesNotWaitForACIThatIsSilent(t *testing.T) {
	t.Parallel()
	w, f, _ := newFollower(t)
	before := w.Clock.Now()
	w.Run()
	require.Equal(t, before, w.Clock.Now())
	w.RunFor(time.Hour)
	require.Len(t, f.looks, 1)
}

func TestCIPlaysWhatIsSetForTheAppsCommits(t *testing.T) {
	t.Parallel()
	w, f, sha := newFollower(t)
	w.Repo.CIWill(func(ci *bottest.CI) { ci.Fails("test", "oh\n") }, func(ci *bottest.CI) { ci.Passes("test") })
	commit := func(branch, text string) string {
		t.Helper()
		made, err := w.GitHub.Upload(t.Context(), w.Repo.Ref(), port.Upload{Branch: branch, Parent: w.Repo.Branch(branch),
			Tree: w.Repo.TreeID(w.Repo.Branch(branch)), Message: "Be fast",
			Changes: []port.Change{{Path: "speed.txt", Mode: "100644", Data: []byte(text)}}})
		require.NoError(t, err)
		return made
	}
	w.Repo.SetBranch("tenon/verify-abc", sha)
	scratch := commit("tenon/verify-abc", "scratch\n")
	for _, want := range []port.CheckOutcome{port.CheckFailed, port.CheckPassed} {
		made := commit("speed", string(want))
		require.NoError(t, w.Queue.Follow(t.Context(), follow(w, made)))
		w.Run()
		got, err := w.GitHub.CommitChecks(t.Context(), w.Repo.Ref(), made)
		require.NoError(t, err)
		require.Equal(t, want, got.Checks[0].Outcome)
	}
	require.Len(t, f.looks, 2)
	got, err := w.GitHub.CommitChecks(t.Context(), w.Repo.Ref(), scratch)
	require.NoError(t, err)
	require.Empty(t, got.Checks)
}

func TestAStartedWorkflowPlaysWhatIsSetForIt(t *testing.T) {
	t.Parallel()
	w, _, _ := newFollower(t)
	w.GitHub.Grant("acme", bottest.Permissions("actions:write"))
	w.Repo.Workflow("verify.yml", func(ci *bottest.CI) { ci.Fails("verify", "oh\n") })
	sha := w.Repo.Branch("speed")
	for _, want := range []port.CheckOutcome{port.CheckFailed, port.CheckPending} {
		require.NoError(t, w.GitHub.StartWorkflow(t.Context(), w.Repo.Ref(), "verify.yml", "speed"))
		w.Run()
		got, ok, err := w.GitHub.WorkflowRun(t.Context(), w.Repo.Ref(), "verify.yml", sha)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, want, got.Outcome)
	}
}

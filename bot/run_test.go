package bot

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// reactedGitHub lets everybody write, and notes where it gets a reaction.
type reactedGitHub struct {
	bareGitHub
	at chan string
}

func (*reactedGitHub) Prepare(port.RepoRef, port.Purpose) {}

func (g *reactedGitHub) Permission(context.Context, port.RepoRef, string) (port.Permission, error) {
	return port.PermissionWrite, nil
}

func (g *reactedGitHub) React(_ context.Context, r port.RepoRef, _ port.Comment, _ port.Reaction) error {
	g.at <- r.Name
	return nil
}

// acknowledgedQueue records nothing.
type acknowledgedQueue struct{ port.ThreadQueue }

func (acknowledgedQueue) Acknowledged(context.Context, port.Event) error { return nil }

// The command, which goes on at the same time, may find that the repository has another name now.
func TestTheFirstReactionGoesWhereTheCommandWasGiven(t *testing.T) {
	t.Parallel()
	github := &reactedGitHub{at: make(chan string, 1)}
	r := runOf(t, unconfigured(github), fixEvent())
	require.NoError(t, r.serve(t.Context(), func(_ context.Context, r *run) error {
		r.ev.Repo.Name = "renamed"
		return nil
	}))
	require.Equal(t, "lathe", <-github.at)
}

// renamedGitHub has a repository that was renamed.
type renamedGitHub struct{ reactedGitHub }

func (*renamedGitHub) Issue(_ context.Context, r port.RepoRef, number int) (port.Issue, error) {
	return port.Issue{Number: number, State: "open", Repo: r.Owner + "/spindle"}, nil
}

func (*renamedGitHub) Repository(_ context.Context, r port.RepoRef) (port.RepoRef, error) {
	r.Name = "spindle"
	return r, nil
}

func TestACommandOnAnIssueIsCarriedOutUnderThePresentNameOfItsRepository(t *testing.T) {
	t.Parallel()
	ev := fixEvent()
	ev.Thread.Pull = false
	r := runOf(t, unconfigured(&renamedGitHub{reactedGitHub{at: make(chan string, 1)}}), ev)
	var names []string
	require.NoError(t, r.serve(t.Context(), func(_ context.Context, r *run) error {
		names = []string{r.ev.Repo.Name, r.files.repo.Name, r.people.repo.Name}
		return nil
	}))
	require.Equal(t, []string{"spindle", "spindle", "spindle"}, names)
}

// countedSlot counts the goroutines of a run that have its slot.
type countedSlot struct{ atomic.Int64 }

func (s *countedSlot) Enter() { s.Add(1) }

func (s *countedSlot) Leave() { s.Add(-1) }

func TestARunWaitsForItsGoroutinesWithoutItsSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slot := &countedSlot{}
		slot.Enter()
		var beside int64
		require.NoError(t, port.Together(port.WithSlot(t.Context(), slot), func() error {
			synctest.Wait() // until the run waits for this goroutine
			beside = slot.Load() - 1
			return nil
		}))
		require.Zero(t, beside)
		require.Equal(t, int64(1), slot.Load())
	})
}

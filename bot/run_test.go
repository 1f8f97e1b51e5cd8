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
	siblingGitHub
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
	r := runOf(t, configured(&settingsRepos{}, github), fixEvent())
	require.NoError(t, r.serve(t.Context(), func(_ context.Context, r *run) error {
		r.ev.Repo.Name = "renamed"
		return nil
	}))
	require.Equal(t, "lathe", <-github.at)
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
		require.NoError(t, together(port.WithSlot(t.Context(), slot), func() error {
			synctest.Wait() // until the run waits for this goroutine
			beside = slot.Load() - 1
			return nil
		}))
		require.Zero(t, beside)
		require.Equal(t, int64(1), slot.Load())
	})
}

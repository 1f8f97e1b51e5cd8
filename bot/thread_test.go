package bot

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// waitingQueue is a queue in which so many commands wait.
type waitingQueue struct {
	port.ThreadQueue
	waiting int
}

func (q waitingQueue) Queued(context.Context, port.Event) ([]port.QueuedEvent, error) {
	return make([]port.QueuedEvent, q.waiting), nil
}

// mergedPull is a GitHub with a pull request that is merged.
type mergedPull struct{ port.GitHub }

func (mergedPull) PullRequest(context.Context, port.RepoRef, int) (port.PullRequest, error) {
	return port.PullRequest{Merged: true}, nil
}

func TestWhatHappenedMeanwhileIsNotHiddenByALongQueue(t *testing.T) {
	t.Parallel()
	for waiting, want := range map[int]threadState{0: {}, fullQueue - 1: {}, fullQueue: pullMerged} {
		th := thread{queue: waitingQueue{waiting: waiting}, github: mergedPull{}, ev: fixEvent()}
		state, err := th.stateSince(t.Context(), record.Target{})
		require.NoError(t, err)
		require.Equal(t, want, state)
	}
}

package bot

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// pastLine is what else a line is for.
type pastLine struct{ Line }

// crowd is a line in which so many commands wait.
type crowd struct {
	pastLine
	waiting int
}

func (c crowd) Line(context.Context, Event) ([]Waiting, error) {
	return make([]Waiting, c.waiting), nil
}

// mergedPull knows a pull request that is merged.
type mergedPull struct{ GitHub }

func (mergedPull) PullRequest(context.Context, RepoRef, int) (PullRequest, error) {
	return PullRequest{Merged: true}, nil
}

func TestWhatHappenedMeanwhileIsNotHiddenByALongLine(t *testing.T) {
	t.Parallel()
	for waiting, want := range map[int]closed{0: {}, fullLine - 1: {}, fullLine: isMerged} {
		s := &session{Bot: &Bot{Line: crowd{waiting: waiting}, GitHub: mergedPull{}}, journal: journalOf(Run{}), ev: Event{Thread: Thread{Number: 1, Pull: true}}}
		why, err := s.closedMeanwhile(t.Context(), target{})
		require.NoError(t, err)
		require.Equal(t, want, why)
	}
}

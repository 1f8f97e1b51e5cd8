package bot_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port/repo"
)

// Files are selected when there is room in memory for it, which is given up before the model is asked.
func TestFilesAreSelectedWhenThereIsRoomInMemory(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NEED: greet.go\n", goodbye)
	admitted, inUse := 0, 0
	s.bot.Admit = func(context.Context, repo.Checkout) (func(), error) {
		require.Zero(t, inUse, "nobody asks for room while having some")
		admitted, inUse = admitted+1, inUse+1
		return func() { inUse-- }, nil
	}
	s.Before("Complete").Every().Do(func() { require.Zero(t, inUse) })
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Equal(t, 2, admitted, "for the first question, and for what the model asks to see")
	require.Zero(t, inUse)
}

func TestACommandThatNoLongerWaitsForMemoryAsksNoModel(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.bot.Admit = func(context.Context, repo.Checkout) (func(), error) { return nil, errors.New("the server stops") }
	require.NotEqual(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Empty(t, s.Model.Questions())
}

package main

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"runtime/debug"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
	"github.com/tenon-bot/tenon/internal/memory"
)

// The limit is the process's, so that this test is not parallel; it is too high to be noticed by others.
func TestTheMemoryLimitIsThatOfTheCgroupUnlessTheOperatorSetOne(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	log := slog.New(slog.DiscardHandler)

	limitMemory(t.Context(), memlimit.Limit(40<<30), log)
	require.EqualValues(t, 36<<30, debug.SetMemoryLimit(-1))

	limitMemory(t.Context(), func() (uint64, error) { return 0, errors.New("no cgroups here") }, log)
	require.EqualValues(t, 36<<30, debug.SetMemoryLimit(-1), "nothing is set")

	limitMemory(t.Context(), func() (uint64, error) { return 0, memlimit.ErrNoLimit }, log)
	require.EqualValues(t, int64(math.MaxInt64), debug.SetMemoryLimit(-1))

	t.Setenv("GOMEMLIMIT", "30GiB")
	limitMemory(t.Context(), memlimit.Limit(40<<30), log)
	require.EqualValues(t, int64(math.MaxInt64), debug.SetMemoryLimit(-1), "the runtime has read the operator's already")
}

func TestTwoLargeCheckoutsAreNotSelectedFromAtOnce(t *testing.T) {
	t.Parallel()
	server := gittest.New(t)
	files := map[string]string{"a.txt": "a\n", "b/c.txt": "c\n", "b/d.txt": "d\n"} // and a folder
	tip := server.Create(t, "acme/anvil").Commit("main", gittest.Files(files))
	repos := gitrepo.New(gitrepo.Options{BaseURL: server.URL})
	c, err := repos.Open(t.Context(), port.RepoRef{Owner: "acme", Name: "anvil"}, "refs/heads/main", tip)
	require.NoError(t, err)

	admit := admitCheckouts(memory.NewBudget(7 * selectionBytes))
	release, err := admit(t.Context(), c)
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = admit(ended, c)
	require.ErrorIs(t, err, context.Canceled, "there is room for one")
	release()
	release, err = admit(t.Context(), c)
	require.NoError(t, err)
	release()

	admit = admitCheckouts(memory.NewBudget(8 * selectionBytes))
	for range 2 {
		release, err = admit(t.Context(), c)
		require.NoError(t, err, "there is room for two")
		defer release()
	}
}

package main

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"runtime/debug"
	"testing"
	"testing/synctest"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
	"github.com/tenon-bot/tenon/internal/memory"
	"github.com/tenon-bot/tenon/internal/schedule"
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

// Not parallel, as what is set is the process's.
func TestGarbageIsCollectedSoonerUnlessTheOperatorSaysWhen(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	for gogc, want := range map[string]int{"": garbagePercent, "100": 100, "off": 100} {
		collectSooner(source([]string{"GOGC=" + gogc}))
		require.Equal(t, want, debug.SetGCPercent(100), "Go itself obeys %q", gogc)
	}
}

func TestTwoLargeCheckoutsAreNotSelectedFromAtOnce(t *testing.T) {
	t.Parallel()
	server := gittest.New(t)
	files := map[string]string{"a.txt": "a\n", "b/c.txt": "c\n", "b/d.txt": "d\n"} // and a folder
	tip := server.Create(t, "acme/anvil").Commit("main", gittest.Files(files))
	repos := gitrepo.New(gitrepo.Options{BaseURL: server.URL})
	c, err := repos.Open(t.Context(), port.RepoRef{Owner: "acme", Name: "anvil"}, "refs/heads/main", tip)
	require.NoError(t, err)

	admit := admitTo(memory.NewBudget(7 * selectionBytes)).ofCheckouts()
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

	admit = admitTo(memory.NewBudget(8 * selectionBytes)).ofCheckouts()
	for range 2 {
		release, err = admit(t.Context(), c)
		require.NoError(t, err, "there is room for two")
		defer release()
	}
}

// Who waits for memory lets others work, of which one may have that memory.
func TestARunWaitsForMemoryWithoutItsSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		admit, slots := admitTo(memory.NewBudget(100)), schedule.New(2, 1)
		run := func(work func(ctx context.Context)) {
			_ = slots.Run(context.Background(), 1, func(ctx context.Context) error { work(ctx); return nil })
		}
		run(func(ctx context.Context) {
			release, err := admit(ctx, 100)
			require.NoError(t, err)
			another := make(chan struct{})
			go func() {
				defer close(another)
				run(func(ctx context.Context) {
					released, err := admit(ctx, 100)
					require.NoError(t, err)
					released()
				})
			}()
			port.Waiting(ctx, synctest.Wait)
			require.Equal(t, 1, slots.Load().Working, "the other one waits for memory")
			release()
			port.Waiting(ctx, func() { <-another })
		})
	})
}

package main

import (
	"errors"
	"log/slog"
	"math"
	"runtime/debug"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/stretchr/testify/require"
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

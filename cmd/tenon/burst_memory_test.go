package main

import (
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// inUse returns the memory that is in use, in KiB.
func inUse() int {
	runtime.GC()
	runtime.GC() // what pools had
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int((m.HeapAlloc + m.StackInuse) >> 10)
}

// The memory is that of the process, so no other test may run beside this one.
func TestARunThatWaitsForTheModelTakesLittleMemory(t *testing.T) { //nolint:paralleltest // as said above
	synctest.Test(t, func(t *testing.T) {
		s := newBurstStage(t, 1)
		s.model.takes = 30 * time.Second
		alone := s.play(s.workers(*loadRuns))
		s.events = nil
		for left := *loadRuns; left > 0; left -= *loadEach { // GitHub's limits of one installation would delay its runs
			s.events = append(s.events, s.install(fmt.Sprint("acme-", left), min(left, *loadEach), "/tenon fix `main.go`")...)
		}
		before, memory, waiting := inUse(), 0, 0
		time.AfterFunc(alone/2, func() {
			s.model.mu.Lock()
			waiting = s.model.waiting
			s.model.mu.Unlock()
			memory = inUse() - before
		})
		s.play(s.workers(*loadRuns))
		require.GreaterOrEqual(t, waiting, *loadRuns-*loadRuns/keptPart, "all workers but those kept for newcomers")
		t.Logf("waiting runs=%d mb=%d kb_per_run=%d", waiting, memory>>10, memory/waiting)
		require.LessOrEqual(t, memory/waiting, 1<<10)
	})
}

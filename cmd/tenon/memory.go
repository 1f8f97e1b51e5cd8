package main

import (
	"context"
	"log/slog"
	"math"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/memory"
)

// limitMemory sets Go's soft limit of memory to nine tenths of what the process's cgroup, as of a container, allows:
// near that, garbage is collected more often, instead of the kernel ending the process. An operator's own GOMEMLIMIT
// is left as it is. cgroup returns the cgroup's limit; it is memlimit.FromCgroup outside of tests.
func limitMemory(ctx context.Context, cgroup memlimit.Provider, log *slog.Logger) {
	limit, err := memlimit.Set(memlimit.WithProvider(cgroup))
	switch {
	case err != nil:
		// There are no cgroups outside of Linux, and not everywhere in it.
		log.DebugContext(ctx, "the memory limit of the cgroup is not known, so none is set", "error", err)
	case limit < math.MaxInt64:
		log.InfoContext(ctx, "memory is limited", "gomemlimit_bytes", limit)
	}
}

// garbagePercent is by how much the memory in use grows until garbage is collected. With Go's 100, eight commands in a
// repository of 300,000 files took a sixth more memory, and a burst of small ones as much processor time.
const garbagePercent = 50

// collectSooner sets garbagePercent, unless the operator has set GOGC.
func collectSooner(src config.Source) {
	if !config.SetsGarbagePercent(src) {
		debug.SetGCPercent(garbagePercent)
	}
}

// admission waits until there is room in memory for work that takes about so many bytes.
type admission func(ctx context.Context, bytes int64) (release func(), err error)

// newAdmission returns an admission to a budget of the memory that Go may use.
func newAdmission() admission {
	return admitTo(memory.NewBudget(memory.Share(debug.SetMemoryLimit(-1))))
}

// admitTo returns an admission to a budget, for which a run waits without its slot.
func admitTo(b *memory.Budget) admission {
	return func(ctx context.Context, bytes int64) (release func(), err error) {
		port.Waiting(ctx, func() { release, err = b.Admit(ctx, bytes) })
		return release, err
	}
}

// selectionBytes is what selecting files takes for each file and folder of a repository, measured with 300,000 of them.
const selectionBytes = 256

// ofCheckouts returns what waits until there is room to select files of a checkout.
func (admit admission) ofCheckouts() func(context.Context, repo.Checkout) (release func(), err error) {
	return func(ctx context.Context, c repo.Checkout) (func(), error) {
		clone, ok := c.(*gitrepo.Checkout)
		if !ok {
			return func() {}, nil
		}
		return admit(ctx, int64(clone.Size())*selectionBytes)
	}
}

package main

import (
	"context"
	"log/slog"
	"math"

	"github.com/KimMachineGun/automemlimit/memlimit"
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

// Package memory keeps the memory of the program within bounds: what takes much is admitted by its estimated size, and
// what a peak took is returned.
package memory

import (
	"context"
	"math"

	"golang.org/x/sync/semaphore"
)

// Budget admits work by the memory that it takes, as long as that of all together is within the budget. Work that alone
// takes more than all of it is admitted when nothing else is. Who waited longest comes first, but for work that takes
// little, which never waits. Safe for concurrent use.
type Budget struct {
	bytes int64
	taken *semaphore.Weighted
}

// littlePart is the part of a budget that is too little to be counted.
const littlePart = 16

// NewBudget returns a budget of so many bytes, at least one.
func NewBudget(bytes int64) *Budget {
	bytes = max(bytes, 1)
	return &Budget{bytes, semaphore.NewWeighted(bytes)}
}

// Admit waits until there is room for work that takes about so many bytes, or ctx ends, whose error it returns. release
// must be called when the work is done. Who was admitted must not ask the same budget again before that.
func (b *Budget) Admit(ctx context.Context, bytes int64) (release func(), err error) {
	if bytes < b.bytes/littlePart {
		return func() {}, ctx.Err()
	}
	bytes = min(bytes, b.bytes)
	if err := b.taken.Acquire(ctx, bytes); err != nil {
		return nil, err
	}
	return func() { b.taken.Release(bytes) }, nil
}

// Bounds of a share.
const (
	leastShare   = 32 << 20
	mostShare    = 2 << 30
	withoutLimit = 256 << 20
)

// Share returns how much of Go's memory limit one budget may admit: a quarter, as garbage takes as much again, and
// caches and all else need room too. math.MaxInt64 is no limit.
func Share(limit int64) int64 {
	if limit == math.MaxInt64 {
		return withoutLimit
	}
	return min(max(limit/4, leastShare), mostShare)
}

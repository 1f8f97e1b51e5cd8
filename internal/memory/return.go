package memory

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// The runtime returns memory slowly, and collects garbage only when more is allocated: after a peak it keeps twice what
// is in use for minutes.
const (
	// returnEvery is how often Return looks.
	returnEvery = 10 * time.Second
	// quietBytes is how much a program allocates at most in that time that has little to do. It is far less than a command
	// in a large repository allocates, and so is peakBytes, from which on there is something to return.
	quietBytes = 16 << 20
	peakBytes  = 64 << 20
)

// Return returns memory to the operating system when the program has little to do after it had much to do, until ctx
// ends.
func Return(ctx context.Context) { returnTo(ctx, allocated, debug.FreeOSMemory) }

// allocated returns how many bytes were ever allocated.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func returnTo(ctx context.Context, allocated func() uint64, free func()) {
	ticker := time.NewTicker(returnEvery)
	defer ticker.Stop()
	before := allocated()
	returned := before
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now := allocated()
		if now-before < quietBytes && now-returned >= peakBytes {
			free()
			returned = now
		}
		before = now
	}
}

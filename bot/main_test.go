package bot_test

import (
	"runtime/debug"
	"testing"
)

// TestMain lets the heap grow to five times of what is used before garbage is collected: each story makes a world,
// which is garbage when it ends.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

package lexer

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime returns the time that the present thread has had a processor. See clock_gettime(2).
func threadTime() time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) // it fails only for clocks that there are not
	return time.Duration(t.Nano())
}

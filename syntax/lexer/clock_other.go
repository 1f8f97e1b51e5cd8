//go:build !linux

package lexer

import "time"

var start = time.Now()

// threadTime returns the time that has passed, in which the present thread may have waited for a processor.
func threadTime() time.Duration { return time.Since(start) }

package edit

import (
	"time"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/syntax"
)

// Bounds on the checks of one application. 80 files of 20 kB take at most 10 s: 3 µs per byte, twice, in the languages
// that are slowest to split. One file takes at most about 2 s, whatever it contains.
const (
	maxChecked  = 32 << 20 // bytes, before and after edits
	maxChecking = 20 * time.Second
)

// NewVerify returns a function for the files of one application: it returns what is wrong with a file after edits and
// was not before; before is nil for a new file. It checks files up to 32 MiB together, before and after, and begins no
// check after 20 s of checking; of the files beyond it says nothing. It is not safe for concurrent use.
func NewVerify() func(path string, before, after []byte) []engine.FileProblem {
	return verifyBy(time.Now)
}

func verifyBy(now func() time.Time) func(path string, before, after []byte) []engine.FileProblem {
	bytes, left := maxChecked, maxChecking
	return func(path string, before, after []byte) (problems []engine.FileProblem) {
		bytes -= len(before) + len(after)
		if bytes < 0 || left <= 0 {
			return nil
		}
		start := now()
		for _, p := range syntax.Check(path, before, after) {
			problems = append(problems,
				engine.FileProblem{Line: p.Line, Message: p.Message, Syntax: p.Kind == syntax.Syntax})
		}
		left -= now().Sub(start)
		return problems
	}
}

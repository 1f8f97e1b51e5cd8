package edit

import (
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/meter"
	"github.com/tenon-bot/tenon/syntax"
)

// NewVerify returns a function for the files of one application: it returns what is wrong with a file after edits and
// was not before; before is nil for a new file. What the checks cost is taken from w; of a file, or a part of its
// checks, for which not enough is left, it says nothing. It is not safe for concurrent use.
func NewVerify(w *meter.Work) func(path string, before, after []byte) []engine.FileProblem {
	return func(path string, before, after []byte) (problems []engine.FileProblem) {
		for _, p := range syntax.Check(w, path, before, after) {
			problems = append(problems,
				engine.FileProblem{Line: p.Line, Message: p.Message, Syntax: p.Kind == syntax.Syntax})
		}
		return problems
	}
}

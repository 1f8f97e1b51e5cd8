package edit

import (
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/syntax"
)

// Verify returns what is wrong with a file after edits and was not before. before is nil for a new file.
func Verify(path string, before, after []byte) (problems []engine.FileProblem) {
	for _, p := range syntax.Check(path, before, after) {
		problems = append(problems, engine.FileProblem{Line: p.Line, Message: p.Message, Syntax: p.Kind == syntax.Syntax})
	}
	return problems
}

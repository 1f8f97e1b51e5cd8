// Package sentence has the sentences that tell people why a command was refused, stopped or left something out, and
// what they can do about it. They are together so that they can be read, and edited, together. What others wrote,
// such as the name of a branch, is escaped here; an argument that is Markdown already is named link.
//
// A function that returns a *port.UserError makes the whole answer of a run. The others return a sentence, or the
// clause of one, as their names and comments say. Everything here is pure, and safe for concurrent use.
package sentence

import (
	"fmt"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// refusal returns the error that ends a run with a text.
func refusal(format string, args ...any) *port.UserError {
	return &port.UserError{Text: fmt.Sprintf(format, args...)}
}

// cell shows a name that others chose, of any length, as code.
func cell(name string) string { return markdown.Code(markdown.Clip(name, markdown.MaxCell)) }

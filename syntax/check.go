// Package syntax finds what edits broke in a file: syntax errors, definitions made twice, and text that belongs to an
// answer and not to the file. It is pure: it reads no disk, and asks no network and no clock.
package syntax

import (
	"bytes"
	"fmt"
)

// Kind says what a Problem is.
type Kind int

// The kinds of problems. The zero value is not a kind.
const (
	_ Kind = iota
	// Syntax: the file does not parse.
	Syntax
	// Redefined: a name is defined twice in one scope.
	Redefined
	// ConflictMarker: a line is a marker of an unresolved merge conflict.
	ConflictMarker
	// EditMarker: a line is a marker of an edit block.
	EditMarker
	// Placeholder: a line says that code was left out.
	Placeholder
)

// Problem is something that edits broke in a file.
type Problem struct {
	Kind Kind
	// Line is the line of the file after the edits, counted from 1.
	Line int
	// Message says what is wrong, in a phrase without line number or path.
	Message string
}

// Check returns the problems that a file has after edits and did not have before; before is nil for a new file. The
// path decides the language. Check is safe for concurrent use.
func Check(path string, before, after []byte) []Problem {
	return append(newMarkers(before, after), newFlaws(path, before, after)...)
}

// newMarkers finds the conflict markers that edits brought.
func newMarkers(before, after []byte) []Problem {
	var problems []Problem
	for i, line := range bytes.Split(after, []byte("\n")) {
		for _, marker := range []string{"<<<<<<< ", ">>>>>>> "} {
			if bytes.HasPrefix(line, []byte(marker)) && !bytes.Contains(before, line) {
				problems = append(problems, Problem{ConflictMarker, i + 1, fmt.Sprintf("merge conflict marker %q", marker)})
			}
		}
	}
	return problems
}

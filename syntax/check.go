// Package syntax finds what edits broke in a file: syntax errors, definitions made twice, and text that belongs to an
// answer and not to the file. It knows many languages, and reads no disk, no network and no clock.
package syntax

import (
	"bytes"

	"github.com/tenon-bot/tenon/meter"
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
	// Suspect: the file parses, but a quote, bracket or the like that it had is lost.
	Suspect
)

// Problem is something that edits broke in a file.
type Problem struct {
	Kind Kind
	// Line is the line of the file after the edits, counted from 1.
	Line int
	// Message says what is wrong, in a phrase without line number or path.
	Message string
}

// MaxBytes is the size of the largest file that is checked; a larger one has no problems. Some parsers have a lower
// bound.
const MaxBytes = 1 << 20

// bytesReadPerUnit is how many bytes are looked at for markers in the time of one unit of work.
const bytesReadPerUnit = 3

// Check returns the problems that a file has after edits and did not have before; before is nil or blank for a new
// file. The path decides the language. A file of more than MaxBytes, before or after, is not checked, nor is one that
// is not text. Checking takes from w what it costs: a unit for three bytes, and for what is parsed or split into tokens
// up to some 60 for each. A check for which not enough is left finds nothing. Check is safe for concurrent use with
// different works.
func Check(w *meter.Work, path string, before, after []byte) []Problem {
	reading := (len(before) + len(after)) / bytesReadPerUnit
	if len(before) > MaxBytes || len(after) > MaxBytes || !w.Affords(reading) {
		return nil
	}
	w.Spend(reading)
	if len(bytes.TrimSpace(before)) == 0 {
		before = nil
	}
	language := tokenLanguage(path, after)
	old, edited := newSplitFile(w, language, before), newSplitFile(w, language, after)
	problems := outsideStrings(newMarkers(path, before, after), edited)
	if g, ok := grammarOf(path, after); ok {
		found := newErrors(w, g, path, before, after)
		problems = append(problems, found...)
	} else if isComponent(language) {
		problems = append(problems, newInSections(w, before, after)...)
	} else {
		problems = append(problems, newFlaws(old, edited)...)
	}
	return append(problems, redefinitions(old, edited)...)
}

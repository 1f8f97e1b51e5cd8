// Package syntax finds what edits broke in a file: syntax errors, definitions made twice, and text that belongs to an
// answer and not to the file. It knows many languages, and reads no disk, no network and no clock.
package syntax

import (
	"bytes"
	"slices"

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

// Result is what is known of a file after edits.
type Result struct {
	// Problems are what the file did not have before.
	Problems []Problem
	// Unchecked is why they need not be all: the file was not checked for syntax. It is empty if it was.
	Unchecked Unchecked
}

// Unchecked is a stable code for why a file was not checked for syntax.
type Unchecked string

// The reasons why a file was not checked.
const (
	// TooLarge: the file, or a part of it, is larger than what is parsed.
	TooLarge Unchecked = "size"
	// TooCostly: too little work is left, or the text exceeds the bounds of its parser: on what is nested, on what is
	// repeated, or on the steps of a lexer.
	TooCostly Unchecked = "steps"
	// Undecided: the parser cannot tell. The file may be a template, written in a dialect, or broken on purpose.
	Undecided Unchecked = "undecided"
	// BrokenBefore: the file does not parse, and did not before, so that what the edits broke cannot be told.
	BrokenBefore Unchecked = "broken-before"
	// NotText: the file is not text in UTF-8.
	NotText Unchecked = "not-text"
	// NoParser: the language of the file, or of a part of it, is not known or has no parser.
	NoParser Unchecked = "no-parser"
)

// MaxBytes is the size of the largest file that is checked. Some parsers have a lower bound.
const MaxBytes = 1 << 20

// bytesReadPerUnit is how many bytes are looked at for markers in the time of one unit of work.
const bytesReadPerUnit = 3

// Check returns the problems that a file has after edits and did not have before, and why it could not be checked for
// syntax; before is nil or blank for a new file. The path decides the language. Of a file of more than MaxBytes, before
// or after, nothing is checked. In a file that is not checked for syntax, markers and definitions may be found all the
// same. A blank file has nothing to check. Checking takes from w what it costs: a unit for three bytes, and for what is
// parsed or split into tokens up to some 60 for each. Check is safe for concurrent use with different works.
func Check(w *meter.Work, path string, before, after []byte) Result {
	reading := (len(before) + len(after)) / bytesReadPerUnit
	switch {
	case len(before) > MaxBytes || len(after) > MaxBytes:
		return Result{Unchecked: TooLarge}
	case !w.Affords(reading):
		return Result{Unchecked: TooCostly}
	}
	w.Spend(reading)
	if isBlank(before) {
		before = nil
	}
	language := tokenLanguage(path, after)
	old, edited := newSplitFile(w, language, before), newSplitFile(w, language, after)
	markers := outsideStrings(newMarkers(path, before, after), edited)
	var parsed Result
	switch g, ok := grammarOf(path, after); {
	case isBlank(after):
	case ok:
		parsed = newErrors(w, g, path, before, after)
	case isComponent(language):
		parsed = newInSections(w, before, after)
	default:
		parsed = newFlaws(old, edited)
	}
	return Result{slices.Concat(markers, parsed.Problems, redefinitions(old, edited)), parsed.Unchecked}
}

func isBlank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// Package syntax finds what edits broke in a file: syntax errors, definitions made twice, and text that belongs to an
// answer and not to the file. It knows many languages, and reads no disk, no network and no clock.
package syntax

import (
	"bytes"
	"slices"

	"github.com/tenon-bot/tenon/meter"
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

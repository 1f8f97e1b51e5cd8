package syntax

import (
	"bytes"
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/meter"
)

// A verdict is what a parser says of a file. The zero value says nothing: a parser that cannot tell returns it.
type verdict struct {
	outcome outcome
	// unparsed is why the text was not parsed, if that is known.
	unparsed Unchecked
	// line, counted from 1, and message say where the first error of a broken file is, and what it is. A valid file may
	// have them too: then it says there something that nobody writes on purpose. That counts only if the file said
	// nothing of the kind before.
	line    int
	message string
	// lost and left say that the file is odd only if it had the text left with lost somewhere in it.
	lost, left string
}

type outcome int

const (
	unknown outcome = iota
	valid
	broken
)

// brokenAt returns the verdict on a file whose first error is in a line.
func brokenAt(line int, message string) verdict {
	return verdict{outcome: broken, line: line, message: message}
}

// oddAt returns the verdict on a valid file with something in a line that nobody writes on purpose.
func oddAt(line int, message string) verdict {
	return verdict{outcome: valid, line: line, message: message}
}

// maxLeft is the length of the longest text in which something that was lost is looked for, in bytes.
const maxLeft = 300

// wasIn reports whether what a file lost was there before.
func (v verdict) wasIn(before []byte) bool {
	if v.lost == "" {
		return true
	}
	if len(v.left) > maxLeft {
		return false
	}
	for i := range len(v.left) {
		if bytes.Contains(before, []byte(v.left[:i]+v.lost+v.left[i:])) {
			return true
		}
	}
	return false
}

// unchecked returns why nothing is known of a file, or "" if the verdict tells.
func (v verdict) unchecked() Unchecked {
	if v.outcome != unknown {
		return ""
	}
	return cmp.Or(v.unparsed, Undecided)
}

// flawless reports whether a file is valid, and has nothing odd.
func (v verdict) flawless() bool { return v.outcome == valid && v.message == "" }

// source is a file to parse: its text is UTF-8 without a byte order mark.
type source struct {
	path string
	text []byte
	// isNew reports whether the file did not exist before. Nothing shows then that it was ever written in the syntax
	// that its name promises.
	isNew bool
}

// lineOf returns the line, counted from 1, of an offset, which may lie behind the end of the text.
func (s source) lineOf(offset int) int {
	offset = max(0, min(offset, len(s.text)))
	return bytes.Count(s.text[:offset], []byte("\n")) + 1
}

// lastLine returns the number of the last line that is not blank.
func lastLine(text []byte) int {
	return bytes.Count(bytes.TrimRight(text, " \t\r\n"), []byte("\n")) + 1
}

// maxMessage is the length in bytes to which the message of a parser is cut.
const maxMessage = 200

// newErrors returns the error that a parser finds in after and not in before. It finds none where before was broken
// already, so that what is new cannot be told from what is old.
func newErrors(w *meter.Work, g grammar, path string, before, after []byte) Result {
	isNew := before == nil
	found := g.verdict(w, path, after, isNew)
	if found.outcome == unknown {
		return Result{Unchecked: found.unchecked()}
	}
	if found.flawless() || found.outcome == valid && isNew {
		return Result{}
	}
	if isNew && (brokenOnPurpose(path) || holdsActions(after)) {
		return Result{Unchecked: Undecided}
	}
	if !isNew {
		old := g.verdict(w, path, before, false)
		switch {
		case found.outcome == valid && (!old.flawless() || !found.wasIn(before)):
			return Result{}
		case old.outcome == broken:
			return Result{Unchecked: BrokenBefore}
		case old.outcome == unknown:
			return Result{Unchecked: old.unchecked()}
		}
	}
	// What the end of the file lacks is lacking in its last line that is not blank.
	line := max(1, min(found.line, lastLine(after)))
	kind := Syntax
	if found.outcome == valid {
		kind = Suspect
	}
	return Result{Problems: []Problem{{Kind: kind, Line: line, Message: shorten(found.message)}}}
}

// verdict runs the parser on a text that is within the bounds of the grammar and what is left of the work; a parser
// that panics has met a text that is too much for it.
func (g grammar) verdict(w *meter.Work, path string, text []byte, isNew bool) (v verdict) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if why := g.refuses(text); why != "" {
		return verdict{unparsed: why}
	}
	units := g.units(text)
	if !w.Affords(units) {
		return verdict{unparsed: TooCostly}
	}
	w.Spend(units)
	defer func() {
		if recover() != nil {
			v = verdict{unparsed: TooCostly}
		}
	}()
	return g.parse(source{path, text, isNew})
}

// refuses returns why a text is not parsed; "" if it is one, and within the bounds of the grammar.
func (g grammar) refuses(text []byte) Unchecked {
	switch {
	case len(text) > g.maxBytes:
		return TooLarge
	case bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text):
		return NotText
	case isBlank(text):
		return Undecided
	case g.bounds != nil && g.bounds.exceeded(text):
		return TooCostly
	}
	return ""
}

// shorten makes one line of at most maxMessage bytes out of a message.
func shorten(message string) string {
	message = strings.Join(strings.FieldsFunc(message, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if len(message) <= maxMessage {
		return message
	}
	message = message[:maxMessage-len("…")]
	for !utf8.ValidString(message) {
		message = message[:len(message)-1]
	}
	return message + "…"
}

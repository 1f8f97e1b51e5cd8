package edit

import (
	"fmt"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/meter"
	"github.com/tenon-bot/tenon/syntax"
)

// Verify says what is wrong with a file after edits and was not before, or why that is not known; before is nil for a
// new file.
type Verify func(path string, before, after []byte) engine.Verification

// NewVerify returns the function for the files of one application, which takes from w what its checks cost. It is not
// safe for concurrent use.
func NewVerify(w *meter.Work) Verify {
	return func(path string, before, after []byte) engine.Verification {
		found := syntax.Check(w, path, before, after)
		v := engine.Verification{Unchecked: string(found.Unchecked)}
		for _, p := range found.Problems {
			v.Problems = append(v.Problems,
				engine.FileProblem{Line: p.Line, Message: p.Message, Syntax: p.Kind == syntax.Syntax})
		}
		return v
	}
}

// RefusingUnchecked returns a Verify that also refuses files which could have been checked, were they not beyond a
// bound.
func (verify Verify) RefusingUnchecked() Verify {
	return func(path string, before, after []byte) engine.Verification {
		v := verify(path, before, after)
		if BeyondBounds(v.Unchecked) {
			v.Refused = fmt.Sprintf("The file was not checked for syntax (%s), and the settings say unchecked: refuse",
				UncheckedWords(v.Unchecked))
		}
		return v
	}
}

// BeyondBounds reports whether a file was not checked because it, or what its check would cost, is beyond a bound.
func BeyondBounds(unchecked string) bool {
	return unchecked == string(syntax.TooLarge) || unchecked == string(syntax.TooCostly)
}

// HasParser reports whether a file was not checked although its language has a parser.
func HasParser(unchecked string) bool {
	return unchecked != "" && unchecked != string(syntax.NoParser) && unchecked != string(syntax.NotText)
}

// UncheckedWords say in a few words why a file was not checked.
func UncheckedWords(unchecked string) string {
	switch syntax.Unchecked(unchecked) {
	case syntax.TooLarge:
		return "too large"
	case syntax.TooCostly:
		return "too much work"
	case syntax.Undecided:
		return "a template, or not in the language of its name"
	case syntax.BrokenBefore:
		return "it had a syntax error before the edits"
	case syntax.NotText:
		return "not text in UTF-8"
	case syntax.NoParser:
		return "no parser for its language"
	}
	return unchecked
}

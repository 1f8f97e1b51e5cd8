package engine

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// layout is where blanks and line breaks between tokens mean nothing in a language.
type layout struct {
	// free reports whether there may be something between x[i-1] and x[i] on one side and nothing, or a line break
	// instead of a blank, on the other.
	free func(x, y []significant, i int) bool
	// fixed are texts of pieces in which all blanks and line breaks may mean something.
	fixed []string
}

// layouts has the languages of which it is known. In others, such as Shell, YAML, TOML and Haskell, line breaks
// separate commands, values or statements in too many ways.
var layouts = map[lexer.Language]layout{
	"C": {free: anywhere}, "C++": {free: anywhere}, "Cuda": {free: anywhere}, "Objective-C": {free: anywhere},
	"Java": {free: anywhere}, "C#": {free: anywhere}, "Rust": {free: anywhere}, "Dart": {free: anywhere},
	"PHP": {anywhere, []string{"?>"}}, "Protocol Buffer": {free: anywhere}, "JSON": {free: anywhere},
	"JSON with Comments": {free: anywhere},
	"Go":                 {free: freeInGo},
	"JavaScript":         {freeInJavaScript, []string{"</", "/>"}},
	"TypeScript":         {freeInJavaScript, []string{"</", "/>"}},
	"TSX":                {freeInJavaScript, []string{"</", "/>"}},
	"Python":             {free: freeInPython}, "Starlark": {free: freeInPython},
	"Kotlin": {free: freeInBrackets}, "Gradle Kotlin DSL": {free: freeInBrackets}, "Lua": {free: freeInBrackets},
	"Ruby": {freeInBrackets, []string{"<<"}}, "Scala": {free: freeInBrackets}, "Swift": {free: freeInBrackets},
	"CSS": {freeInStyles, []string{"url("}}, "SCSS": {freeInStyles, []string{"url(", "#{"}},
	"Less": {freeInStyles, []string{"url(", "@{"}},
}

// isFixed reports whether all blanks and line breaks of lines may mean something.
func (l layout) isFixed(lines []string) bool {
	return slices.ContainsFunc(lines, func(s string) bool {
		return strings.HasSuffix(s, `\`) ||
			slices.ContainsFunc(l.fixed, func(text string) bool { return strings.Contains(s, text) })
	})
}

// mayDiffer reports whether the gaps before x[i] and y[i], which differ, mean the same. The tokens of both are equal.
func (l layout) mayDiffer(x, y []significant, i int) bool {
	before, after := x[i-1], x[i]
	for _, t := range []significant{before, y[i-1], after, y[i]} {
		if t.directive || t.kind == lexer.Directive || t.kind == lexer.Invalid {
			return false
		}
	}
	if before.kind == lexer.Comment || after.kind == lexer.Comment {
		return x[i].gap != lineBreak && y[i].gap != lineBreak
	}
	isTight := x[i].gap == tight || y[i].gap == tight
	if isTight && !isBoundary(before) && !isBoundary(after) {
		return false
	}
	return l.free(x, y, i)
}

// isBoundary reports whether a token is the same whatever it touches.
func isBoundary(t significant) bool { return t.kind == lexer.Punctuation }

// breaks reports whether there is a line break before token i on exactly one side.
func breaks(x, y []significant, i int) bool {
	return (x[i].gap == lineBreak) != (y[i].gap == lineBreak)
}

// inSame returns the innermost bracket around the gap before token i, or 0 if it is not the same on both sides.
func inSame(x, y []significant, i int) byte {
	if x[i].inside != y[i].inside {
		return 0
	}
	return x[i].inside
}

// anywhere is for languages in which line breaks are blanks.
func anywhere(_, _ []significant, _ int) bool { return true }

// freeInPython reports whether a line break is in brackets; a brace of Python begins no block.
func freeInPython(x, y []significant, i int) bool { return !breaks(x, y, i) || inSame(x, y, i) != 0 }

// freeInGo is the rule for semicolons of Go's specification: a line break is one after a word, a literal, ++, -- and a
// closing bracket, but not before ) and }.
func freeInGo(x, y []significant, i int) bool {
	before, after := x[i-1], x[i]
	if !breaks(x, y, i) || after.is(")", "}") {
		return true
	}
	return before.kind == lexer.Punctuation && !before.is(")", "]", "}") &&
		!strings.HasSuffix(before.text, "++") && !strings.HasSuffix(before.text, "--")
}

// freeInBrackets is for languages that end statements at line breaks, and in which a blank may make an operator or an
// argument of what follows. A line break is free at the brackets and commas of a list, and before the dot of a call.
func freeInBrackets(x, y []significant, i int) bool {
	before, after := x[i-1], x[i]
	if in := inSame(x, y, i); in == '(' || in == '[' {
		if before.is("(", "[", ",") || after.is(")", "]", ",") {
			return true
		}
	}
	return breaks(x, y, i) && isChain(x, y, i)
}

// notReceivers are words that no dot of a call follows: in Swift, .name may be a value.
var notReceivers = []string{
	"as", "await", "break", "case", "catch", "continue", "do", "else", "in", "is", "return", "then", "throw", "throws",
	"try", "when", "where", "yield",
}

// isChain reports whether token i is the dot of a call after its receiver, on one side on a line of its own.
func isChain(x, y []significant, i int) bool {
	before := x[i-1]
	isReceiver := before.is(")", "]", "}") || before.kind == lexer.Word && !slices.Contains(notReceivers, before.text)
	return isReceiver && x[i].is(".", "?.", "&.") && min(x[i].gap, y[i].gap) == tight
}

// The punctuation of JavaScript next to which a line break ends no statement.
var (
	unfinishedInJavaScript = []string{
		"=", "+", "-", "*", "%", "&&", "||", "??", ".", "?.", ":", "=>", "&", "|", "^", "<", "<=", ">=",
		"==", "===", "!=", "!==", "+=", "-=", "*=", "||=", "&&=", "??=",
	}
	continuesInJavaScript = []string{".", "?.", "&&", "||", "??", "?", ":"}
	// restricted are the words and operators after which a line break counts, in brackets as well.
	restricted = []string{"return", "throw", "break", "continue", "yield", "async", "++", "--"}
)

// freeInJavaScript keeps clear of all line breaks that may end a statement, or that lack of one joins with the next.
func freeInJavaScript(x, y []significant, i int) bool {
	before, after := x[i-1], x[i]
	if !breaks(x, y, i) {
		return true
	}
	if before.kind != lexer.String && slices.Contains(restricted, before.text) || after.is("++", "--") {
		return false
	}
	if in := inSame(x, y, i); in == '(' || in == '[' || before.is("{", ";", ",") || after.is("}") {
		return true
	}
	if before.is(unfinishedInJavaScript...) {
		return !strings.ContainsAny(after.text[:1], "([`+-/")
	}
	return (before.kind == lexer.Word || before.is(")", "]", "}")) && after.is(continuesInJavaScript...)
}

// freeInStyles is for style sheets: the blank between two selectors is an operator, and it separates values. There may
// be one or none at braces, semicolons and commas, and after the colon of a declaration.
func freeInStyles(x, y []significant, i int) bool {
	if x[i].gap != tight && y[i].gap != tight {
		return true
	}
	if x[i-1].is("{", "}", ";", ",") || x[i].is("{", "}", ";", ",") {
		return true
	}
	if !x[i-1].is(":") {
		return false
	}
	for _, t := range x[i:] {
		if t.is("{", "}", ";") {
			return !t.is("{")
		}
	}
	return false
}

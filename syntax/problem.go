package syntax

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

package retrieve

import "github.com/tenon-bot/tenon/prompts"

// Answers are what a model is shown in answer to its asks.
type Answers struct {
	// Prompt has all that the model is told. Its Nonce, Asked and Rounds are left to the caller.
	Prompt prompts.NeedInput
	// Selection says which files are in it. Lines that a text was found in are not part of it.
	Selection Selection
	// Given says of each ask what it was given.
	Given []Given
}

// Given says what a model was given for an ask. It is recorded as JSON.
type Given struct {
	Ask   string       `json:"ask"`
	Lines []GivenLines `json:"lines,omitempty"`
	// Names counts the names that were listed; Hits the lines containing a text that were shown, of All in the sources.
	Names int `json:"names,omitempty"`
	Hits  int `json:"hits,omitempty"`
	All   int `json:"all,omitempty"`
	// Why is why not all of it was given; empty if it was.
	Why string `json:"why,omitempty"`
}

// GivenLines are lines of a file that were shown.
type GivenLines struct {
	Path string `json:"path"`
	Span
}

// String returns the lines as an ask has them.
func (g GivenLines) String() string { return withLines(g.Path, g.Span) }

// Answered reports whether the ask was given anything.
func (g Given) Answered() bool { return len(g.Lines)+g.Names+g.Hits > 0 || g.Why == "" }

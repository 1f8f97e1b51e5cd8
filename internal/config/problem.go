package config

import (
	"fmt"
	"strings"
)

// Problem is something wrong with one setting, or suspicious.
type Problem struct {
	// Name is the variable, or the key with its file and line ("listen (tenon.yaml:3)"), or the file.
	Name string
	// Text says what is wrong and what to do. It never has a secret.
	Text string
	Kind ProblemKind
}

// ProblemKind says what is wrong with a setting.
type ProblemKind uint8

// The kinds of problems.
const (
	// Wrong is a value that is not one of the setting's, or that contradicts another setting.
	Wrong ProblemKind = iota
	// Missing is a setting without which nothing works.
	Missing
	// Unknown is a variable or a key that is no setting.
	Unknown
	// Unreadable is a server file that cannot be read, and Syntax one that is not YAML.
	Unreadable
	Syntax
)

// headers are in the order in which kinds are reported: what may be the cause of others first.
var headers = []struct {
	kind ProblemKind
	text string
}{
	{Unreadable, "the server file cannot be read:"},
	{Syntax, "the server file is not valid YAML:"},
	{Unknown, "there are no such settings:"},
	{Wrong, "settings have wrong values:"},
	{Missing, "the settings are incomplete:"},
}

// Error has everything that is wrong with the settings.
type Error struct{ Problems []Problem }

// Error lists the problems, one on each line, below a header for each kind of them.
func (e *Error) Error() string {
	var b strings.Builder
	for _, header := range headers {
		text := header.text
		for _, p := range e.Problems {
			if p.Kind != header.kind {
				continue
			}
			if text != "" && b.Len() > 0 {
				b.WriteString("\n")
			}
			if text != "" {
				b.WriteString(text)
				text = ""
			}
			fmt.Fprintf(&b, "\n  %s: %s", p.Name, p.Text)
		}
	}
	return b.String()
}

package config

import "strings"

// Problem is one setting that is missing or wrong.
type Problem struct {
	// Name is the variable, or the key with its file and line ("listen (tenon.yml:3)").
	Name string
	// Text says what is wrong and what to do. It never holds a secret.
	Text string
}

// Error holds everything that is wrong with the settings.
type Error struct{ Problems []Problem }

// Error lists the problems, one on each line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("the settings are not complete:")
	for _, p := range e.Problems {
		b.WriteString("\n  " + p.Name + ": " + p.Text)
	}
	return b.String()
}

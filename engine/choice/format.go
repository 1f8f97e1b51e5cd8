package choice

import (
	"slices"
	"strings"
)

// The words of the format, beside the names of the sides.
const (
	wordNone  = "none"
	wordLines = "lines"
	wordNew   = "new"
	wordOpen  = "open"
	// noNewline follows a text whose last line has no ending, as in a diff.
	noNewline = `\ No newline at end of file`
)

// String returns a choice as Parse reads it after "C1: ". A text is in a fence below.
func (c Choice) String() string {
	switch {
	case !c.settles:
		return strings.TrimSpace(wordOpen + " " + strings.Join(strings.Fields(c.question), " "))
	case c.written:
		return c.fenced()
	case len(c.take) == 0:
		return wordNone
	}
	whole := !slices.ContainsFunc(c.take, func(t Take) bool { return t.From != 0 })
	names := make([]string, len(c.take))
	for i, t := range c.take {
		names[i] = t.String()
	}
	if whole {
		return strings.Join(names, ", ")
	}
	return wordLines + " " + strings.Join(names, " ")
}

func (c Choice) fenced() string {
	fence := "```"
	for _, line := range c.text {
		if mark := fenceMark(line); mark != "" && mark[0] == '`' && len(mark) >= len(fence) {
			fence = mark + "`"
		}
	}
	lines := slices.Concat([]string{wordNew, fence}, c.text)
	if c.noEnding {
		lines = append(lines, noNewline)
	}
	return strings.Join(append(lines, fence), "\n")
}

// fenceMark returns the backticks or tildes at the beginning of a line if they are at least three.
func fenceMark(line string) string {
	for _, mark := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, mark)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

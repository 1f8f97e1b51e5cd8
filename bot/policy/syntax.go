package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// SyntaxError says where a file stops being YAML.
type SyntaxError struct {
	// Line is the line from which on the file cannot be read, from 1.
	Line int
	// Text says why, and what to look for.
	Text string
}

// Error returns both, to be read behind the name of the file.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("is not valid YAML: line %d: %s", e.Line, e.Text)
}

// linePrefix is the line that the parser names, which can be that of the mapping around the mistake.
var linePrefix = regexp.MustCompile(`^yaml: (line [0-9]+: )?`)

// advice says in plain words what the parser's messages mean most often.
var advice = []struct{ message, text string }{
	{"found character that cannot start any token", "a value that begins with @, % or a backquote needs quotes around it"},
	{"mapping values are not allowed", "check the indentation, and put a value that contains a colon in quotes"},
	{"tab character", "indent with spaces"},
	{"found unexpected end of stream", "a quotation mark is not closed"},
	{"did not find expected ',' or", "a bracket is not closed"},
	{"did not find expected key", "check the indentation and the quotation marks"},
	{"could not find expected ':'", `a setting is written like "listen: :8080"`},
	{"unknown anchor", "a value that begins with * needs quotes around it"},
	{"unknown escape character", "write backslashes in single quotes"},
	{"did not find expected '-' indicator", "check the indentation"},
	{"block sequence entries are not allowed", "put the items of a list on lines of their own"},
}

func newSyntaxError(data []byte, err error) *SyntaxError {
	text, line := linePrefix.ReplaceAllString(err.Error(), ""), brokenLine(data)
	if indentedByTab(data, line) {
		return &SyntaxError{Line: line, Text: "found a tab character that violates indentation (indent with spaces)"}
	}
	for _, a := range advice {
		if strings.Contains(text, a.message) {
			text += " (" + a.text + ")"
			break
		}
	}
	return &SyntaxError{Line: line, Text: text}
}

// indentedByTab reports whether there is a tab in what a line, counted from 1, is indented with.
func indentedByTab(data []byte, line int) bool {
	for range line - 1 {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	indent := data[:len(data)-len(bytes.TrimLeft(data, " \t"))]
	return bytes.ContainsRune(indent, '\t')
}

const (
	// maxOpen is for how many lines a bracket or a quotation may be open.
	maxOpen = 40
	// maxSearches bounds how often brokenLine starts again.
	maxSearches = 4
)

// brokenLine returns the line from which on a text is no YAML: the lines before it are, and with none of those that
// follow it becomes YAML again.
func brokenLine(data []byte) int {
	ends := lineEnds(data)
	good, bad := 0, len(ends)
	for range maxSearches {
		for bad-good > 1 {
			if middle := (good + bad) / 2; isYAML(data[:ends[middle-1]]) {
				good = middle
			} else {
				bad = middle
			}
		}
		// Up to here it may be the beginning of a list or a text that goes on.
		last := min(bad+maxOpen, len(ends)-1)
		for next := bad + 1; next <= last; next++ {
			if isYAML(data[:ends[next-1]]) {
				good = next
			}
		}
		if good < bad {
			break
		}
		bad = len(ends)
	}
	return max(bad, 1)
}

// lineEnds returns where the lines end, each with its line break.
func lineEnds(data []byte) []int {
	var ends []int
	for at := range bytes.Lines(data) {
		end := len(at)
		if len(ends) > 0 {
			end += ends[len(ends)-1]
		}
		ends = append(ends, end)
	}
	return ends
}

func isYAML(data []byte) bool {
	err := yaml.NewDecoder(bytes.NewReader(data)).Decode(new(yaml.Node))
	return err == nil || errors.Is(err, io.EOF)
}

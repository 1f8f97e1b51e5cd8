package tasks

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// fileDiff is what a unified diff changes in a file.
type fileDiff struct {
	path             string
	created, removed bool
	hunks            []hunk
}

// hunk replaces lines from a line on, counted from 1. Lines end in a line feed, but perhaps the last one of the file.
type hunk struct {
	line          int
	before, after []string
}

var hunkHead = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@`)

// parseDiff reads a unified diff, as git prints it.
func parseDiff(text string) ([]fileDiff, error) {
	lines := strings.SplitAfter(text, "\n")
	var out []fileDiff
	for at := 0; at < len(lines); {
		old, isOld := strings.CutPrefix(lines[at], "--- ")
		if !isOld {
			if name, ok := strings.CutPrefix(lines[at], "rename from "); ok {
				return nil, renames(strings.TrimSpace(name))
			}
			at++
			continue
		}
		if at+1 >= len(lines) || !strings.HasPrefix(lines[at+1], "+++ ") {
			return nil, fmt.Errorf("line %d has --- without +++ below it", at+1)
		}
		f, err := newFileDiff(old, strings.TrimPrefix(lines[at+1], "+++ "))
		if err != nil {
			return nil, err
		}
		at += 2
		for at < len(lines) && strings.HasPrefix(lines[at], "@@ ") {
			var h hunk
			if h, at, err = parseHunk(lines, at); err != nil {
				return nil, err
			}
			f.hunks = append(f.hunks, h)
		}
		if slices.ContainsFunc(out, func(o fileDiff) bool { return o.path == f.path }) {
			return nil, fmt.Errorf("it has %s twice", f.path)
		}
		out = append(out, f)
	}
	if len(out) == 0 {
		return nil, errors.New("it is not a unified diff")
	}
	return out, nil
}

func renames(name string) error {
	return fmt.Errorf("it renames %s; give the files in a folder %s instead", name, wantedFolder)
}

func newFileDiff(before, after string) (fileDiff, error) {
	name := func(text, prefix string) string {
		text, _, _ = strings.Cut(strings.TrimRight(text, "\r\n"), "\t")
		return strings.TrimPrefix(text, prefix)
	}
	from, to := name(before, "a/"), name(after, "b/")
	switch {
	case from == "/dev/null":
		return fileDiff{path: to, created: true}, nil
	case to == "/dev/null":
		return fileDiff{path: from, removed: true}, nil
	case from != to:
		return fileDiff{}, renames(from)
	}
	return fileDiff{path: to}, nil
}

// parseHunk reads the hunk that begins at a line, and returns the place of the line after it.
func parseHunk(lines []string, at int) (hunk, int, error) {
	head := hunkHead.FindStringSubmatch(lines[at])
	if head == nil {
		return hunk{}, 0, fmt.Errorf("line %d is no head of a hunk", at+1)
	}
	number := func(text string) int {
		if text == "" {
			return 1
		}
		n, _ := strconv.Atoi(text) // nine digits
		return n
	}
	h := hunk{line: number(head[1])}
	before, after := number(head[2]), number(head[3])
	for at++; len(h.before) < before || len(h.after) < after; at++ {
		if at == len(lines) || lines[at] == "" {
			return hunk{}, 0, errors.New("its last hunk is shorter than it says")
		}
		sign, text := lines[at][0], lines[at][1:]
		switch sign {
		case ' ':
			h.before, h.after = append(h.before, text), append(h.after, text)
		case '\n': // an empty line of context whose space was lost
			h.before, h.after = append(h.before, "\n"), append(h.after, "\n")
		case '-':
			h.before = append(h.before, text)
		case '+':
			h.after = append(h.after, text)
		case '\\': // no line feed at the end of the file, which does not count
		default:
			return hunk{}, 0, fmt.Errorf("line %d is no line of a hunk", at+1)
		}
	}
	return h, at, nil
}

// apply returns the file after the diff.
func (f fileDiff) apply(data []byte) ([]byte, error) {
	lines := strings.SplitAfter(string(data), "\n")
	if n := len(lines); lines[n-1] == "" {
		lines = lines[:n-1]
	}
	var out []string
	at := 0
	for _, h := range f.hunks {
		from := h.line - 1
		if len(h.before) == 0 {
			from = h.line // lines are inserted after the one that is named
		}
		to := from + len(h.before)
		if from < at || to > len(lines) || !slices.EqualFunc(lines[from:to], h.before, sameLine) {
			return nil, fmt.Errorf("it does not apply to line %d of %s", h.line, f.path)
		}
		out = append(append(out, lines[at:from]...), h.after...)
		at = to
	}
	return []byte(strings.Join(append(out, lines[at:]...), "")), nil
}

func sameLine(a, b string) bool { return strings.TrimRight(a, "\n") == strings.TrimRight(b, "\n") }

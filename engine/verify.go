package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Bounds on what is kept of the problems of a file.
const (
	maxFileProblems = 20
	maxProblemBytes = 300 // of a message
	// problemContext is the number of lines around the first problem that a Result quotes. maxAroundBytes bounds each: it
	// is more than anybody is shown, so that callers can recognize a secret before they cut the line.
	problemContext = 3
	maxAroundBytes = 4 << 10
)

// FileProblem is something wrong with a file after its edits.
type FileProblem struct {
	// Line is the line of the file after the edits, or 0 if the problem concerns the whole file.
	Line int
	// Message says what is wrong, in a phrase on one line, of at most 300 bytes. It may quote the file, unescaped.
	Message string
	// Syntax reports that the file does not parse. Other problems are such as a conflict marker.
	Syntax bool
}

// String returns the message, behind the line if there is one.
func (p FileProblem) String() string {
	if p.Line == 0 {
		return p.Message
	}
	return fmt.Sprintf("line %d: %s", p.Line, p.Message)
}

// verify returns what is wrong with a changed file, in bounds: first why it does not parse, then the rest, by line.
func (a *applier) verify(f *file, after []byte) []FileProblem {
	if a.opts.Verify == nil {
		return nil
	}
	problems := slices.Clone(a.opts.Verify(f.path, f.original, after))
	slices.SortStableFunc(problems, func(x, y FileProblem) int {
		switch {
		case x.Syntax && !y.Syntax:
			return -1
		case y.Syntax && !x.Syntax:
			return 1
		}
		return cmp.Compare(x.Line, y.Line)
	})
	problems = problems[:min(len(problems), maxFileProblems)]
	for i, p := range problems {
		problems[i].Line, problems[i].Message = max(p.Line, 0), clipBytes(oneLine(p.Message), maxProblemBytes)
	}
	return problems
}

// refuses verifies a changed file, notes its problems in the results of its blocks, and reports whether the file must
// not be written because of them.
func (a *applier) refuses(f *file, after []byte) bool {
	problems := a.verify(f, after)
	if len(problems) == 0 {
		return false
	}
	near := around(after, problems[0].Line)
	if a.opts.AllowProblems != nil && a.opts.AllowProblems(f.path) {
		a.warn(f, problems, near)
		return false
	}
	a.refuse(f, problems, near)
	return true
}

// warn adds the problems of an edited file to the results of its blocks.
func (a *applier) warn(f *file, problems []FileProblem, around *Excerpt) {
	for i, r := range a.results {
		if r.Path == f.path && r.Status == Applied {
			a.results[i].Problems, a.results[i].Around = problems, around
		}
	}
}

// refuse makes the blocks that were applied to a file fail, all of them: a parser tells that they broke the file, and
// not which of them did. A block that was skipped because the file had its lines already may mean the lines of one that
// failed, and is skipped because of that.
func (a *applier) refuse(f *file, problems []FileProblem, around *Excerpt) {
	var made []int
	for i, r := range a.results {
		switch {
		case r.Path != f.path:
		case r.Status == Applied:
			made = append(made, i)
		case r.Reason == AlreadyApplied && len(made) > 0:
			a.results[i].skip(EarlierFailed)
		}
	}
	for _, i := range made {
		res := &a.results[i]
		res.fail(refusal{SyntaxError, describeProblems(f.path, len(made), problems)})
		res.Problems, res.Around = problems, around
	}
	for _, l := range f.resultLines {
		a.results[l.result].Line = a.originalLine(f, l.line, made)
	}
}

// originalLine returns the line, from 1, that a line of the edited file, from 0, comes from. made are the results of
// the edits. It returns 0 for a new file.
func (a *applier) originalLine(f *file, line int, made []int) int {
	if f.original == nil {
		return 0
	}
	for _, i := range slices.Backward(made) {
		e := a.results[i].Edit
		from := e.Line - 1
		switch {
		case line <= from:
		case line >= from+len(e.Added):
			line += len(e.Removed) - len(e.Added)
		default:
			line = min(line, from+len(e.Removed))
		}
	}
	return line + 1
}

// describeProblems returns the detail for edits that break a file.
func describeProblems(path string, edits int, problems []FileProblem) string {
	which, what, more := "these edits", "has a problem", ""
	if edits == 1 {
		which = "this edit"
	}
	if problems[0].Syntax {
		what = "does not parse"
	}
	switch n := len(problems) - 1; {
	case n == 1:
		more = " (and 1 more problem)"
	case n > 1:
		more = fmt.Sprintf(" (and %d more problems)", n)
	}
	return fmt.Sprintf("After %s %s %s: %s%s", which, path, what, problems[0], more)
}

// around returns the lines of data around a line, counted from 1; nil if there is no such line.
func around(data []byte, line int) *Excerpt {
	data = bytes.TrimSuffix(data, []byte("\n"))
	last := bytes.Count(data, []byte("\n")) + 1
	if line < 1 || line > last+1 { // a parser may name the line after the last
		return nil
	}
	from := max(line-1-problemContext, 0)
	for range from {
		data = data[bytes.IndexByte(data, '\n')+1:]
	}
	var near []string
	for range min(line+problemContext, last) - from {
		s, rest, _ := bytes.Cut(data, []byte("\n"))
		near = append(near, clipBytes(string(bytes.TrimSuffix(s, []byte("\r"))), maxAroundBytes))
		data = rest
	}
	return &Excerpt{Line: from + 1, Lines: near}
}

// oneLine returns s with a blank for each control character.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
}

// clipBytes returns at most n bytes of s, whole characters, as valid UTF-8.
func clipBytes(s string, n int) string {
	if len(s) > n {
		s = s[:n]
	}
	return strings.ToValidUTF8(s, "")
}

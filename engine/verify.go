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

// verify returns what Options.Verify says of a changed file, in bounds: first why it does not parse, then the other
// problems, by line.
func (a *applier) verify(f *file, after []byte) Verification {
	if a.opts.Verify == nil {
		return Verification{}
	}
	v := a.opts.Verify(f.path, f.original, after)
	problems := slices.Clone(v.Problems)
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
	v.Problems = problems
	return v
}

// refuses verifies a changed file, notes in the results of its blocks what is known of it, and reports whether the file
// must not be written because of that.
func (a *applier) refuses(f *file, after []byte) bool {
	v := a.verify(f, after)
	a.note(f, after, v)
	switch {
	case len(v.Problems) > 0 && (a.opts.AllowProblems == nil || !a.opts.AllowProblems(f.path)):
		a.refuse(f, SyntaxError, func(edits int) string { return describeProblems(f.path, edits, v.Problems) })
	case v.Refused != "":
		a.refuse(f, Unchecked, func(int) string { return v.Refused })
	default:
		return false
	}
	return true
}

// note adds to the results of the blocks of an edited file what is wrong with it, and why it was not checked.
func (a *applier) note(f *file, after []byte, v Verification) {
	var near *Excerpt
	if len(v.Problems) > 0 {
		near = around(after, v.Problems[0].Line)
	}
	for i, r := range a.results {
		if r.Path == f.path && r.Status == Applied {
			a.results[i].Problems, a.results[i].Around, a.results[i].Unchecked = v.Problems, near, v.Unchecked
		}
	}
}

// refuse makes the blocks that were applied to a file fail, all of them: a parser tells that they broke the file, and
// not which of them did. The detail is for so many of them. A block that was skipped because the file had its lines
// already may mean the lines of one that failed, and is skipped because of that.
func (a *applier) refuse(f *file, reason Reason, detail func(edits int) string) {
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
		a.results[i].fail(refusal{reason, detail(len(made))})
	}
	for _, l := range f.resultLines {
		a.results[l.result].Line = a.originalLine(f, l.line, made)
	}
}

// originalLine returns the line, from 1, that a line of the edited file, from 0, comes from. results are those of
// the edits. It returns 0 for a new file.
func (a *applier) originalLine(f *file, line int, results []int) int {
	if f.original == nil {
		return 0
	}
	for _, i := range slices.Backward(results) {
		e := a.results[i].Edit
		if e == nil { // a renamed file
			continue
		}
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

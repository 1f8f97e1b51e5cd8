package engine

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/text"
)

// occurrence is where a text is in the lines of a file: from the column of the first line to that of the last, columns
// counted in bytes.
type occurrence struct{ line, column, lastLine, lastColumn int }

// maxOccurrences bounds how often the text of a block is looked for.
const maxOccurrences = 1000

// occurrences returns where a text is, at most maxOccurrences times and without overlaps.
func occurrences(lines []string, find string) (out []occurrence) {
	all := strings.Join(lines, "\n")
	line, start := 0, 0 // the line of the last one, and where it begins
	for from := 0; len(out) < maxOccurrences; {
		i := strings.Index(all[from:], find)
		if i < 0 {
			break
		}
		at := from + i
		from = at + len(find)
		for end := start + len(lines[line]); at > end; end = start + len(lines[line]) {
			line, start = line+1, end+1
		}
		o := occurrence{line: line, column: at - start, lastLine: line, lastColumn: from - start}
		for o.lastColumn > len(lines[o.lastLine]) {
			o.lastColumn -= len(lines[o.lastLine]) + 1
			o.lastLine++
		}
		out = append(out, o)
	}
	return out
}

// edit applies a block to a file as it is.
func (a *applier) edit(f *file, b Block, target resolvedPath, res *Result) {
	if b.Within {
		a.editWithin(f, b, target, res)
	} else {
		a.modify(f, b, target, res)
	}
}

// editWithin applies a block whose halves may begin and end inside a line: it replaces the one occurrence of its text,
// or all if the block says so. A block whose text is nowhere may still match as lines.
func (a *applier) editWithin(f *file, b Block, target resolvedPath, res *Result) {
	find, replace := strings.Join(b.Find, "\n"), strings.Join(b.Replace, "\n")
	lines := f.text.Lines()
	a.work.SpendBytes(2 * f.text.Size())
	found := occurrences(lines, find)
	done := slices.DeleteFunc(slices.Clone(found), func(o occurrence) bool { return !isReplaced(lines, o, find, replace) })
	switch {
	case len(found) == 0:
		a.modify(f, wholeLines(b), target, res)
	case len(done) > 0:
		res.skip(AlreadyApplied)
		f.resultLines = append(f.resultLines, resultLine{len(a.results), done[0].line})
	case len(found) > 1 && !b.All:
		res.fail(refusal{Ambiguous, "Edit location is ambiguous: the text to replace is in the file more than once"})
		for _, o := range found[:min(len(found), maxListedMatches)] {
			res.MatchLines = append(res.MatchLines, o.line+1)
		}
		res.MoreMatches, res.Line = len(found)-len(res.MatchLines), res.MatchLines[0]
	case a.mode == applyOnce && !f.isShown &&
		repeats(f.text.After(editsOf(lines, found, replace)).Lines(), b, find, replace):
		res.fail(notIdempotent)
		res.Line = found[0].line + 1
	case len(found) == 1:
		o := found[0]
		before, after := lines[o.line][:o.column], lines[o.lastLine][o.lastColumn:]
		b.Find = slices.Clone(lines[o.line : o.lastLine+1])
		b.Replace = strings.Split(before+replace+after, "\n")
		if replace == "" && before == "" && after == "" {
			b.Replace = nil
		}
		a.modify(f, b, target, res)
	default:
		a.makeEdits(f, editsOf(lines, found, replace), res)
	}
}

// isReplaced reports whether an occurrence is a part of the replacement, which is there already.
func isReplaced(lines []string, o occurrence, find, replace string) bool {
	if !strings.Contains(replace, find) {
		return false
	}
	more := strings.Count(replace, "\n") // lines that the replacement can have before it
	from := max(o.line-more, 0)
	all := strings.Join(lines[from:min(o.lastLine+1+more, len(lines))], "\n")
	start := o.column + len(strings.Join(lines[from:o.line], "\n"))
	if from < o.line {
		start++
	}
	for at := 0; ; at++ {
		i := strings.Index(replace[at:], find)
		if i < 0 {
			return false
		}
		at += i
		if start >= at && strings.HasPrefix(all[start-at:], replace) {
			return true
		}
	}
}

// repeats reports whether a block that replaces a text would change a file once more after its edits.
func repeats(after []string, b Block, find, replace string) bool {
	again := occurrences(after, find)
	isDone := slices.ContainsFunc(again, func(o occurrence) bool { return isReplaced(after, o, find, replace) })
	return !isDone && (len(again) == 1 || len(again) > 1 && b.All)
}

// wholeLines returns the block as one of lines: without the empty text after the last line feed of both halves.
func wholeLines(b Block) Block {
	cut := func(lines []string) []string {
		if n := len(lines); n > 1 && lines[n-1] == "" {
			return lines[:n-1]
		}
		return lines
	}
	b.Find, b.Replace = cut(b.Find), cut(b.Replace)
	return b
}

// editsOf returns the edits that replace all occurrences, one for the lines of those that share a line.
func editsOf(lines []string, found []occurrence, replace string) (edits []text.Edit) {
	for i := 0; i < len(found); {
		first, last := found[i], found[i]
		var put strings.Builder
		put.WriteString(lines[first.line][:first.column])
		put.WriteString(replace)
		for i++; i < len(found) && found[i].line == last.lastLine; i++ {
			put.WriteString(lines[last.lastLine][last.lastColumn:found[i].column])
			put.WriteString(replace)
			last = found[i]
		}
		put.WriteString(lines[last.lastLine][last.lastColumn:])
		edits = append(edits, text.Edit{
			From: first.line, To: last.lastLine + 1, Lines: strings.Split(put.String(), "\n"),
		})
	}
	return edits
}

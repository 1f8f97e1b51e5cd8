package match

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/text"
)

// indentBase says which indentation the replacement follows.
type indentBase int

const (
	indentedOtherwise indentBase = iota
	indentedAsFind
	indentedAsFile
)

// replaceIndent decides by the lines that both halves have in common: in the replacement, they are indented as those to
// find or as the file. A replacement that is indented as the file, but has a new line with less indentation than the
// file has there, could also be the lines to find wrapped in something; then neither is certain, unless s cannot shift
// the replacement.
func replaceIndent(f File, p Pattern, at []int, s shift, kind text.KeyKind) indentBase {
	if s.isZero() {
		return indentedAsFind
	}
	pairs := p.pairs(f.Work, kind)
	if len(pairs) == 0 {
		return indentByFirstLine(f, p, at)
	}
	onlyFind, onlyFile, neither := 0, 0, 0
	for _, pair := range pairs {
		in := text.IndentOf(p.Replace[pair.replace])
		inFind, inFile := text.IndentOf(p.Find[pair.find]), text.IndentOf(f.Lines()[at[pair.find]])
		switch {
		case in == inFind && in != inFile:
			onlyFind++
		case in == inFile && in != inFind:
			onlyFile++
		case in != inFile:
			neither++
		}
	}
	wrapped := text.MinIndent(p.Replace) < text.MinIndent(linesAt(f, at))
	switch {
	case onlyFile > 0 && onlyFind+neither == 0 && (!wrapped || !canShift(p, s)):
		return indentedAsFile
	case onlyFile == 0 && neither < len(pairs):
		return indentedAsFind
	}
	return indentedOtherwise
}

// linesAt returns the lines of the file at the given places, of those that it has.
func linesAt(f File, at []int) []string {
	var lines []string
	for _, n := range at {
		if n >= 0 {
			lines = append(lines, f.Lines()[n])
		}
	}
	return lines
}

// canShift reports whether s can shift every line of the replacement.
func canShift(p Pattern, s shift) bool {
	reindent := reindentBy(p, s)
	for j, line := range p.Replace {
		if _, ok := reindent(j, line); !ok {
			return false
		}
	}
	return true
}

// indentByFirstLine decides by the first line, for a replacement that has no line in common with the lines to find.
func indentByFirstLine(f File, p Pattern, at []int) indentBase {
	i, j := text.FirstNonBlank(p.Find), text.FirstNonBlank(p.Replace)
	switch {
	case j == len(p.Replace), text.IndentOf(p.Replace[j]) == text.IndentOf(p.Find[i]):
		return indentedAsFind
	case text.IndentOf(p.Replace[j]) == text.IndentOf(f.Lines()[at[i]]):
		return indentedAsFile
	}
	return indentedOtherwise
}

// reindentBy applies s to the lines of the replacement. The first one gets the indentation of the file if the first
// line to find has lost it.
func reindentBy(p Pattern, s shift) reindentFunc {
	first, lost := text.FirstNonBlank(p.Replace), text.IndentOf(p.Find[text.FirstNonBlank(p.Find)])
	return func(j int, line string) (string, bool) {
		if text.IsBlank(line) {
			return line, true
		}
		in := text.IndentOf(line)
		if s.firstLost && j == first && in == lost {
			return s.firstIndent + line[len(in):], true
		}
		out, ok := s.apply(in)
		return out + line[len(in):], ok
	}
}

// isDoubtful reports whether there is one line to find that alone may be indented otherwise than the file: the other
// lines of the replacement could be correct as they are.
func isDoubtful(f File, p Pattern, at []int) bool {
	i := text.FirstNonBlank(p.Find)
	if !text.AllBlank(p.Find[i+1:]) {
		return false
	}
	left, whole := text.IndentOf(p.Find[i]), text.IndentOf(f.Lines()[at[i]])
	j := sameLine(p.Replace, p.Find[i])
	if j == len(p.Replace) || text.IndentOf(p.Replace[j]) != left {
		return false
	}
	before, after := text.MinIndent(p.Replace[:j]), text.MinIndent(p.Replace[j+1:])
	above, below := f.indentBeside(at[i], -1), f.indentBeside(at[i], 1)
	if in := len(whole); len(left) < in {
		return strings.HasPrefix(whole, left) && (before >= in || after >= in || after >= 0 && below >= 0 && below <= after)
	} else if len(left) > in {
		return before > in && above >= before || after > in && below >= after
	}
	return false
}

// indentBeside returns the indentation in bytes of the next line of the file that is not blank, from line n on in steps
// of step; -1 if there is none.
func (f File) indentBeside(n, step int) int {
	if n = text.NextNonBlank(f.Lines(), n, step); n < 0 || n == len(f.Lines()) {
		return -1
	}
	return len(text.IndentOf(f.Lines()[n]))
}

// sameLine returns the first line that is s, or else the first that is not blank.
func sameLine(lines []string, s string) int {
	s = text.TrimTrailing(s)
	if j := slices.IndexFunc(lines, func(r string) bool { return text.TrimTrailing(r) == s }); j >= 0 {
		return j
	}
	return text.FirstNonBlank(lines)
}

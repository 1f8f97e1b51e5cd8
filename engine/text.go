package engine

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// sniffBytes is how much of a file decides whether it is binary, as in git.
const sniffBytes = 8 << 10

const bom = "\ufeff"

// line is a line of a file: its text, and its line ending ("\n", "\r\n", or nothing at the end of the file).
type line struct{ text, end string }

// text is a file split in lines without loss: joined again, unchanged lines have the same bytes.
type text struct {
	bom   string
	lines []line
	// asciiOnly is set if the file is text in an encoding other than UTF-8, so that only ASCII may be added.
	asciiOnly bool
	// keys caches the keys of the lines until the next edit.
	keys map[keyKind][]string
	// path is the path of the file, which tells its language.
	path string
	// comparisons counts the comparisons of two lines by occurrences. Tests require that they are linear.
	comparisons int
}

// lfsPrefix begins the pointers of Git LFS. According to its specification, they have less than 1,024 bytes.
var lfsPrefix = []byte("version https://git-lfs.github.com/spec/v1\n")

const maxLFSPointer = 1023

// whyBinary says why data is not text that can be edited, or returns "" if it is.
func whyBinary(data []byte) string {
	head := data[:min(len(data), sniffBytes)]
	switch {
	case len(data) <= maxLFSPointer && bytes.HasPrefix(head, lfsPrefix):
		return "it is kept in Git LFS, and only a pointer stands here"
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return "it is UTF-16, and only UTF-8 can be edited"
	case bytes.IndexByte(head, 0) >= 0:
		return "it holds a NUL byte"
	case !utf8.Valid(data) && bytes.ContainsFunc(head, isBinaryRune):
		return "it is not text in a known encoding"
	}
	return ""
}

// isBinaryRune reports whether r is a control character that text does not have.
func isBinaryRune(r rune) bool {
	return r < ' ' && !strings.ContainsRune("\t\n\v\f\r\x1b\b", r)
}

func newText(data []byte) *text {
	t := &text{asciiOnly: !utf8.Valid(data)}
	s := string(data)
	if rest, ok := strings.CutPrefix(s, bom); ok {
		t.bom, s = bom, rest
	}
	t.lines = make([]line, 0, strings.Count(s, "\n")+1)
	for s != "" {
		var l line
		if i := strings.IndexByte(s, '\n'); i < 0 {
			l, s = line{text: s}, ""
		} else if i > 0 && s[i-1] == '\r' {
			l, s = line{s[:i-1], "\r\n"}, s[i+1:]
		} else {
			l, s = line{s[:i], "\n"}, s[i+1:]
		}
		t.lines = append(t.lines, l)
	}
	return t
}

// size returns the size of the file in bytes.
func (t *text) size() int {
	size := len(t.bom)
	for _, l := range t.lines {
		size += len(l.text) + len(l.end)
	}
	return size
}

// bytes returns the content of the file.
func (t *text) bytes() []byte {
	out := append(make([]byte, 0, t.size()), t.bom...)
	for _, l := range t.lines {
		out = append(append(out, l.text...), l.end...)
	}
	return out
}

// splice replaces the lines [from,to) by repl. New lines get the line ending of those that they replace, else of a
// line next to them, else "\n". If the last line of the file is replaced, or lines are added after it, the file ends
// with a line ending.
func (t *text) splice(from, to int, repl []string) {
	fresh := make([]line, len(repl))
	end := t.lineEndingFor(from, to)
	for i, s := range repl {
		fresh[i] = line{s, end}
		if from+i < to && t.lines[from+i].end != "" {
			fresh[i].end = t.lines[from+i].end
		}
	}
	if from > 0 && len(repl) > 0 && t.lines[from-1].end == "" {
		t.lines[from-1].end = end
	}
	t.lines = slices.Replace(t.lines, from, to, fresh...)
	t.keys = nil
}

// useLineFeeds ends every line with a line feed only.
func (t *text) useLineFeeds() {
	for i, l := range t.lines {
		if l.end != "" {
			t.lines[i] = line{strings.TrimRight(l.text, "\r"), "\n"}
		}
	}
	t.keys = nil
}

// lineEndingFor returns the line ending for lines that replace [from,to).
func (t *text) lineEndingFor(from, to int) string {
	for i := to - 1; i >= 0 && i >= from-2; i-- {
		if t.lines[i].end != "" {
			return t.lines[i].end
		}
	}
	for i := to; i < len(t.lines); i++ {
		if t.lines[i].end != "" {
			return t.lines[i].end
		}
	}
	return "\n"
}

// isBlank reports whether a line is empty or whitespace.
func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

func allBlank(lines []string) bool {
	return !slices.ContainsFunc(lines, func(s string) bool { return !isBlank(s) })
}

// trimBlankLines returns lines without the blank ones at both ends.
func trimBlankLines(lines []string) []string {
	for len(lines) > 0 && isBlank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	for len(lines) > 0 && isBlank(lines[0]) {
		lines = lines[1:]
	}
	return lines
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

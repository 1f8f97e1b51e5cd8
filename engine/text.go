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

// text is the content of a file: as bytes, until a block needs its lines (see text_raw.go), then split in lines without
// loss: joined again, unchanged lines have the same bytes.
type text struct {
	bom string
	// raw is the content after bom as long as it is bytes; own says that no other text has the same memory. rawEnd is the
	// line ending of all lines, or empty if they differ.
	raw    []byte
	own    bool
	rawEnd string
	// mark is a line of raw. Lines and offsets of others are counted from there.
	mark    position
	rarity  *rarity
	scratch []byte
	// lines are empty before split.
	lines []line
	// asciiOnly is set if the file is text in an encoding other than UTF-8, so that only ASCII may be added.
	asciiOnly bool
	cache
	// path is the path of the file, which tells its language.
	path string
	// comparisons counts the comparisons of two lines by occurrences. Tests require that they are linear.
	comparisons int
	// work is the budget of the call of Apply; nil sets no bound.
	work *work
}

// lfsPrefix begins the pointers of Git LFS. According to its specification, they have less than 1,024 bytes.
var lfsPrefix = []byte("version https://git-lfs.github.com/spec/v1\n")

const maxLFSPointer = 1023

// whyBinary says why data is not text that can be edited, or returns "" if it is. isUTF8 says whether it is valid.
func whyBinary(data []byte, isUTF8 bool) string {
	head := data[:min(len(data), sniffBytes)]
	switch {
	case len(data) <= maxLFSPointer && bytes.HasPrefix(head, lfsPrefix):
		return "it is stored in Git LFS, and only a pointer is here"
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return "it is UTF-16, and only UTF-8 can be edited"
	case bytes.IndexByte(head, 0) >= 0:
		return "it has a NUL byte"
	case !isUTF8 && bytes.ContainsFunc(head, isBinaryRune):
		return "it is not text in a known encoding"
	}
	return ""
}

// isBinaryRune reports whether r is a control character that text does not have.
func isBinaryRune(r rune) bool {
	return r < ' ' && !strings.ContainsRune("\t\n\v\f\r\x1b\b", r)
}

// newText returns the text of a file, split in lines.
func newText(w *work, data []byte) *text {
	w.spendBytes(openPasses * len(data))
	t := rawText(data, utf8.Valid(data))
	t.work = w
	t.split()
	return t
}

// splitLines splits the content of a file in lines.
func splitLines(s string) []line {
	lines := make([]line, 0, strings.Count(s, "\n")+1)
	for s != "" {
		var l line
		if i := strings.IndexByte(s, '\n'); i < 0 {
			l, s = line{text: s}, ""
		} else if i > 0 && s[i-1] == '\r' {
			l, s = line{s[:i-1], "\r\n"}, s[i+1:]
		} else {
			l, s = line{s[:i], "\n"}, s[i+1:]
		}
		lines = append(lines, l)
	}
	return lines
}

// countLines returns the number of lines.
func (t *text) countLines() int {
	n := len(t.raw)
	if n == 0 {
		return len(t.lines)
	}
	count := bytes.Count(t.raw, []byte("\n"))
	if t.raw[n-1] != '\n' {
		count++
	}
	return count
}

// size returns the size of the file in bytes.
func (t *text) size() int {
	if t.lineBytes == 0 {
		for _, l := range t.lines {
			t.lineBytes += len(l.text) + len(l.end)
		}
	}
	return len(t.bom) + len(t.raw) + t.lineBytes
}

// bytes returns the content of the file. It is not valid after the next edit.
func (t *text) bytes() []byte {
	if len(t.raw) > 0 && t.bom == "" {
		return t.raw
	}
	out := append(make([]byte, 0, t.size()), t.bom...)
	out = append(out, t.raw...)
	for _, l := range t.lines {
		out = append(append(out, l.text...), l.end...)
	}
	return out
}

// makeEdits makes edits, in order.
func (t *text) makeEdits(edits []edit) {
	if len(t.raw) > 0 {
		t.spliceRaw(edits)
		return
	}
	t.work.spend(len(t.lines))
	t.spliceAll(edits)
}

// linesAround returns the lines [from,to) and at most n more on either side; start is the first of them.
func (t *text) linesAround(from, to, n int) (start int, lines []string) {
	if len(t.raw) > 0 {
		first := t.after(t.mark, from-t.mark.line)
		last := t.after(t.after(first, to-from), n)
		first = t.before(first, n)
		return first.line, t.rawLines(first, last)
	}
	start = max(from-n, 0)
	lines = make([]string, min(to+n, len(t.lines))-start)
	for i := range lines {
		lines[i] = t.lines[start+i].text
	}
	return start, lines
}

// allLines returns all lines.
func (t *text) allLines() []string {
	if len(t.raw) > 0 {
		return t.rawLines(position{}, position{t.countLines(), len(t.raw)})
	}
	_, lines := t.linesAround(0, len(t.lines), 0)
	return lines
}

// spliceAll makes edits of lines, in order. A line that replaces another keeps its line ending; an added one gets that
// of the line above it, else of the line below, else "\n". If the last line of the file is replaced, or lines are added
// after it, the file ends with a line ending.
func (t *text) spliceAll(edits []edit) {
	fresh := make([][]line, len(edits))
	grown := 0
	for i, e := range slices.Backward(edits) {
		fresh[i] = t.freshLines(e)
		grown += len(e.repl) - (e.to - e.from)
	}
	switch {
	case len(edits) == 1: // which needs no copy of the lines before
		t.lines = slices.Replace(t.lines, edits[0].from, edits[0].to, fresh[0]...)
	default:
		lines, done := make([]line, 0, len(t.lines)+grown), 0
		for i, e := range edits {
			lines = append(append(lines, t.lines[done:e.from]...), fresh[i]...)
			done = e.to
		}
		t.lines = append(lines, t.lines[done:]...)
	}
	t.cache = cache{}
}

// freshLines returns the lines of an edit with their line endings.
func (t *text) freshLines(e edit) []line {
	fresh := make([]line, len(e.repl))
	end := t.lineEndingAbove(e.from)
	if e.from > 0 && len(e.repl) > 0 && t.lines[e.from-1].end == "" {
		t.lines[e.from-1].end = end
	}
	for i, s := range e.repl {
		if e.from+i < e.to && t.lines[e.from+i].end != "" {
			end = t.lines[e.from+i].end
		}
		fresh[i] = line{s, end}
	}
	return fresh
}

// useLineFeeds ends every line with a line feed only.
func (t *text) useLineFeeds() {
	t.split()
	for i, l := range t.lines {
		if l.end != "" {
			t.lines[i] = line{strings.TrimRight(l.text, "\r"), "\n"}
		}
	}
	t.cache = cache{}
}

// lineEndingAbove returns the line ending for a line that is added before line n: that of the nearest line above that
// has one, else of line n.
func (t *text) lineEndingAbove(n int) string {
	for i := n - 1; i >= 0; i-- {
		if t.lines[i].end != "" {
			return t.lines[i].end
		}
	}
	if n < len(t.lines) && t.lines[n].end != "" {
		return t.lines[n].end
	}
	return "\n"
}

// isBlank reports whether a line is empty or whitespace.
func isBlank(s string) bool {
	return s == "" || (s[0] <= ' ' || s[0] >= utf8.RuneSelf) && strings.TrimSpace(s) == ""
}

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
	for ; len(s) >= 8; s = s[8:] {
		w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		if w&0x8080808080808080 != 0 {
			return false
		}
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

package retrieve

import (
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// maxReferenceLine bounds how much of one line is looked at for errors and stack frames, in bytes.
const maxReferenceLine = 2000

// finder reads a text line by line.
type finder struct {
	text  string
	marks markup
	found []reference

	// trace is the number of the trace that the last frame belonged to, since how many lines ago that was.
	trace, since int
	traceForm    string
}

// findReferences finds the places that a text names, in its order, maxReferences at most.
func FindReferences(text string) []reference {
	f := &finder{text: text, marks: markupOf([]byte(text))}
	for at := 0; at < len(text) && len(f.found) < maxReferences; {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i
		}
		f.line(at, end)
		at = end + 1
	}
	return f.found[:min(len(f.found), maxReferences)]
}

func (f *finder) add(at int, r reference) {
	r.quoted = f.marks.quotes.Has(at)
	f.found = append(f.found, r)
}

// line reads one line: what a tool wrote is taken as such, and the rest word by word.
func (f *finder) line(from, to int) {
	line := f.text[from:to]
	f.since++
	short := line[:min(len(line), maxReferenceLine)]
	if r, ok := f.frame(short); ok {
		f.add(from, r)
		return
	}
	taken := f.links(from, line)
	if r, end, ok := compilerLine(short); ok && !taken.Has(from) {
		f.add(from, r)
		taken = append(taken, [2]int{from, from + end})
	}
	taken = markdown.MergeRanges(taken)
	for _, span := range f.marks.spans.Within(from, to+1) {
		if !taken.Has(span[0]) && span[1] <= to {
			f.span(from, span, to)
		}
	}
	f.words(from, line, markdown.MergeRanges(append(taken, f.marks.spans.Within(from, to+1)...)))
}

// frame recognises a frame of a stack trace. Frames that follow each other, with a line or two between them, are one trace.
func (f *finder) frame(line string) (reference, bool) {
	form, r, ok := stackFrame(line)
	if !ok {
		return r, false
	}
	if f.trace == 0 || f.since > maxTraceGap || f.traceForm != form {
		f.trace++
	}
	f.since, f.traceForm, r.trace = 0, form, f.trace
	return r, true
}

// maxTraceGap is how many lines apart two frames of a trace can be: each has its function, and Python its source, between.
const maxTraceGap = 4

// span reads inline code: one name, or words of which some may be.
func (f *finder) span(line int, span [2]int, end int) {
	code := strings.TrimSpace(f.text[span[0]:span[1]])
	after := f.text[min(span[1], end):end]
	before := f.text[line:span[0]]
	if r, ok := codeReference(code); ok {
		if r.lines.From == 0 {
			r.lines = linesBeside(before, after)
		}
		f.add(span[0], r)
		return
	}
	if !strings.ContainsAny(code, " \t") || len(code) > maxNameBytes {
		return
	}
	// A path with blanks, or a command line with paths in it.
	f.add(span[0], reference{kind: byCode, Names: []string{code}})
	for _, word := range strings.Fields(code) {
		if r, ok := wordReference(word); ok {
			f.add(span[0], r)
		}
	}
}

// words reads what is neither link nor inline code.
func (f *finder) words(from int, line string, taken markdown.Ranges) {
	at := 0
	for at < len(line) && len(f.found) < maxReferences {
		start := at + strings.IndexFunc(line[at:], func(r rune) bool { return !betweenWords(r) })
		if start < at {
			return
		}
		end := len(line)
		if i := strings.IndexFunc(line[start:], betweenWords); i >= 0 {
			end = start + i
		}
		if !taken.Has(from+start) && !taken.Has(from+end-1) {
			f.word(from, line, start, end)
		}
		at = end
	}
}

func (f *finder) word(from int, line string, start, end int) {
	for _, word := range strings.Split(line[start:end], "](") { // a Markdown link names a file in its second half
		for _, part := range readings(word) {
			if r, ok := wordReference(part); ok {
				if r.lines == (Span{}) {
					r.lines = linesBeside(line[:start], line[end:])
				}
				f.add(from+start, r)
			}
		}
	}
}

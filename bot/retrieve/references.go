package retrieve

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// Paths returns what in a comment looks like the path of a file, in its order, each with its other readings.
func Paths(comment string) (paths []string) {
	for _, r := range findReferences(markdown.ShownWithTargets(comment)) {
		for _, name := range r.names {
			if looksLikePath(name) {
				paths = append(paths, name)
			}
		}
	}
	return paths
}

// findReferences returns the places that a text names, in its order, maxReferences at most.
func findReferences(text string) []reference {
	f := &finder{text: text, markup: markupOf(text)}
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

// finder finds the references in a text, line by line.
type finder struct {
	text   string
	markup markup
	found  []reference

	// trace is the number of the trace that the last frame is in, form its form, and since how many lines ago it was.
	trace, since int
	form         string
}

func (f *finder) add(at int, r reference) {
	r.quoted = f.markup.quotes.Has(at)
	f.found = append(f.found, r)
}

// line reads text[from:to], one line: first what a tool wrote, then links and inline code, then the other words.
func (f *finder) line(from, to int) {
	line := f.text[from:to]
	f.since++
	short := line[:min(len(line), maxRefLine)]
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
	for _, span := range f.markup.spans.Within(from, to+1) {
		if !taken.Has(span[0]) && span[1] <= to {
			f.span(from, span, to)
		}
	}
	f.words(from, line, markdown.MergeRanges(append(taken, f.markup.spans.Within(from, to+1)...)))
}

// frame reads a frame of a stack trace. Frames of one form with a line or two between them are in one trace.
func (f *finder) frame(line string) (reference, bool) {
	form, r, ok := stackFrame(line)
	if !ok {
		return r, false
	}
	if f.trace == 0 || f.since > maxTraceGap || f.form != form {
		f.trace++
	}
	f.since, f.form, r.trace = 0, form, f.trace
	return r, true
}

// links reads the links of a line and returns where they are: their text names nothing else.
func (f *finder) links(from int, line string) (taken markdown.Ranges) {
	if !strings.Contains(line, "://") {
		return nil
	}
	for _, at := range anyLink.FindAllStringIndex(line, maxReferences) {
		taken = append(taken, [2]int{from + at[0], from + at[1]})
		if link, lines, ok := parseLink(line[at[0]:]); ok {
			f.add(from+at[0], reference{reason: byLink, names: link.paths(), lines: lines, link: link})
		}
	}
	return taken
}

// span reads inline code in the line that is text[line:end]: one name, or words of which some may be names.
func (f *finder) span(line int, span [2]int, end int) {
	code := strings.TrimSpace(f.text[span[0]:span[1]])
	before, after := f.text[line:span[0]], f.text[min(span[1], end):end]
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
	// A path with spaces, or a command line with paths in it.
	f.add(span[0], reference{reason: byCode, names: []string{code}})
	for _, word := range strings.Fields(code) {
		if r, ok := wordReference(word); ok {
			f.add(span[0], r)
		}
	}
}

// words reads the words of a line outside of what is taken.
func (f *finder) words(from int, line string, taken markdown.Ranges) {
	at := 0
	for at < len(line) && len(f.found) < maxReferences {
		start := at + strings.IndexFunc(line[at:], func(r rune) bool { return !separatesNames(r) })
		if start < at {
			return
		}
		end := len(line)
		if i := strings.IndexFunc(line[start:], separatesNames); i >= 0 {
			end = start + i
		}
		if !taken.Has(from+start) && !taken.Has(from+end-1) {
			f.word(from, line, start, end)
		}
		at = end
	}
}

// word reads the word line[start:end].
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

// markup says where a text has code and quotes. Names are read from the source of a text, not from its parsed form: to
// Markdown, the two underscores of app/__init__.py are emphasis.
type markup struct {
	spans  markdown.Ranges // between the backticks of inline code
	quotes markdown.Ranges
}

func markupOf(text string) (m markup) {
	root, ok := markdown.Parse(text)
	if !ok {
		return markup{}
	}
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if span, ok := n.(*ast.CodeSpan); ok {
			m.spans = append(m.spans, spanRange(span))
		}
		if n.Type() == ast.TypeBlock && inQuote(n) {
			m.quotes = append(m.quotes, markdown.SegmentsRange(n.Lines()))
		}
		return ast.WalkContinue, nil
	})
	m.spans, m.quotes = markdown.MergeRanges(m.spans), markdown.MergeRanges(m.quotes)
	return m
}

func spanRange(n *ast.CodeSpan) (r [2]int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			if r == [2]int{} {
				r[0] = t.Segment.Start
			}
			r[1] = t.Segment.Stop
		}
	}
	return r
}

// maxQuoteDepth is how many blocks a block in a quote can be in.
const maxQuoteDepth = 50

func inQuote(n ast.Node) bool {
	for range maxQuoteDepth {
		if n = n.Parent(); n == nil {
			return false
		}
		if n.Kind() == ast.KindBlockquote {
			return true
		}
	}
	return true
}

// withoutPatterns returns references without the patterns among them: in the description of a problem, what looks like
// a pattern hardly ever means files.
func withoutPatterns(refs []reference) []reference {
	return slices.DeleteFunc(refs, func(r reference) bool { return r.reason == byPattern })
}

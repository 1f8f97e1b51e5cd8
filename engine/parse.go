package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Parse reads the edit blocks, the shell suggestions and the problems out of a model's reply. It knows every format, mixed
// as well, takes time linear in the text, and cannot fail: what cannot be read is a Problem and spoils no other block.
//
// Blocks share memory with text and with each other; they must not be written into.
func Parse(text string, opts ParseOptions) Reply {
	p := newParser(opts)
	p.lines = make([]string, 0, strings.Count(text, "\n")+1)
	p.reply.Blocks = make([]Block, 0, min(len(text)/typicalBlockBytes+1, 64))
	p.text = text
	p.readLines(len(text))
	return p.finish()
}

// usualBlock is about how many bytes of a reply there are for each of its blocks.
const typicalBlockBytes = 2048

// parser reads a reply line by line. It works on whole lines in one forward pass: add each line, hand its marker to the
// matcher, and settle blocks whenever no head is open. Scanner drives the same machine with text that grows.
//
// Invariants: lines[:settled] are accounted for in reply and prose; tokens are those of lines[settled:].
type parser struct {
	opts          ParseOptions
	text          string
	pos           int // start of the first line not yet read
	lines         []string
	pairer        pairer
	consumed      int
	reply         Reply
	prose         proseReader
	lastPath      pathReading // of the block before
	lastFormat    Format      // of the block before
	afterUnclosed bool        // the gap before the next block begins in an unclosed block
	lastInFence   bool        // the block before stands in a fence of its own
	thinking      thinking
	dividers      []int // of divider lines, reused
	counts        markerCounts
}

func newParser(opts ParseOptions) *parser {
	p := &parser{opts: opts}
	if len(opts.Fence) >= 3 && strings.Trim(opts.Fence, opts.Fence[:1]) == "" && strings.ContainsAny(opts.Fence[:1], "`~") {
		p.opts.Fence = "" // understood anyway, in every length
	}
	p.prose.fence = p.opts.Fence
	p.pairer.reset()
	return p
}

// run reads the lines of text[p.pos:end]; a last line without its line feed counts as one.
func (p *parser) readLines(end int) {
	p.skipThinking(end)
	text, lines, next := p.text[:end], p.lines, p.pos
	for next < len(text) {
		start, stop := next, len(text)
		next = stop
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			stop = start + i
			next = stop + 1
		}
		if stop > start && text[stop-1] == '\r' {
			stop--
		}
		line := text[start:stop]
		lines = append(lines, line)
		i := 0
		for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
			i++
		}
		if i < len(line) && startsMarker[line[i]] {
			p.lines, p.pos = lines, next
			p.addMarker(line[i:], start)
		}
	}
	p.lines, p.pos = lines, next
}

// mark looks for a marker in the newest line, which starts at start, less its indentation.
func (p *parser) addMarker(line string, start int) {
	k, n := markerOf(line)
	if k == noMarker {
		if line[0] == '<' && len(p.pairer.stack) == 0 && isThinkingEnd(line) {
			p.dropThinking()
		}
		return
	}
	if p.pairer.add(token{kind: k, run: n, line: len(p.lines) - 1, start: start, end: p.pos}) {
		p.flush()
	}
}

// finish settles what is left when the reply ends.
func (p *parser) finish() Reply {
	p.pairer.finish()
	p.flush()
	p.prose.read(p.lines, p.consumed, len(p.lines), p.afterUnclosed)
	p.keepProse(len(p.lines))
	p.consumed = len(p.lines)
	if len(p.reply.Blocks) == 0 {
		p.reply.Blocks = nil
	}
	p.reply.Prose = p.prose.text.String()
	p.reply.Suggestions = p.prose.suggestions
	p.addSummary()
	return p.reply
}

// settle turns the tokens read so far into blocks and problems. Heads without a match are unclosed here: it runs when no
// head is open, or at the end.
func (p *parser) flush() {
	tokens := p.pairer.tokens
	for i := 1; i < len(tokens); i++ {
		switch t := tokens[i]; t.kind {
		case searchHead, newHead, editHead:
			if t.closedBy == 0 {
				p.addUnclosed(t)
				continue
			}
			p.addBlock(i, t.closedBy)
			i = t.closedBy
		case searchEnd, newEnd, editEnd, bareEnd:
			p.addStray(t)
		}
	}
	p.pairer.reset()
}

// unclosed drops a head that has no end, but keeps the path it names for the blocks below.
func (p *parser) addUnclosed(t token) {
	p.counts.addHead(t.kind)
	p.pathBefore(t.line)
	p.keepProse(t.line)
	p.lastInFence = false
	p.counts.unclosed = append(p.counts.unclosed, t.line+1)
	p.consumed = t.line
	p.afterUnclosed = true
}

// stray counts an end without a head. One that follows a block, with more than blank lines and fences between, makes the
// block doubtful: perhaps the end before was part of its content. Such a block is dropped, for what it puts may be cut short.
func (p *parser) addStray(t token) {
	p.counts.addEnd(t.kind)
	n := len(p.reply.Blocks) - 1
	if n < 0 || p.reply.Blocks[n].EndLine != p.consumed {
		return
	}
	for _, line := range p.lines[p.consumed:t.line] {
		if !isBlank(line) && !p.isFence(line) {
			p.addProblem(p.reply.Blocks[n].Line, ProblemTwoEnds, "Block at line "+strconv.Itoa(p.reply.Blocks[n].Line)+
				" has a second end marker at line "+strconv.Itoa(t.line+1))
			p.reply.Blocks = p.reply.Blocks[:n]
			return
		}
	}
}

// block makes a block of the head tokens[i] and the end tokens[j].
func (p *parser) addBlock(i, j int) {
	head, end := p.pairer.tokens[i], p.pairer.tokens[j]
	p.counts.addHead(head.kind)
	p.counts.addEnd(end.kind)
	format, from := p.pathBefore(head.line)
	p.keepProse(from)
	p.lastInFence = slices.ContainsFunc(p.lines[from:head.line], p.isFence)
	p.consumed = end.line + 1
	p.afterUnclosed = false

	b := Block{Format: format, Raw: p.text[head.start:end.end], Line: head.line + 1, EndLine: end.line + 1}
	if kind, what := p.fillBlock(&b, i, j); kind != "" {
		p.addProblem(b.Line, kind, "Block at line "+strconv.Itoa(b.Line)+" has "+what)
		return
	}
	p.counts.complete[head.kind]++
	p.counts.lastEnd = b.EndLine
	if !p.lastPath.assign(&b) {
		p.addProblem(b.Line, ProblemNoPath, "Block at line "+strconv.Itoa(b.Line)+" names no file")
		return
	}
	p.reply.Blocks = append(p.reply.Blocks, b)
}

// keepProse keeps lines[settled:to], less the fence that closes the code block of the block before.
func (p *parser) keepProse(to int) {
	from := p.consumed
	for n := from; n < to && p.lastInFence; n++ {
		if p.isFence(p.lines[n]) {
			from = n + 1
		} else if isBlank(p.lines[n]) {
			continue
		}
		break
	}
	p.prose.keep(p.lines[from:to])
}

func (p *parser) isFence(line string) bool {
	_, ok := fenceOf(trimSpace(line), p.opts.Fence)
	return ok
}

// markerCounts counts the markers outside complete blocks' content, for the problems that concern the whole reply.
type markerCounts struct {
	heads, ends [conflictEnd + 1]int
	complete    [conflictHead]int // complete blocks by head
	lastEnd     int               // line of the last complete block's end
	unclosed    []int             // lines of heads without an end
}

func (c *markerCounts) addHead(k markerKind) { c.heads[k]++ }

func (c *markerCounts) addEnd(k markerKind) {
	if k == bareEnd {
		k = editEnd
	}
	c.ends[k]++
}

// maxProblems bounds the problems that name a line; the sums at the end count the others.
const maxProblems = 100

func (p *parser) addProblem(line int, kind ProblemKind, text string) {
	if line > 0 && kind != ProblemCutOff && len(p.reply.Problems) >= maxProblems {
		return
	}
	p.reply.Problems = append(p.reply.Problems, Problem{Line: line, Severity: SeverityError, Kind: kind, Text: text})
}

// summarise adds the problems that are known only at the reply's end.
func (p *parser) addSummary() {
	c := &p.counts
	for i, line := range c.unclosed {
		if i == len(c.unclosed)-1 && line > c.lastEnd {
			p.addProblem(line, ProblemCutOff, "Reply was cut off inside the block at line "+strconv.Itoa(line))
		} else {
			p.addProblem(line, ProblemUnclosed, "Block at line "+strconv.Itoa(line)+" has no end marker")
		}
	}
	if p.thinking.closeTag != "" {
		p.addProblem(p.thinking.line, ProblemCutOff, "Reply was cut off inside its "+p.thinking.closeTag[2:len(p.thinking.closeTag)-1]+" section")
	}
	p.mismatch(searchHead, searchEnd, "SEARCH", "REPLACE")
	p.mismatch(newHead, newEnd, "NEW_FILE", "NEW_FILE end")
	p.mismatch(editHead, editEnd, "EDIT", "EDIT END")
	if n := c.heads[searchHead]; n == c.ends[searchEnd] && c.complete[searchHead] < n {
		p.reply.Problems = append(p.reply.Problems, Problem{Severity: SeverityWarning, Kind: ProblemNoDivider, Text: fmt.Sprintf(
			"Some SEARCH/REPLACE blocks may be missing the separator (=======). %d complete blocks found out of %d expected.",
			c.complete[searchHead], n)})
	}
	if len(p.reply.Blocks) == 0 && c.anyMarker() {
		p.addProblem(0, ProblemNoBlock, "No valid edit block in the reply")
	}
}

func (p *parser) mismatch(head, end markerKind, headName, endName string) {
	h, e := p.counts.heads[head], p.counts.ends[end]
	if h != e {
		p.addProblem(0, ProblemMismatch, fmt.Sprintf("Mismatched %s/%s: %d %s vs %d %s", headName, endName, h, headName, e, endName))
	}
}

func (c *markerCounts) anyMarker() bool {
	return c.heads != [conflictEnd + 1]int{} || c.ends != [conflictEnd + 1]int{}
}

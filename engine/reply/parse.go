// Package reply reads edit blocks, suggested shell commands and problems from a model's reply, and writes blocks as
// one. It is pure, and takes time linear in the length of the reply.
package reply

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// Parse reads the edit blocks, the suggested shell commands and the problems from a model's reply. It knows every
// format, also mixed in one reply, takes time linear in the length of text, and cannot fail: what it cannot read is a
// Problem and does not affect other blocks. Of more than 1,000 blocks, it returns the first.
//
// Blocks share memory with text and with each other; they must not be modified.
func Parse(text string, opts Options) block.Reply {
	p := newParser(opts)
	p.lines = make([]string, 0, strings.Count(text, "\n")+1)
	p.reply.Blocks = make([]block.Block, 0, min(len(text)/typicalBlockBytes+1, 64))
	p.prose.text.Grow(min(len(text)/proseShare, 4096))
	p.prose.said.Grow(p.prose.text.Cap())
	p.text = text
	p.readLines(len(text))
	return p.finish()
}

// typicalBlockBytes is about the number of bytes of a reply per block, proseShare about which part of it is no block.
const (
	typicalBlockBytes = 4096
	proseShare        = 16
)

// readLines reads the lines of text[p.pos:end]. The last line may lack its line feed. It looks for the line feeds of 64
// bytes at once, which takes less time than a search for the end of each of the short lines of a reply.
func (p *parser) readLines(end int) {
	p.skipThinking(end)
	all, lines, start := p.text[:end], p.lines, p.pos
	at := start
	for ; at+64 <= len(all); at += 64 {
		for feeds := lineFeeds(all[at : at+64]); feeds != 0; feeds &= feeds - 1 {
			stop := at + bits.TrailingZeros64(feeds)
			line := trimReturn(all[start:stop])
			lines = append(lines, line)
			if (start+8 > len(all) || mayStartMarker(all[start:start+8])) && mayBeMarker(line) {
				p.lines, p.pos = lines, stop+1
				p.addMarker(text.TrimIndent(line), start)
			}
			start = stop + 1
		}
	}
	p.lines, p.pos = lines, start
	p.readRest(all, at)
}

// readRest reads the lines of all[p.pos:]. The first line feed is at from or after it.
func (p *parser) readRest(all string, from int) {
	for p.pos < len(all) {
		start, stop, next := p.pos, len(all), len(all)
		if i := strings.IndexByte(all[from:], '\n'); i >= 0 {
			stop = from + i
			next = stop + 1
		}
		line := trimReturn(all[start:stop])
		p.lines, p.pos, from = append(p.lines, line), next, next
		if mayBeMarker(line) {
			p.addMarker(text.TrimIndent(line), start)
		}
	}
}

// lineFeeds returns which of 64 bytes are line feeds: bit n is set if s[n] is one.
func lineFeeds(s string) uint64 {
	_ = s[63]
	return feedsOfEight(s[0:8])>>56 | feedsOfEight(s[8:16])>>56<<8 | feedsOfEight(s[16:24])>>56<<16 |
		feedsOfEight(s[24:32])>>56<<24 | feedsOfEight(s[32:40])>>56<<32 | feedsOfEight(s[40:48])>>56<<40 |
		feedsOfEight(s[48:56])>>56<<48 | feedsOfEight(s[56:64])>>56<<56
}

// feedsOfEight returns which of eight bytes are line feeds, in the highest byte of the result.
func feedsOfEight(s string) uint64 {
	w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	const ones = 0x0101010101010101
	w ^= '\n' * ones                           // a line feed becomes 0
	w |= (w&(0x7f*ones) + 0x7f*ones)           // the highest bit of each other byte is set
	return ^w >> 7 & ones * 0x0102040810204080 // gathers those bits
}

// trimReturn cuts the carriage return of a line ending.
func trimReturn(line string) string {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// mayStartMarker reports whether a marker may begin at the line that starts with these eight bytes. It tells for most
// lines that none does, in less time than mayBeMarker takes: without a branch that depends on their indentation.
func mayStartMarker(s string) bool {
	_ = s[7]
	w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	const ones = 0x0101010101010101
	visible := (w&(0x7f*ones) + (0x7f-' ')*ones | w) & (0x80 * ones) // the highest bit of each byte greater than a space
	return visible == 0 || startsMarker[byte(w>>(bits.TrailingZeros64(visible)&^7))]
}

// mayBeMarker reports whether a line begins as a marker does, indentation aside.
func mayBeMarker(line string) bool {
	for i := range len(line) {
		if c := line[i]; c != ' ' && c != '\t' {
			return startsMarker[c]
		}
	}
	return false
}

// addMarker adds the last line if it is a marker. line is that line without indentation; start is its offset.
func (p *parser) addMarker(line string, start int) {
	k, n := markerOf(line)
	if k != noMarker {
		if p.pairer.add(token{kind: k, run: n, line: len(p.lines) - 1, start: start, end: p.pos}) {
			p.flush()
		}
	} else if tag := strings.TrimSpace(line); len(p.pairer.open) == 0 && (tag == "</think>" || tag == "</thinking>") {
		p.dropThinking(tag)
	}
}

// finish ends the reply and returns it.
func (p *parser) finish() block.Reply {
	p.flush()
	p.readForms(len(p.lines), true)
	p.prose.read(p.lines, p.consumed, len(p.lines), p.afterUnclosed)
	p.keepProse(len(p.lines))
	p.consumed = len(p.lines)
	p.settleWholes()
	if len(p.reply.Blocks) == 0 {
		p.reply.Blocks = nil
	}
	p.reply.Prose, p.reply.Said = p.prose.text.String(), p.prose.said.String()
	p.reply.Suggestions = p.prose.suggestions.list
	p.addSummary()
	return p.reply
}

// flush turns the tokens read so far into blocks and problems. It is called when no head is open or at the end of the
// reply, so that a head without an end is unclosed.
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
		case searchEnd, newEnd, editEnd:
			p.addStray(t)
		}
	}
	p.pairer.reset()
}

// addUnclosed drops a head that has no end, but keeps its path for the blocks after it.
func (p *parser) addUnclosed(t token) {
	p.counts.of[t.kind]++
	p.readForms(t.line, false)
	p.held = nil
	_, from := p.pathBefore(t.line)
	_, from = p.purposeBefore(from)
	if p.leftovers.to == 0 {
		p.leftovers.from = from
	}
	p.leftovers.to = t.line
	p.keepProse(t.line)
	p.lastInFence = false
	p.counts.unclosed = append(p.counts.unclosed, t.line+1)
	p.consumed = t.line
	p.afterUnclosed = true
}

// addStray counts an end without a head. If it follows a block, with more than blank lines and fences between, the
// end of that block may have been part of its content; the block is dropped, since its replacement may be incomplete.
func (p *parser) addStray(t token) {
	p.counts.of[t.kind]++
	if p.leftovers.to == 0 {
		p.leftovers.from = p.startOfRest(t.line)
	}
	p.leftovers.to = t.line + 1
	n := len(p.reply.Blocks) - 1
	if n < 0 || p.reply.Blocks[n].EndLine != p.consumed || !hasEndMarker(p.reply.Blocks[n].Format) {
		return
	}
	isContent := func(line string) bool { return !text.IsBlank(line) && !p.isFence(line) }
	if slices.ContainsFunc(p.lines[p.consumed:t.line], isContent) {
		at := p.reply.Blocks[n].Line
		p.addProblem(at, block.ProblemTwoEnds,
			fmt.Sprintf("Block at line %d has a second end marker at line %d", at, t.line+1))
		p.reply.Blocks = p.reply.Blocks[:n]
	}
}

// hasEndMarker reports whether blocks of a format end with a marker.
func hasEndMarker(format block.Format) bool {
	return slices.ContainsFunc(Formats(), func(f FormatInfo) bool { return f.ParsesAs == format && len(f.Dividers) > 0 })
}

// addBlock adds the block with the head tokens[i] and the end tokens[j].
func (p *parser) addBlock(i, j int) {
	head, end := p.pairer.tokens[i], p.pairer.tokens[j]
	if p.isContent(head.line) {
		p.inner = append(p.inner, head.line)
		return
	}
	p.counts.of[head.kind]++
	p.counts.of[end.kind]++
	format, from := p.pathBefore(head.line)
	purpose, said := p.purposeBefore(from)
	p.keepProse(said)
	p.lastInFence = slices.ContainsFunc(p.lines[from:head.line], p.isFence)
	p.consumed = end.line + 1
	p.afterUnclosed = false

	if len(p.reply.Blocks) == maxBlocks {
		p.counts.lastEnd = end.line + 1
		p.counts.beyond++
		return
	}
	b := block.Block{Format: format, Purpose: purpose, Raw: p.text[head.start:end.end], Line: head.line + 1,
		EndLine: end.line + 1}
	r := blockReader{lines: p.lines, tokens: p.pairer.tokens, path: p.lastPath.path, inCall: p.lastPath.element,
		dividers: p.dividers, i: i, j: j}
	kind, what := r.fill(&b)
	p.dividers = r.dividers[:0]
	if kind != "" {
		p.addProblem(b.Line, kind, "Block at line "+strconv.Itoa(b.Line)+" has "+what)
		return
	}
	p.counts.lastEnd = b.EndLine
	if !p.lastPath.assign(&b) {
		p.addProblem(b.Line, block.ProblemNoPath, "Block at line "+strconv.Itoa(b.Line)+" names no file")
		return
	}
	p.reply.Blocks = append(p.reply.Blocks, b)
}

// maxBlocks bounds the blocks of a Reply. It is far more than Apply applies by default, or a person would review.
const maxBlocks = 1000

// addSummary adds the problems that are known only at the end of the reply.
func (p *parser) addSummary() {
	c := &p.counts
	for i, line := range c.unclosed {
		if i == len(c.unclosed)-1 && line > c.lastEnd {
			p.addProblem(line, block.ProblemCutOff, "Reply was cut off inside the block at line "+strconv.Itoa(line))
		} else {
			p.addProblem(line, block.ProblemUnclosed, "Block at line "+strconv.Itoa(line)+" has no end marker")
		}
	}
	for _, n := range p.inner {
		p.addProblem(n+1, block.ProblemNotRead, fmt.Sprintf("Block at line %d is in a patch that has no end", n+1))
	}
	if c.beyond > 0 {
		p.addProblem(0, block.ProblemManyBlocks,
			fmt.Sprintf("Reply has %d blocks; those after the first %d were left out", maxBlocks+c.beyond, maxBlocks))
	}
	if p.thinking.closeTag != "" {
		name := strings.Trim(p.thinking.closeTag, "</>")
		p.addProblem(p.thinking.line, block.ProblemCutOff, "Reply was cut off inside its "+name+" section")
	}
	p.mismatch(searchHead, searchEnd, "SEARCH", "REPLACE")
	p.mismatch(newHead, newEnd, "NEW_FILE", "NEW_FILE end")
	p.mismatch(editHead, editEnd, "EDIT", "EDIT END")
	if len(p.reply.Blocks) == 0 && c.of != [thinBar + 1]int{} {
		p.addProblem(0, block.ProblemNoBlock, "No valid edit block in the reply")
	}
}

func (p *parser) mismatch(head, end markerKind, headName, endName string) {
	if h, e := p.counts.of[head], p.counts.of[end]; h != e {
		text := fmt.Sprintf("Mismatched %s/%s: %d %s vs %d %s", headName, endName, h, headName, e, endName)
		p.addProblem(0, block.ProblemMismatch, text)
	}
}

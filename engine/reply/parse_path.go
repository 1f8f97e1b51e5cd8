package reply

import (
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// pathBefore reads the lines before the head at index head: the path of the block, which it stores in p.lastPath, and
// the format that its position implies. The nearest certain path is the Path of the block; all are candidates. from
// is the first line of the block: its path line, its fence, or the head.
func (p *parser) pathBefore(head int) (format block.Format, from int) {
	p.prose.read(p.lines, p.consumed, head, p.afterUnclosed)
	line, from, info := p.lineBefore(head)
	read := pathReading{}
	format = block.FormatDiff
	if line >= 0 {
		read = readPathLine(p.lines[line], p.startsParagraph(line))
		format = p.formatAt(line, read)
	}
	if !read.isSettled() {
		read.merge(readInfo(info))
	}
	if !read.isSettled() {
		if line >= 0 {
			from = line + 1
		}
		format = p.fallbackPath(&read, line, head)
	}
	p.lastPath, p.lastFormat = read, format
	return format, p.includeFence(from)
}

// includeFence moves from up to the fence right above it, as in diff-fenced.
func (p *parser) includeFence(from int) int {
	for n := from - 1; n >= p.consumed; n-- {
		if p.isFence(p.lines[n]) && p.prose.insideFence(from) {
			return n
		}
		if !text.IsBlank(p.lines[n]) {
			break
		}
	}
	return from
}

// lineBefore returns the last line before the head that is neither blank nor a fence, or -1. from is the first line
// after it that belongs to the block, info the info string of the last fence.
func (p *parser) lineBefore(head int) (line, from int, info string) {
	from = head
	for n := head - 1; n >= p.consumed; n-- {
		s := strings.TrimSpace(p.lines[n])
		if s == "" {
			continue
		}
		f, ok := fenceOf(s, p.opts.Fence)
		if !ok && n > p.prose.shellFrom && n < p.prose.shellTo {
			return -1, from, info // a command, not a path
		}
		if !ok {
			return n, n, info
		}
		if from == head || info == "" {
			info = f.info
		}
		from = n
	}
	return -1, from, info
}

// formatAt returns the format that a path at a line implies.
func (p *parser) formatAt(line int, read pathReading) block.Format {
	switch {
	case read.header:
		return block.FormatSection
	case p.prose.insideFence(line):
		return block.FormatDiffFenced
	}
	return block.FormatDiff
}

// fallbackPath finds a path for a block without one on the line before it: the only line of the text before it that
// is unmistakably a path, else the path of the previous block. With several such lines, it finds none, since that
// would be a guess.
func (p *parser) fallbackPath(read *pathReading, line, head int) block.Format {
	if p.afterUnclosed {
		*read = pathReading{} // the line above is content of the unclosed block, and so may this head be
		if !p.startsParagraph(head) {
			return block.FormatDiff
		}
	}
	found, at, clear := p.onlyPathAbove(head)
	switch {
	case clear && found.path != "":
		read.merge(found)
		return p.formatAt(at, found)
	case clear && p.lastPath.path != "":
		read.merge(p.lastPath)
		return p.lastFormat
	case read.path != "":
		return p.formatAt(line, *read)
	}
	return block.FormatDiff
}

// onlyPathAbove returns the line between the previous block and the head that is unmistakably a path. Of several
// headers, the last counts; clear is false if several other lines differ.
func (p *parser) onlyPathAbove(head int) (found pathReading, at int, clear bool) {
	var open fences
	clear = true
	for n := p.consumed; n < head; n++ {
		s := strings.TrimSpace(p.lines[n])
		if f, ok := fenceOf(s, p.opts.Fence); ok {
			open.step(f)
			continue
		}
		if s == "" || open.inCode() && s[0] != '<' {
			continue
		}
		r := readPathLine(s, p.startsParagraph(n))
		switch {
		case !r.isUnmistakable() || p.afterUnclosed && !r.header || open.inCode() && !r.element:
		case r.header, r.element:
			found, at, clear = r, n, true
		case found.path == "":
			found, at = r, n
		case found.path != r.path && !found.header:
			clear = false
		}
	}
	return found, at, clear
}

package engine

// lead reads what stands before the head at line index head: it settles which path the block has, and which format that
// makes it. Of several sources the nearest sure one gives Path; all of them are candidates. From is the first line that
// belongs to the block: its path line or fence, or the head.
func (p *parser) lead(head int) (format Format, from int) {
	p.prose.read(p.lines, p.settled, head, p.cutGap)
	near, from, info := p.nearest(head)
	read := pathReading{}
	format = FormatDiff
	if near >= 0 {
		read = readPathLine(p.lines[near], p.alone(near))
		format = p.formatAt(near, read)
	}
	if !read.sure() && !read.unread() {
		read.add(readInfo(info))
	}
	if !read.sure() && !read.unread() {
		if near >= 0 {
			from = near + 1
		}
		format = p.fallBack(&read, near, head)
	}
	p.path, p.format = read, format
	return format, p.withFence(from)
}

// withFence moves from up over the fence that opens right above it, as in diff-fenced.
func (p *parser) withFence(from int) int {
	for n := from - 1; n >= p.settled; n-- {
		if p.isFence(p.lines[n]) && p.prose.inside(from) {
			return n
		}
		if !isBlank(p.lines[n]) {
			break
		}
	}
	return from
}

// nearest finds the last line before the head that is neither blank nor a fence, or -1. It also returns the first line of
// the run from there to the head, and the info string of the last fence.
func (p *parser) nearest(head int) (near, from int, info string) {
	from = head
	for n := head - 1; n >= p.settled; n-- {
		s := trim(p.lines[n])
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

// alone says that line n has nothing beside it above: a blank line, a fence, or the beginning.
func (p *parser) alone(n int) bool {
	if n <= p.settled {
		return true
	}
	return isBlank(p.lines[n-1]) || p.isFence(p.lines[n-1])
}

func (p *parser) formatAt(near int, read pathReading) Format {
	switch {
	case read.header:
		return FormatSection
	case p.prose.inside(near):
		return FormatDiffFenced
	}
	return FormatDiff
}

// fallBack finds a path for a block whose nearest line is none: a line of the text before it that is nothing but a path, or
// else the path of the block before. Two such lines that differ leave it without: that is where guessing begins.
func (p *parser) fallBack(read *pathReading, near, head int) Format {
	if p.cutGap && !p.alone(head) {
		*read = pathReading{} // the line above is the cut block's content, and so may this head be
		return FormatDiff
	}
	if p.cutGap {
		*read = pathReading{}
	}
	own := FormatDiff
	if read.path != "" {
		own = p.formatAt(near, *read)
	}
	found, at, clear := p.pathAbove(head)
	switch {
	case !clear:
		return own
	case found.sure():
		read.add(found)
		return p.formatAt(at, found)
	case p.path.path == "":
		return own
	}
	read.add(p.path)
	return p.format
}

// pathAbove looks for the one line between the block before and the head that is a path beyond doubt; the last header wins.
// It is not clear when several differ.
func (p *parser) pathAbove(head int) (found pathReading, at int, clear bool) {
	var open fences
	clear = true
	for n := p.settled; n < head; n++ {
		s := trim(p.lines[n])
		if f, ok := fenceOf(s, p.opts.Fence); ok {
			open.step(f)
			continue
		}
		if s == "" || len(open) > 0 && !open[len(open)-1].isText() {
			continue
		}
		r := readPathLine(s, p.alone(n))
		switch {
		case !r.stands() || p.cutGap && !r.header:
		case r.header:
			found, at, clear = r, n, true
		case found.path == "":
			found, at = r, n
		case found.path != r.path && !found.header:
			clear = false
		}
	}
	return found, at, clear
}

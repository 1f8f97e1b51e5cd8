package engine

import (
	"slices"
	"strings"
)

// maxSplits bounds the lines that may be the divider of a block. Nobody could review an edit with more.
const maxSplits = 32

// fillBlock sets the halves of the block between tokens[i] and tokens[j]. If it cannot, it returns the kind of the
// problem and its description.
func (p *parser) fillBlock(b *Block, i, j int) (problem ProblemKind, what string) {
	head, end := p.pairer.tokens[i], p.pairer.tokens[j]
	body := dedent(p.lines[head.line:end.line], p.lines[end.line])
	switch head.kind {
	case newHead:
		b.Format, b.Create = FormatSection, true
		b.Replace = body[1:len(body):len(body)]
		b.New = b.Replace
		return "", ""
	case editHead:
		if p.firstSeparator(i, j) == thinBar {
			return p.fillAnchored(b, body, i, j)
		}
		b.Format = FormatV3
		p.findDividers(i, j, replDivider, false)
		return p.splitHalves(b, body, head, "(═══════ REPL)")
	default:
		p.findDividers(i, j, divider, false)
		if len(p.dividers) == 0 {
			p.findDividers(i, j, divider, true)
		}
		if len(p.dividers) == 0 {
			p.findOwnDivider(i, j)
		}
		p.preferRunLength(head.run)
		return p.splitHalves(b, body, head, "(=======)")
	}
}

// dedent removes the indentation of the head from all lines of a block, if they have it, as in a list item.
func dedent(lines []string, end string) []string {
	first := lines[0]
	prefix := indentOf(first)
	if prefix == "" || !strings.HasPrefix(end, prefix) {
		return lines
	}
	for _, line := range lines {
		if !strings.HasPrefix(line, prefix) && !isBlank(line) {
			return lines
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		if strings.HasPrefix(line, prefix) {
			out[i] = line[len(prefix):]
		}
	}
	return out
}

// eachToken calls f for the tokens between i and j that are not inside a complete block, nor inside a merge conflict
// unless conflicts is set.
func (p *parser) eachToken(i, j int, conflicts bool, f func(int, token)) {
	for k := i + 1; k < j; k++ {
		t := p.pairer.tokens[k]
		if t.closedBy != 0 && (!conflicts || t.kind != conflictHead) {
			k = t.closedBy
			continue
		}
		f(k, t)
	}
}

// findDividers sets p.dividers to the tokens that may be the divider between tokens i and j.
func (p *parser) findDividers(i, j int, k markerKind, conflicts bool) {
	p.dividers = p.dividers[:0]
	p.eachToken(i, j, conflicts, func(at int, t token) {
		if t.kind == k {
			p.dividers = append(p.dividers, at)
		}
	})
}

// findOwnDivider sets p.dividers to the dividers as long as the head, between markers of another length that pair up
// across them: those are content, even if one half has the head and the other the end.
func (p *parser) findOwnDivider(i, j int) {
	run := p.pairer.tokens[i].run
	for k := i + 1; k < j; k++ {
		switch t := p.pairer.tokens[k]; {
		case t.closedBy != 0 && t.run == run:
			k = t.closedBy
		case t.kind == divider && t.run == run:
			p.dividers = append(p.dividers, k)
		}
	}
}

// preferRunLength reduces p.dividers: the only one as long as the head is the divider, and one longer than models
// write is an underline if there are others.
func (p *parser) preferRunLength(run int) {
	own, usual := -1, 0
	for n, at := range p.dividers {
		switch r := p.pairer.tokens[at].run; {
		case r == run && own == -1:
			own, usual = n, usual+1
		case r == run:
			own, usual = -2, usual+1
		case r <= maxDivider:
			usual++
		}
	}
	if own >= 0 {
		p.dividers = append(p.dividers[:0], p.dividers[own])
		return
	}
	if usual == 0 || usual == len(p.dividers) {
		return
	}
	kept := p.dividers[:0]
	for _, at := range p.dividers {
		if r := p.pairer.tokens[at].run; r == run || r <= maxDivider {
			kept = append(kept, at)
		}
	}
	p.dividers = kept
}

// splitHalves splits body, which begins with the head, at p.dividers.
func (p *parser) splitHalves(b *Block, body []string, head token, want string) (problem ProblemKind, what string) {
	n := len(p.dividers)
	if n == 0 {
		return ProblemNoDivider, "no divider " + want
	}
	if n > maxSplits {
		return ProblemManyDividers, "too many lines that could be its divider " + want
	}
	to, mid := len(body), n/2
	switch p.classifyLastDivider(body, head) {
	case doubtfulDivider:
		return ProblemManyDividers, "a line before its end marker that may be a second divider or a heading's underline"
	case secondDivider:
		to, mid = to-1, (n-1)/2
	}
	split := func(at int) Split {
		d := p.pairer.tokens[at].line - head.line
		end := max(to, d+1)
		return Split{Find: body[1:d:d], Replace: body[d+1 : end : end]}
	}
	// The halves mostly have about the same length, so the divider in the middle is the likeliest.
	likely := split(p.dividers[mid])
	b.Find, b.Replace = likely.Find, likely.Replace
	if n > 1 {
		b.Splits = make([]Split, n)
		for s, at := range p.dividers {
			b.Splits[s] = split(at)
		}
	}
	b.Create = allBlank(b.Find)
	same := commonPrefix(b.Find, b.Replace)
	b.Anchor, b.Old, b.New = b.Find[:same:same], b.Find[same:], b.Replace[same:]
	return "", ""
}

// firstSeparator returns the first separator of an EDIT block.
func (p *parser) firstSeparator(i, j int) markerKind {
	first := noMarker
	p.eachToken(i, j, false, func(_ int, t token) {
		if first == noMarker && (t.kind == replDivider || t.kind == thinBar) {
			first = t.kind
		}
	})
	return first
}

func (p *parser) fillAnchored(b *Block, body []string, i, j int) (problem ProblemKind, what string) {
	b.Format = FormatAnchored
	head, stage, at := p.pairer.tokens[i], stageStart, [3]int{}
	p.eachToken(i, j, false, func(_ int, t token) {
		if next := nextStage(stage, t.kind); next != stage {
			at[next-stageOld] = t.line - head.line
			stage = next
		}
	})
	switch stage {
	case stageOld:
		return ProblemNoDivider, "no divider (═══════)"
	case stageNew:
		return ProblemNoDivider, "no second separator (───────)"
	}
	b.Anchor = body[1:at[0]:at[0]]
	b.Old = body[at[0]+1 : at[1] : at[1]]
	b.New = body[at[1]+1 : at[2] : at[2]]
	b.Tail = body[at[2]+1 : len(body) : len(body)]
	b.Find = slices.Concat(b.Anchor, b.Old, b.Tail)
	b.Replace = slices.Concat(b.Anchor, b.New, b.Tail)
	b.Create = allBlank(b.Find)
	return "", ""
}

package reply

// token is a marker line. line is an index in the parser's lines, start and end are offsets in its text.
type token struct {
	kind       markerKind
	run        int
	line       int
	start, end int
	// closedBy is the index of the end that closes this head, or 0. While the head is open, it is that of the first end
	// of another length, which closes it if none of its own length follows.
	closedBy int
	// stage is the state of an EDIT block, or counts the dividers of a merge conflict.
	stage int
}

// The stages of an EDIT block. Its first separator decides whether it is v3 or anchored.
const (
	stageStart = iota
	stageV3
	stageOld
	stageNew
	stageTail
)

// nextStage returns the stage of an EDIT block after a separator.
func nextStage(stage int, k markerKind) int {
	switch {
	case stage == stageStart && k == replDivider:
		return stageV3
	case stage == stageStart && k == thinBar:
		return stageOld
	case stage == stageOld && k == thickBar:
		return stageNew
	case stage == stageNew && k == thinBar:
		return stageTail
	}
	return stage
}

// pairer pairs heads with ends like brackets. A head that never gets an end stays open and has no effect on complete
// blocks after it.
type pairer struct {
	tokens []token // the first is none, so that no index is 0
	open   []int   // the heads that have no end yet, outermost first
}

func (p *pairer) reset() {
	if p.tokens == nil {
		p.tokens, p.open = make([]token, 0, 8), make([]int, 0, 2) // enough for a plain block
	}
	p.tokens, p.open = append(p.tokens[:0], token{}), p.open[:0]
}

// add adds the next marker. It reports whether it closed the last open head.
func (p *pairer) add(t token) bool {
	switch t.kind {
	case searchHead, newHead, editHead:
		p.push(t)
	case searchEnd:
		return p.closeInnermost(searchHead, t)
	case newEnd:
		return p.closeInnermost(newHead, t)
	case editEnd:
		return p.closeInnermost(editHead, t)
	case bareEnd: // ends an anchored block in its last section, and is content elsewhere
		if n := p.innermost(editHead, 0); n >= 0 && p.tokens[p.open[n]].stage == stageTail {
			t.kind = editEnd
			return p.close(n, t)
		}
	default:
		if len(p.open) > 0 {
			p.addContent(t)
		}
	}
	return false
}

// addContent adds a separator, or a marker of a merge conflict, whose divider divides no block.
func (p *pairer) addContent(t token) {
	top := &p.tokens[p.open[len(p.open)-1]]
	inConflict := top.kind == conflictHead && top.run == t.run
	switch t.kind {
	case conflictHead:
		p.push(t)
	case conflictEnd:
		if inConflict && top.stage > 0 {
			p.close(len(p.open)-1, t)
		}
	case divider:
		if inConflict {
			top.stage++
		}
		p.addToken(t)
	default:
		if n := p.innermost(editHead, 0); n >= 0 {
			head := &p.tokens[p.open[n]]
			head.stage = nextStage(head.stage, t.kind)
			p.addToken(t)
		}
	}
}

// addToken appends t to the tokens and returns its index.
func (p *pairer) addToken(t token) int {
	p.tokens = append(p.tokens, t)
	return len(p.tokens) - 1
}

func (p *pairer) push(t token) { p.open = append(p.open, p.addToken(t)) }

// close closes an open head, and forgets those inside it. It reports whether no other is open.
func (p *pairer) close(n int, t token) bool {
	for _, inner := range p.open[n:] {
		p.tokens[inner].closedBy = 0
	}
	p.tokens[p.open[n]].closedBy = p.addToken(t)
	p.open = p.open[:n]
	return n == 0
}

// closeInnermost closes the innermost head of the same length as the end, since models use longer markers around
// content with shorter ones. If no open head has that length, the end may close the innermost one later, if no better
// one follows.
func (p *pairer) closeInnermost(k markerKind, t token) bool {
	if n := p.innermost(k, t.run); n >= 0 {
		return p.close(n, t)
	}
	at := p.addToken(t)
	if n := p.innermost(k, 0); n >= 0 && p.tokens[p.open[n]].closedBy == 0 {
		p.tokens[p.open[n]].closedBy = at
	}
	return false
}

// maxOpen bounds the search for an open head, so that a reply takes linear time.
const maxOpen = 64

// innermost returns where the innermost open head of a kind and a length (0 is any) is in open, or -1.
func (p *pairer) innermost(k markerKind, run int) int {
	for n := len(p.open) - 1; n >= max(0, len(p.open)-maxOpen); n-- {
		if head := p.tokens[p.open[n]]; head.kind == k && (run == 0 || head.run == run) {
			return n
		}
	}
	return -1
}

package engine

// token is a marker line. Lines are indices into the parser's lines, offsets are into its text.
type token struct {
	kind       markerKind
	run        int
	line       int
	start, end int
	// match is the index of the end that closes this head, or 0.
	closedBy int
}

// frame is a head that waits for its end.
type frame struct {
	token int
	kind  markerKind
	run   int
	// stage is where an EDIT block stands, or counts the dividers of a merge conflict.
	stage int
	// soft is the first end of another length, which closes the frame if none of its own length comes.
	fallbackEnd int
	// below is the next frame of the same kind down the stack, or -1.
	prevOfKind int
}

// The stages of an EDIT block: its first separator decides whether it is v3 or anchored.
const (
	stageStart = iota
	stageV3
	stageOld
	stageNew
	stageTail
)

// matcher pairs heads with ends like brackets. A head that never finds its end stays on the stack and hides nothing: what is
// complete above it counts as if the head were not there. Every token is pushed and popped at most once.
type pairer struct {
	tokens []token
	stack  []frame
	topOfKind    [conflictHead + 1]int
}

func (p *pairer) reset() {
	p.tokens = append(p.tokens[:0], token{}) // so that no index is 0
	p.stack = p.stack[:0]
	for i := range p.topOfKind {
		p.topOfKind[i] = -1
	}
}

// add takes the next marker. It reports whether that marker closed the last open head.
func (p *pairer) add(t token) bool {
	switch t.kind {
	case searchHead, newHead, editHead:
		p.push(t)
	case conflictHead:
		if len(p.stack) > 0 {
			p.push(t)
		}
		return false
	case conflictEnd:
		p.closeConflict(t)
		return false
	case searchEnd:
		return p.closeInnermost(searchHead, t)
	case newEnd:
		return p.closeInnermost(newHead, t)
	case editEnd:
		return p.closeInnermost(editHead, t)
	case bareEnd:
		return p.closeAnchored(t)
	default:
		p.addSeparator(t)
	}
	return false
}

func (p *pairer) addToken(t token) int {
	p.tokens = append(p.tokens, t)
	return len(p.tokens) - 1
}

func (p *pairer) push(t token) {
	p.stack = append(p.stack, frame{token: p.addToken(t), kind: t.kind, run: t.run, prevOfKind: p.topOfKind[t.kind]})
	p.topOfKind[t.kind] = len(p.stack) - 1
}

// popTo removes the frames above and including f.
func (p *pairer) popTo(f int) {
	for i := len(p.stack) - 1; i >= f; i-- {
		p.topOfKind[p.stack[i].kind] = p.stack[i].prevOfKind
	}
	p.stack = p.stack[:f]
}

func (p *pairer) closeFrame(f int, t token) bool {
	p.tokens[p.stack[f].token].closedBy = p.addToken(t)
	p.popTo(f)
	return f == 0
}

// closeNearest closes the nearest head of the end's own length, for longer marks are how a model says that shorter ones are
// content. An end of a length that no open head has is kept in mind for the nearest, in case no better one comes.
func (p *pairer) closeInnermost(k markerKind, t token) bool {
	f := p.topOfKind[k]
	if f < 0 {
		p.addToken(t) // stray
		return false
	}
	for i := f; i >= 0; i = p.stack[i].prevOfKind {
		if p.stack[i].run == t.run {
			return p.closeFrame(i, t)
		}
		if f-i > maxSkip {
			break
		}
	}
	at := p.addToken(t)
	if p.stack[f].fallbackEnd == 0 {
		p.stack[f].fallbackEnd = at
	}
	return false
}

// finish closes the heads for which only an end of another length came.
func (p *pairer) finish() {
	for _, f := range p.stack {
		p.tokens[f.token].closedBy = f.fallbackEnd
	}
}

// maxSkip bounds the search for a head of the end's own length.
const maxSkip = 64

// closeAnchored takes a bare »»», which ends an anchored block in its last section and is content everywhere else.
func (p *pairer) closeAnchored(t token) bool {
	if f := p.topOfKind[editHead]; f >= 0 && p.stack[f].stage == stageTail {
		return p.closeFrame(f, t)
	}
	return false
}

// closeConflict pairs the marks of a merge conflict that stands in a block's content, so that its ======= is no divider.
func (p *pairer) closeConflict(t token) {
	f := len(p.stack) - 1
	if f >= 0 && p.stack[f].kind == conflictHead && p.stack[f].stage > 0 && p.stack[f].run == t.run {
		p.closeFrame(f, t)
	}
}

func (p *pairer) addSeparator(t token) {
	if len(p.stack) == 0 {
		return
	}
	if t.kind == divider {
		p.addToken(t)
		if top := &p.stack[len(p.stack)-1]; top.kind == conflictHead && top.run == t.run {
			top.stage++
		}
		return
	}
	f := p.topOfKind[editHead]
	if f < 0 {
		return
	}
	p.addToken(t)
	p.stack[f].stage = nextStage(p.stack[f].stage, t.kind)
}

// nextStage is the state machine of an EDIT block.
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

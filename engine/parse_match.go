package engine

// token is a marker line. Lines are indices into the parser's lines, offsets are into its text.
type token struct {
	kind       kind
	run        int
	line       int
	start, end int
	// match is the index of the end that closes this head, or 0.
	match int
}

// frame is a head that waits for its end.
type frame struct {
	token int
	kind  kind
	run   int
	// stage is where an EDIT block stands, or counts the dividers of a merge conflict.
	stage int
	// soft is the first end of another length, which closes the frame if none of its own length comes.
	soft int
	// below is the next frame of the same kind down the stack, or -1.
	below int
}

// The stages of an EDIT block: its first separator decides whether it is v3 or anchored.
const (
	stageLead = iota
	stageV3
	stageOld
	stageNew
	stageTrail
)

// matcher pairs heads with ends like brackets. A head that never finds its end stays on the stack and hides nothing: what is
// complete above it counts as if the head were not there. Every token is pushed and popped at most once.
type matcher struct {
	tokens []token
	stack  []frame
	top    [conflictHead + 1]int
}

func (m *matcher) reset() {
	m.tokens = append(m.tokens[:0], token{}) // so that no index is 0
	m.stack = m.stack[:0]
	for i := range m.top {
		m.top[i] = -1
	}
}

// add takes the next marker. It reports whether that marker closed the last open head.
func (m *matcher) add(t token) bool {
	switch t.kind {
	case searchHead, newHead, editHead:
		m.push(t)
	case conflictHead:
		if len(m.stack) > 0 {
			m.push(t)
		}
		return false
	case conflictEnd:
		m.closeConflict(t)
		return false
	case searchEnd:
		return m.closeNearest(searchHead, t)
	case newEnd:
		return m.closeNearest(newHead, t)
	case editEnd:
		return m.closeNearest(editHead, t)
	case bareEnd:
		return m.closeAnchored(t)
	default:
		m.separate(t)
	}
	return false
}

func (m *matcher) keep(t token) int {
	m.tokens = append(m.tokens, t)
	return len(m.tokens) - 1
}

func (m *matcher) push(t token) {
	m.stack = append(m.stack, frame{token: m.keep(t), kind: t.kind, run: t.run, below: m.top[t.kind]})
	m.top[t.kind] = len(m.stack) - 1
}

// popTo removes the frames above and including f.
func (m *matcher) popTo(f int) {
	for i := len(m.stack) - 1; i >= f; i-- {
		m.top[m.stack[i].kind] = m.stack[i].below
	}
	m.stack = m.stack[:f]
}

func (m *matcher) closeFrame(f int, t token) bool {
	m.tokens[m.stack[f].token].match = m.keep(t)
	m.popTo(f)
	return f == 0
}

// closeNearest closes the nearest head of the end's own length, for longer marks are how a model says that shorter ones are
// content. An end of a length that no open head has is kept in mind for the nearest, in case no better one comes.
func (m *matcher) closeNearest(k kind, t token) bool {
	f := m.top[k]
	if f < 0 {
		m.keep(t) // stray
		return false
	}
	for i := f; i >= 0; i = m.stack[i].below {
		if m.stack[i].run == t.run {
			return m.closeFrame(i, t)
		}
		if f-i > maxSkip {
			break
		}
	}
	at := m.keep(t)
	if m.stack[f].soft == 0 {
		m.stack[f].soft = at
	}
	return false
}

// finish closes the heads for which only an end of another length came.
func (m *matcher) finish() {
	for _, f := range m.stack {
		m.tokens[f.token].match = f.soft
	}
}

// maxSkip bounds the search for a head of the end's own length.
const maxSkip = 64

// closeAnchored takes a bare »»», which ends an anchored block in its last section and is content everywhere else.
func (m *matcher) closeAnchored(t token) bool {
	if f := m.top[editHead]; f >= 0 && m.stack[f].stage == stageTrail {
		return m.closeFrame(f, t)
	}
	return false
}

// closeConflict pairs the marks of a merge conflict that stands in a block's content, so that its ======= is no divider.
func (m *matcher) closeConflict(t token) {
	f := len(m.stack) - 1
	if f >= 0 && m.stack[f].kind == conflictHead && m.stack[f].stage > 0 && m.stack[f].run == t.run {
		m.closeFrame(f, t)
	}
}

func (m *matcher) separate(t token) {
	if len(m.stack) == 0 {
		return
	}
	if t.kind == divider {
		m.keep(t)
		if top := &m.stack[len(m.stack)-1]; top.kind == conflictHead && top.run == t.run {
			top.stage++
		}
		return
	}
	f := m.top[editHead]
	if f < 0 {
		return
	}
	m.keep(t)
	m.stack[f].stage = nextStage(m.stack[f].stage, t.kind)
}

// nextStage is the state machine of an EDIT block.
func nextStage(stage int, k kind) int {
	switch {
	case stage == stageLead && k == replDivider:
		return stageV3
	case stage == stageLead && k == thinBar:
		return stageOld
	case stage == stageOld && k == thickBar:
		return stageNew
	case stage == stageNew && k == thinBar:
		return stageTrail
	}
	return stage
}

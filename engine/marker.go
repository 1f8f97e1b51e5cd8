package engine

import "strings"

// kind is what a marker line is; noMarker is every other line.
type markerKind uint8

const (
	noMarker     markerKind = iota
	searchHead              // <<<<<<< SEARCH
	newHead                 // <<<<<<< NEW_FILE
	editHead                // ««« EDIT
	conflictHead            // <<<<<<< HEAD, as git leaves it in a file
	searchEnd               // >>>>>>> REPLACE
	newEnd                  // >>>>>>> NEW_FILE
	editEnd                 // »»» EDIT END
	bareEnd                 // »»»
	conflictEnd             // >>>>>>> branch
	divider                 // =======
	replDivider             // ═══════ REPL
	thickBar                // ═══════
	thinBar                 // ───────
)

// minRun is how often a marker's character repeats at least. Prompts ask for seven and models write five to nine; a longer
// run with its word behind it is a marker as well, a longer divider only where the block has no other (see dividers).
const (
	minRun       = 5
	maxDivider   = 9
	minGuillemet = 3
)

// opensMarker are the first bytes of markers: most lines are told apart by them.
var startsMarker = [256]bool{'<': true, '>': true, '=': true, 0xC2: true, 0xE2: true}

const whitespace = " \t\r"

// markerOf says which marker a line is and how long its run. The line must start with its first non-blank byte.
func markerOf(s string) (markerKind, int) {
	switch s[0] {
	case '<', '=', '>':
		return asciiMarker(s)
	case 0xC2:
		return guillemetMarker(s)
	case 0xE2:
		return barMarker(s)
	}
	return noMarker, 0
}

func asciiMarker(s string) (markerKind, int) {
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	if n < minRun {
		return noMarker, 0
	}
	word, separated := wordAfter(s[n:])
	if !separated {
		return noMarker, 0
	}
	switch s[0] {
	case '=':
		return when(word == "", divider), n
	case '<':
		return byWord(word, searchHead, "SEARCH", newHead, conflictHead), n
	default:
		return byWord(word, searchEnd, "REPLACE", newEnd, conflictEnd), n
	}
}

// pick names the marker by its word. A trailing > is a habit of some models.
func byWord(word string, edit markerKind, editWord string, file, other markerKind) markerKind {
	switch strings.TrimSuffix(word, ">") {
	case editWord:
		return edit
	case "NEW_FILE":
		return file
	}
	return other
}

func guillemetMarker(s string) (markerKind, int) {
	left := strings.HasPrefix(s, "«")
	if !left && !strings.HasPrefix(s, "»") {
		return noMarker, 0
	}
	n, rest := cutRun(s, s[:2])
	word, separated := wordAfter(rest)
	switch {
	case n < minGuillemet || !separated:
	case left && word == "EDIT":
		return editHead, n
	case left:
	case word == "":
		return bareEnd, n
	case strings.HasPrefix(word, "EDIT") && trimSpace(word[len("EDIT"):]) == "END":
		return editEnd, n
	}
	return noMarker, 0
}

func barMarker(s string) (markerKind, int) {
	thick := strings.HasPrefix(s, "═")
	if !thick && !strings.HasPrefix(s, "─") {
		return noMarker, 0
	}
	n, rest := cutRun(s, s[:3])
	word, separated := wordAfter(rest)
	switch {
	case n < minRun || !separated:
	case thick && word == "REPL":
		return replDivider, n
	case word != "":
	case thick:
		return thickBar, n
	default:
		return thinBar, n
	}
	return noMarker, 0
}

// runOf counts how often s starts with unit, and returns what follows.
func cutRun(s, unit string) (int, string) {
	n := 0
	for strings.HasPrefix(s, unit) {
		s = s[len(unit):]
		n++
	}
	return n, s
}

// wordAfter returns the trimmed text behind a run, and whether a blank (or nothing) stands between.
func wordAfter(rest string) (word string, separated bool) {
	if rest == "" {
		return "", true
	}
	return trimSpace(rest), strings.IndexByte(whitespace, rest[0]) >= 0
}

func when(ok bool, k markerKind) markerKind {
	if ok {
		return k
	}
	return noMarker
}

// trim cuts blanks off both ends. It is strings.Trim without the set-up, for it runs on every line of prose.
func trimSpace(s string) string {
	for s != "" && isSpaceByte(s[0]) {
		s = s[1:]
	}
	for s != "" && isSpaceByte(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func isSpaceByte(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

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
	tokens    []token
	stack     []frame
	topOfKind [conflictHead + 1]int
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

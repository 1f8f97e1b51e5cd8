package engine

import (
	"strings"
	"unicode"
)

// markerKind is the kind of a marker line; noMarker is any other line.
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

// minRun is the minimum length of the run of characters that begins a marker. Prompts ask for seven, and models write
// five to nine. A longer run with its word is a marker too; a longer divider is one only if the block has no other
// (see preferRunLength).
const (
	minRun       = 5
	maxDivider   = 9
	minGuillemet = 3
)

// startsMarker are the first bytes of markers, which rule out most lines.
var startsMarker = [256]bool{'<': true, '>': true, '=': true, 0xC2: true, 0xE2: true}

const whitespace = " \t\r"

// markerOf returns the kind of a marker line and the length of its run. The line must begin with a character other
// than a space.
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
		if word != "" {
			return noMarker, 0
		}
		return divider, n
	case '<':
		return byWord(word, searchHead, "SEARCH", newHead, conflictHead), n
	default:
		return byWord(word, searchEnd, "REPLACE", newEnd, conflictEnd), n
	}
}

// byWord returns the kind of a marker by its word. Some models write a trailing >, or a note.
func byWord(word string, edit markerKind, editWord string, file, other markerKind) markerKind {
	switch strings.TrimSuffix(withoutNote(word), ">") {
	case editWord:
		return edit
	case "NEW_FILE":
		return file
	}
	return other
}

// withoutNote cuts "(end)" or "<!-- old -->" after the word of a marker. A note is only words: one that could name a
// file is not ignored.
func withoutNote(word string) string {
	n := strings.IndexByte(word, ' ')
	if n < 0 {
		return word
	}
	note := trimSpace(word[n:])
	for _, around := range [][2]string{{"(", ")"}, {"<!--", "-->"}} {
		text, opened := strings.CutPrefix(note, around[0])
		text, closed := strings.CutSuffix(text, around[1])
		if opened && closed && !strings.ContainsFunc(text, isNoWord) {
			return word[:n]
		}
	}
	return word
}

// isNoWord reports whether r is part of something other than words: of a path, or of code.
func isNoWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ' ' && r != '-' && r != ','
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

// cutRun counts how many times s begins with unit, and returns the rest.
func cutRun(s, unit string) (int, string) {
	n := 0
	for strings.HasPrefix(s, unit) {
		s = s[len(unit):]
		n++
	}
	return n, s
}

// wordAfter returns the trimmed text after a run, and whether a space (or nothing) separates them.
func wordAfter(rest string) (word string, separated bool) {
	if rest == "" {
		return "", true
	}
	return trimSpace(rest), strings.IndexByte(whitespace, rest[0]) >= 0
}

// trimSpace is like strings.Trim with whitespace, but faster: it is called for every line of prose.
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

// token is a marker line. line is an index in the parser's lines, start and end are offsets in its text.
type token struct {
	kind       markerKind
	run        int
	line       int
	start, end int
	// closedBy is the index of the end that closes this head, or 0.
	closedBy int
}

// frame is a head that has no end yet.
type frame struct {
	token int
	kind  markerKind
	run   int
	// stage is the state of an EDIT block, or counts the dividers of a merge conflict.
	stage int
	// fallbackEnd is the first end of another length, which closes the frame if none of its own length follows.
	fallbackEnd int
	// prevOfKind is the next frame of the same kind down the stack, or -1.
	prevOfKind int
}

// The stages of an EDIT block. Its first separator decides whether it is v3 or anchored.
const (
	stageStart = iota
	stageV3
	stageOld
	stageNew
	stageTail
)

// pairer pairs heads with ends like brackets. A head that never gets an end stays on the stack and has no effect on
// complete blocks above it. Each token is pushed and popped at most once.
type pairer struct {
	tokens    []token
	stack     []frame
	topOfKind [conflictHead + 1]int
}

func (p *pairer) reset() {
	if p.tokens == nil {
		p.tokens, p.stack = make([]token, 0, 8), make([]frame, 0, 2) // enough for a plain block
	}
	p.tokens = append(p.tokens[:0], token{}) // so that no index is 0
	p.stack = p.stack[:0]
	for i := range p.topOfKind {
		p.topOfKind[i] = -1
	}
}

// add adds the next marker. It reports whether it closed the last open head.
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

// addToken appends t to the tokens and returns its index.
func (p *pairer) addToken(t token) int {
	p.tokens = append(p.tokens, t)
	return len(p.tokens) - 1
}

func (p *pairer) push(t token) {
	p.stack = append(p.stack, frame{token: p.addToken(t), kind: t.kind, run: t.run, prevOfKind: p.topOfKind[t.kind]})
	p.topOfKind[t.kind] = len(p.stack) - 1
}

func (p *pairer) closeFrame(f int, t token) bool {
	p.tokens[p.stack[f].token].closedBy = p.addToken(t)
	for i := len(p.stack) - 1; i >= f; i-- {
		p.topOfKind[p.stack[i].kind] = p.stack[i].prevOfKind
	}
	p.stack = p.stack[:f]
	return f == 0
}

// closeInnermost closes the innermost head of the same length as the end, since models use longer markers around
// content with shorter ones. If no open head has that length, the end may close the innermost one later, if no better
// one follows.
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

// finish closes the heads for which only an end of another length was found.
func (p *pairer) finish() {
	for _, f := range p.stack {
		p.tokens[f.token].closedBy = f.fallbackEnd
	}
}

// maxSkip bounds the search for a head of the same length.
const maxSkip = 64

// closeAnchored adds a bare »»», which ends an anchored block in its last section and is content elsewhere.
func (p *pairer) closeAnchored(t token) bool {
	if f := p.topOfKind[editHead]; f >= 0 && p.stack[f].stage == stageTail {
		return p.closeFrame(f, t)
	}
	return false
}

// closeConflict pairs the markers of a merge conflict in the content of a block, so that its ======= is not a
// divider.
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

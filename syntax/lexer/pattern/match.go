package pattern

import (
	"math"
	"unicode"

	"github.com/dlclark/regexp2/v2/syntax"
)

const unlimited = math.MaxInt32

type operation uint8

const (
	opMatch operation = iota
	opFail
	opOne        // one character of a class
	opGreedy     // as many characters of a class as there are, or fewer
	opPossessive // as many characters of a class as there are
	opLazy       // as few characters of a class as possible, or more
	opText
	opReference
	opAssert
	opJump
	opAlternate
	opRepeat      // begins a loop
	opAgain       // ends a pass of a loop
	opAgainLazily // the same, for a lazy loop
	opOpen        // begins a group
	opClose       // ends a group
	opAtomic      // begins what is not tried in another way once it has matched
	opCommit      // ends that
	opLook        // begins what must match here, but is not part of the match
	opSeen        // ends that
	opUnless      // begins what must not match here
	opRefuse      // ends that
)

type instruction struct {
	op operation
	// left: it goes from right to left, as in what looks behind. fold: case does not matter.
	left, fold bool
	assertion  syntax.NodeType
	// target and register are the index of an instruction and of a register, or the first of several; group is the first
	// register of a group.
	target, register, group int
	min, max                int
	class                   *class
	text                    []rune
	branches                []branch
}

// branch is one of the alternatives of an instruction.
type branch struct {
	target int
	first  first
}

// The memory of a Matcher is bounded: 16 MB for each of the choices and changes.
const (
	maxChoices = 1 << 20
	maxChanges = 1 << 21
)

// choice is where to go on if what was tried does not match. count is how many characters may be given back or taken,
// or the alternative that is next.
type choice struct{ at, pos, count, changes int32 }

// change is a register and what it was.
type change struct{ register, was int32 }

// Matcher matches patterns within a number of steps. Its memory is used again. It is not safe for concurrent use.
type Matcher struct {
	// Steps is how many steps are left; it is negative once they are used up.
	Steps int

	text      []rune
	registers []int32
	choices   []choice
	changes   []change
}

// Match reports whether text[pos:] begins with a match, and whether that is known: it is not if the steps are used up,
// or it takes too much memory. What is before pos can be seen by what looks behind.
func (m *Matcher) Match(p *Pattern, text []rune, pos int) (ok, known bool) {
	m.Steps--
	if m.Steps < 0 || !p.first.allows(text, pos) {
		return false, m.Steps >= 0
	}
	m.text, m.choices, m.changes = text, m.choices[:0], m.changes[:0]
	for len(m.registers) < p.registers {
		m.registers = append(m.registers, 0)
	}
	for i := range m.registers[:p.registers] {
		m.registers[i] = -1
	}
	return m.run(p, pos)
}

// Group returns the start and the end of a group in the match that was found last, in characters; start is -1 if the
// group took no part in it.
func (m *Matcher) Group(i int) (start, end int) {
	return int(m.registers[2*i]), int(m.registers[2*i+1])
}

// set changes a register, which is undone when the choice that was made last is.
func (m *Matcher) set(register, value int) {
	if len(m.choices) > 0 {
		m.changes = append(m.changes, change{int32(register), m.registers[register]})
	}
	m.registers[register] = int32(value)
}

func (m *Matcher) choose(at, pos, count int) {
	m.choices = append(m.choices, choice{int32(at), int32(pos), int32(count), int32(len(m.changes))})
}

func (m *Matcher) run(p *Pattern, start int) (matched, known bool) {
	at, pos := 0, start
	for {
		m.Steps--
		if m.Steps < 0 || len(m.choices) > maxChoices || len(m.changes) > maxChanges {
			return false, false
		}
		i := &p.program[at]
		ok := true
		at++
		switch i.op {
		case opMatch:
			return true, true
		case opFail:
			ok = false
		case opOne:
			pos, ok = m.one(i, pos)
		case opGreedy, opPossessive, opLazy:
			pos, ok = m.many(i, at-1, pos)
		case opText:
			pos, ok = m.literal(i, i.text, pos)
		case opReference:
			pos, ok = m.reference(i, pos)
		case opAssert:
			ok = m.holds(i.assertion, pos, start)
		case opJump:
			at = i.target
		case opAlternate:
			at, ok = m.alternative(i, at-1, pos, 0)
		case opRepeat:
			began := pos
			if i.min == 0 {
				began, at = -1, i.target
			}
			m.set(i.register, began)
			m.set(i.register+1, min(0, 1-i.min))
		case opAgain, opAgainLazily:
			at = m.again(i, at, pos)
		case opOpen:
			m.set(i.register, pos)
		case opClose:
			began := int(m.registers[i.register])
			m.set(i.group, min(began, pos))
			m.set(i.group+1, max(began, pos))
		case opAtomic, opLook, opUnless:
			m.registers[i.register] = int32(len(m.choices))
			switch i.op {
			case opLook:
				m.registers[i.register+1] = int32(pos)
			case opUnless:
				m.choose(at-1, pos, 0)
			}
		case opCommit, opSeen, opRefuse:
			m.choices = m.choices[:m.registers[i.register]]
			if i.op == opSeen {
				pos = int(m.registers[i.register+1])
			}
			ok = i.op != opRefuse
		}
		if !ok {
			if at, pos = m.backtrack(p); at < 0 {
				return false, m.Steps >= 0
			}
		}
	}
}

// again returns where to go on after a pass of a loop, or before the first: at the next one, or after the loop.
func (m *Matcher) again(i *instruction, after, pos int) int {
	began, passes := int(m.registers[i.register]), int(m.registers[i.register+1])
	switch {
	case passes < 0: // it is one that there must be
	case passes >= i.max || pos == began:
		return after
	default:
		m.choose(after-1, pos, 0)
		if i.op == opAgainLazily {
			return after
		}
	}
	m.pass(i, pos)
	return i.target
}

// pass begins a pass of a loop.
func (m *Matcher) pass(i *instruction, pos int) {
	m.set(i.register, pos)
	m.set(i.register+1, int(m.registers[i.register+1])+1)
}

// backtrack returns where to go on, at the choice that was made last, or a negative instruction.
func (m *Matcher) backtrack(p *Pattern) (at, pos int) {
	for {
		last := len(m.choices) - 1
		if m.Steps--; last < 0 || m.Steps < 0 {
			return -1, 0
		}
		c := &m.choices[last]
		for n := len(m.changes) - 1; n >= int(c.changes); n-- {
			m.registers[m.changes[n].register] = m.changes[n].was
		}
		m.Steps -= len(m.changes) - int(c.changes)
		m.changes = m.changes[:c.changes]
		at, pos = int(c.at), int(c.pos)
		i := &p.program[at]
		switch i.op {
		case opGreedy:
			pos += i.step(-1)
			c.pos, c.count = int32(pos), c.count-1
			if c.count == 0 {
				m.choices = m.choices[:last]
			}
			return at + 1, pos
		case opLazy:
			next, ok := m.one(i, pos)
			if c.pos, c.count = int32(next), c.count-1; !ok || c.count == 0 {
				m.choices = m.choices[:last]
			}
			if ok {
				return at + 1, next
			}
			continue
		}
		next := int(c.count)
		m.choices = m.choices[:last]
		switch i.op {
		case opAlternate:
			at, _ = m.alternative(i, at, pos, next)
			return at, pos
		case opAgainLazily:
			m.pass(i, pos)
			return i.target, pos
		case opUnless:
			return i.target, pos
		}
		return at + 1, pos
	}
}

// alternative returns the first instruction of the first alternative from one on that may match, and chooses to try the
// next one after it.
func (m *Matcher) alternative(i *instruction, at, pos, from int) (target int, ok bool) {
	for n := from; n < len(i.branches); n++ {
		m.Steps--
		if !i.branches[n].first.allows(m.text, pos) {
			continue
		}
		if ok {
			m.choose(at, pos, n)
			break
		}
		target, ok = i.branches[n].target, true
	}
	return target, ok
}

// step returns by how much the position changes with n characters.
func (i *instruction) step(n int) int {
	if i.left {
		return -n
	}
	return n
}

// slow is how many steps it takes to look up a character that is not ASCII.
const slow = 16

// one matches one character of a class.
func (m *Matcher) one(i *instruction, pos int) (end int, ok bool) {
	at := pos
	if i.left {
		at--
	}
	if at < 0 || at >= len(m.text) {
		return pos, false
	}
	r := m.text[at]
	if r > unicode.MaxASCII {
		m.Steps -= slow
	}
	return pos + i.step(1), i.class.has(r)
}

// many matches characters of a class, and chooses to match fewer or more.
func (m *Matcher) many(i *instruction, at, pos int) (end int, ok bool) {
	least, most := i.min, i.max
	room := len(m.text) - pos
	if i.left {
		room = pos
	}
	if least > room {
		return pos, false
	}
	most = min(most, room)
	wanted := most
	if i.op == opLazy {
		wanted = least
	}
	n := 0
	for n < wanted {
		next, ok := m.one(i, pos)
		if !ok {
			break
		}
		pos = next
		n++
	}
	m.Steps -= n
	switch {
	case n < least:
		return pos, false
	case i.op == opGreedy && n > least:
		m.choose(at, pos, n-least)
	case i.op == opLazy && most > least:
		m.choose(at, pos, most-least)
	}
	return pos, true
}

// literal matches a text.
func (m *Matcher) literal(i *instruction, text []rune, pos int) (end int, ok bool) {
	begin := pos
	if i.left {
		begin -= len(text)
	}
	if begin < 0 || begin+len(text) > len(m.text) {
		return pos, false
	}
	for n, r := range text {
		c := m.text[begin+n]
		if c != r && (!i.fold || unicode.ToLower(c) != unicode.ToLower(r)) {
			m.Steps -= n
			return pos, false
		}
	}
	m.Steps -= len(text)
	return pos + i.step(len(text)), true
}

// reference matches what a group has matched.
func (m *Matcher) reference(i *instruction, pos int) (end int, ok bool) {
	from, to := m.registers[i.register], m.registers[i.register+1]
	if from < 0 {
		return pos, false
	}
	return m.literal(i, m.text[from:to], pos)
}

// holds reports whether an assertion about a position holds, in a match that began at start.
func (m *Matcher) holds(assertion syntax.NodeType, pos, start int) bool {
	n := len(m.text)
	switch assertion {
	case syntax.NtBol:
		return pos == 0 || m.text[pos-1] == '\n'
	case syntax.NtEol:
		return pos == n || m.text[pos] == '\n'
	case syntax.NtBeginning:
		return pos == 0
	case syntax.NtStart:
		return pos == start
	case syntax.NtEndZ:
		return pos == n || pos == n-1 && m.text[pos] == '\n'
	case syntax.NtEnd:
		return pos == n
	}
	m.Steps -= 4
	before, after := pos > 0 && isWord(m.text[pos-1]), pos < n && isWord(m.text[pos])
	return (before != after) == (assertion == syntax.NtBoundary)
}

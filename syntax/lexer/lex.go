package lexer

import (
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"

	"github.com/tenon-bot/tenon/meter"
)

const (
	// MaxText is the length of the longest text that Lex splits, in bytes.
	MaxText = 256 << 10
	// maxNesting bounds the lexers that run within lexers, for code in code.
	maxNesting = 8
	// maxStack bounds the nested states of one lexer.
	maxStack = 1 << 14
	// minTime and timePerByte bound the time for a text, to 4 s for the longest. Of 1,300 real files, the slowest took
	// 0.6 s: 144 kB of Ruby, on a machine that was busy with other work. Small files of any language take at most 5 µs
	// per byte.
	minTime     = pace * 2 * time.Second
	timePerByte = pace * 8 * time.Microsecond
	// minSteps and stepsPerByte bound the steps for a text.
	minSteps     = 1000
	stepsPerByte = 4
)

// MaxPiece is the length of the longest text that Within splits, in bytes.
const MaxPiece = 16 << 10

// Budget bounds the work of several calls of Within together: how many there may be, the bytes of their texts, and the
// time that they take. Time is a bound for texts that are made to be slow; real code uses up the bytes first. A match
// that has begun may take up to a second more.
type Budget struct {
	Calls, Bytes int
	time         time.Duration
}

// BudgetTime is a time for the calls with one budget that real code does not need.
const BudgetTime = pace * time.Second

// NewBudget returns a budget of so many calls and bytes, and of so much time.
func NewBudget(calls, bytes int, time time.Duration) Budget { return Budget{calls, bytes, time} }

// Within is Lex for a piece of at most MaxPiece bytes, whose cost it takes from a budget. If that is used up, the
// result is not complete. It is not safe for concurrent use with the same budget.
func Within(b *Budget, w *meter.Work, language Language, text string) Result {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return within(b, w, language, text, threadClock)
}

func within(b *Budget, w *meter.Work, language Language, text string, clock clock) Result {
	n := len(text)
	if n > MaxPiece || n > b.Bytes || b.Calls <= 0 || b.time <= 0 {
		return Result{}
	}
	b.Calls, b.Bytes = b.Calls-1, b.Bytes-n
	begun := clock.worked()
	result := lex(language, text, limits{stepsPerByte*n + minSteps, min(b.time, minTime), clock, w})
	b.time -= clock.worked() - begun
	return result
}

// limits bound the work of one call. Steps are tries to match one of the rules of a state.
type limits struct {
	steps int
	time  time.Duration
	clock clock
	work  *meter.Work
}

// What lexing takes of the work. Trying a rule, which is matching one of Chroma's regular expressions or seeing that it
// does not match, takes 100 to 200 ns in real code. A text that is made to be slow for them takes the time of
// a step instead, where that is four times as long: no count of rules bounds what a regular expression costs.
const (
	unitsPerTry     = 5
	slowTimePerUnit = 120 * time.Nanosecond
)

// Lex splits text, whole or a piece of a file, by the rules of a language. The same text gives the same tokens each
// time, or none: Complete is false if the language has no rules, or the text is longer than MaxText, is not UTF-8, or
// costs more steps or time than real code does, or more than is left of w. Only the time depends on the
// machine. Lex is safe for concurrent use with different works.
func Lex(w *meter.Work, language Language, text string) Result {
	if len(text) > MaxText || w.UsedUp() {
		return Result{}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	n := len(text)
	return lex(language, text, limits{stepsPerByte*n + minSteps, minTime + time.Duration(n)*timePerByte, threadClock, w})
}

func lex(language Language, text string, bounds limits) Result {
	bounds.work.SpendEachByte(len(text))
	if !utf8.ValidString(text) {
		return Result{}
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	g, err := language.grammar(text)
	if err != nil {
		return Result{}
	}
	s := scanner{limits: bounds, stopwatch: startStopwatch(bounds.clock, bounds.time)}
	runes := []rune(text)
	length := len(runes)
	if g.endsLine && !strings.HasSuffix(text, "\n") {
		runes = append(runes, '\n')
	}
	if !s.run(g, g.start, runes, length, 0) {
		return Result{}
	}
	return Result{Tokens: s.out.tokens(), Complete: true}
}

// scanner runs grammars over a text.
type scanner struct {
	limits
	stopwatch stopwatch
	out       writer
}

// run splits text[:end] from a state on, and reports whether it could. text has one line end more than end if the
// language needs one.
func (s *scanner) run(g *grammar, initial string, text []rune, end, depth int) bool {
	if depth > maxNesting || g.states[initial] == nil {
		return false
	}
	state := &chroma.LexerState{
		Lexer: g.lexer, Text: text, Rules: g.states, Stack: []string{initial}, MutatorContext: map[any]any{},
	}
	for state.Pos < end {
		if s.steps--; s.steps < 0 || len(state.Stack) > maxStack || s.work.UsedUp() {
			return false
		}
		if s.stopwatch.late() {
			return false
		}
		if len(state.Stack) == 0 {
			s.out.add(chroma.Error, text[state.Pos:end])
			break
		}
		state.State = state.Stack[len(state.Stack)-1]
		rules, known := g.states[state.State]
		if !known {
			return false
		}
		m, tries, err := firstMatch(rules, text, state.Pos)
		units := unitsPerTry * tries
		s.work.Spend(max(units, int(s.stopwatch.lap(time.Duration(units)*slowTimePerUnit)/slowTimePerUnit)))
		switch {
		case err != nil:
			return false
		case m.rule != nil:
			state.Rule = m.index
			if !s.apply(g, m, state, end, depth) {
				return false
			}
		case text[state.Pos] == '\n' && state.State != initial:
			// As in Pygments: a line end that has no place here is the end of a string that lacks its own.
			s.out.invalidLineEnd = true
			state.Stack = []string{initial}
		default:
			s.out.add(chroma.Error, text[state.Pos:state.Pos+1])
			state.Pos++
		}
	}
	return true
}

// apply emits what a rule matched, and changes the state as it says.
func (s *scanner) apply(g *grammar, m match, state *chroma.LexerState, end, depth int) bool {
	start := state.Pos
	state.Pos += m.groups[0].length
	if m.rule.Mutator != nil && !mutate(m.rule.Mutator, state) {
		return false
	}
	text := state.Text[:min(state.Pos, end)]
	return s.emit(g, m.rule.Type, text, m.groups, min(start, len(text)), depth)
}

// mutate reports whether a mutator could do its work: one that pops more states than there are panics.
func mutate(m chroma.Mutator, state *chroma.LexerState) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return m.Mutate(state) == nil
}

// emit writes text[start:], which an emitter gets with its groups.
func (s *scanner) emit(g *grammar, e chroma.Emitter, text []rune, groups []span, start, depth int) bool {
	if kind, ok := e.(chroma.TokenType); ok {
		s.out.add(kind, text[start:])
		return true
	}
	if e == nil {
		s.out.add(chroma.Text, text[start:])
		return true
	}
	d := describe(e)
	switch d.kind {
	case "bygroups", "usingbygroup":
		return s.emitGroups(g, d, text, groups, start, depth)
	case "using":
		inner, err := grammarOf(d.lexer)
		return err == nil && s.nest(inner, "root", text[start:], depth)
	case "usingself":
		return s.nest(g, d.state, text[start:], depth)
	}
	return false
}

func (s *scanner) nest(g *grammar, state string, text []rune, depth int) bool {
	return s.run(g, state, text, len(text), depth+1)
}

// emitGroups writes the text of each group by the emitter of the group, and what is between groups as text.
func (s *scanner) emitGroups(g *grammar, d emitter, text []rune, groups []span, start, depth int) bool {
	if len(d.groups) != len(groups)-1 {
		s.out.add(chroma.Text, text[start:])
		return true
	}
	for i, group := range groups[1:] {
		from, to := max(group.start, start), min(group.start+group.length, len(text))
		if group.start < 0 || from >= to {
			continue
		}
		s.out.add(chroma.Text, text[start:from])
		start = to
		if d.kind == "usingbygroup" && i == d.code-1 {
			name := groups[d.name]
			inner, err := grammarOf(string(text[name.start : name.start+name.length]))
			if err == nil {
				if !s.nest(inner, "root", text[from:to], depth) {
					return false
				}
				continue
			}
		}
		if !s.emit(g, d.groups[i], text[:to], []span{{from, to - from}}, from, depth) {
			return false
		}
	}
	s.out.add(chroma.Text, text[start:])
	return true
}

// span is a part of a text in runes; start is -1 if a group took no part in the match.
type span struct{ start, length int }

type match struct {
	rule   *chroma.CompiledRule
	index  int
	groups []span
}

// firstMatch returns the first rule that matches at pos, and how many it tried. It returns an error if a match took too
// long to be found or not found.
func firstMatch(rules []*chroma.CompiledRule, text []rune, pos int) (m match, tries int, err error) {
	for i, rule := range rules {
		found, err := rule.Regexp.FindRunesMatchStartingAt(text, pos)
		if err != nil {
			return match{}, i + 1, err
		}
		if found == nil || found.RuneIndex != pos {
			continue
		}
		m = match{rule: rule, index: i, groups: []span{{pos, found.RuneLength}}}
		if _, plain := rule.Type.(chroma.TokenType); !plain && rule.Type != nil {
			for _, group := range found.Groups()[1:] {
				at := span{group.RuneIndex, group.RuneLength}
				if len(group.Captures) == 0 {
					at = span{start: -1}
				}
				m.groups = append(m.groups, at)
			}
		}
		return m, i + 1, nil
	}
	return match{}, len(rules), nil
}

package lexer

import (
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"

	"github.com/tenon-bot/tenon/meter"
	"github.com/tenon-bot/tenon/syntax/lexer/pattern"
)

const (
	// MaxText is the length of the longest text that Lex splits, in bytes.
	MaxText = 256 << 10
	// maxNesting bounds the lexers that run within lexers, for code in code.
	maxNesting = 8
	// maxStack bounds the nested states of one lexer.
	maxStack = 1 << 14
	// minSteps and stepsPerByte bound the steps for a text, to 1.8 s for the longest. Of 2,761 real files, the one that
	// comes nearest takes a 24th of its bound.
	minSteps     = 4_000_000
	stepsPerByte = 2000
	// stepsPerUnit is how many steps are taken in the time of one unit of work: one takes 3 to 4 ns.
	stepsPerUnit = 8
	// stepsPerRead is the price of a byte that is read, stepsPerToken that of a match, and of each part that it adds.
	stepsPerRead, stepsPerToken = 8, 16
)

// Lex splits text, whole or a piece of a file, by the rules of a language. The same text gives the same result each
// time, on every machine, unless w ends it: what it takes is counted in steps, of the text and of w. Lex is safe for
// concurrent use with different works.
func Lex(w *meter.Work, language Language, text string) Result {
	if len(text) > MaxText {
		return Result{Why: TooLarge}
	}
	return lex(w, language, text, minSteps+len(text)*stepsPerByte)
}

// lex is Lex with a bound of steps.
func lex(w *meter.Work, language Language, text string, steps int) Result {
	s := scanner{work: w, steps: steps, why: Steps}
	if !s.pay(stepsPerRead * len(text)) {
		return Result{Why: Steps}
	}
	if !utf8.ValidString(text) {
		return Result{Why: NotText}
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	g, err := language.grammar(text)
	if err != nil {
		return Result{Why: NoRules}
	}
	runes := []rune(text)
	length := len(runes)
	if g.endsLine && !strings.HasSuffix(text, "\n") {
		runes = append(runes, '\n')
	}
	if !s.run(g, g.start, runes, length, 0) {
		return Result{Why: s.why}
	}
	return Result{Tokens: s.out.tokens(), Complete: true}
}

// scanner runs grammars over a text.
type scanner struct {
	work    *meter.Work
	matcher pattern.Matcher
	// steps are those that are left for the text, unpaid those of which the work has not been told.
	steps, unpaid int
	out           writer
	// paid is how many parts of out are paid.
	paid int
	// why is the reason if it gives up.
	why Why
}

// run splits text[:end] from a state on, and reports whether it could. text has one line end more than end if the
// language needs one.
func (s *scanner) run(g *grammar, initial string, text []rune, end, depth int) bool {
	if depth > maxNesting {
		return false
	}
	state := &chroma.LexerState{
		Lexer: g.lexer, Text: text, Rules: g.compiled, Stack: []string{initial}, MutatorContext: map[any]any{},
	}
	for state.Pos < end {
		if len(state.Stack) == 0 {
			s.out.add(chroma.Error, text[state.Pos:end])
			break
		}
		state.State = state.Stack[len(state.Stack)-1]
		rules, known := g.states[state.State]
		if !known {
			s.why = NoRules
			return false
		}
		m, ok := s.firstMatch(rules, text, state.Pos)
		switch {
		case !ok:
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
		added := len(s.out.parts) - s.paid
		s.paid += added
		if len(state.Stack) > maxStack || !s.pay(stepsPerToken*(1+added)) {
			return false
		}
	}
	return true
}

// pay takes steps from those of the text and from the work, and reports whether both had so many.
func (s *scanner) pay(steps int) bool {
	s.steps -= steps
	s.unpaid += steps
	s.work.Spend(s.unpaid / stepsPerUnit)
	s.unpaid %= stepsPerUnit
	return s.steps >= 0 && !s.work.UsedUp()
}

// apply emits what a rule matched, and changes the state as it says.
func (s *scanner) apply(g *grammar, m match, state *chroma.LexerState, end, depth int) bool {
	start := state.Pos
	state.Pos += m.groups[0].length
	if m.rule.Mutator != nil && !mutate(m.rule.Mutator, state) {
		s.why = NoRules
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
		if err == nil {
			return s.nest(inner, "root", text[start:], depth)
		}
	case "usingself":
		return s.nest(g, d.state, text[start:], depth)
	}
	s.why = NoRules
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

// firstMatch returns the first rule that matches at pos, if one does. ok reports whether the steps were enough to know.
func (s *scanner) firstMatch(rules []rule, text []rune, pos int) (found match, ok bool) {
	enough := min(s.steps, min(s.steps, s.work.Left())*stepsPerUnit)
	m := &s.matcher
	m.Steps = enough
	for i := range rules {
		matched, known := m.Match(rules[i].pattern, text, pos)
		if !known {
			s.pay(enough - m.Steps)
			return match{}, false
		}
		if matched {
			found = s.found(rules[i], i, pos)
			break
		}
	}
	return found, s.pay(enough - m.Steps)
}

// found returns the match that was found last, with its groups if the rule has something for them.
func (s *scanner) found(r rule, index, pos int) match {
	_, end := s.matcher.Group(0)
	found := match{rule: r.CompiledRule, index: index, groups: []span{{pos, end - pos}}}
	if _, plain := r.Type.(chroma.TokenType); !plain && r.Type != nil {
		for n := 1; n < r.pattern.Groups(); n++ {
			start, end := s.matcher.Group(n)
			found.groups = append(found.groups, span{start, end - start})
		}
	}
	return found
}

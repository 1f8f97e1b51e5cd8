package lexer

import (
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/dlclark/regexp2/v2"
)

// grammar is the compiled rules of one lexer. It is not changed once it is made.
type grammar struct {
	lexer    *chroma.RegexLexer
	states   chroma.CompiledRules
	start    string
	endsLine bool
}

// maxMatch is the time after which one match gives up. The regular expressions have a coarse clock of their own, which
// is late when the machine is busy.
const maxMatch = pace * 250 * time.Millisecond

// grammars has the grammars that were used, by the names of their lexers: compiling one takes milliseconds. They are
// the same whoever makes them.
var grammars sync.Map

// grammarOf returns the grammar of a lexer by its name in Chroma, or an error if that has none that this package can
// run.
func grammarOf(name string) (*grammar, error) {
	if g, ok := grammars.Load(name); ok {
		return g.(*grammar), nil
	}
	lexer, ok := lexers.GlobalLexerRegistry.Get(name).(*chroma.RegexLexer)
	if !ok {
		return nil, fmt.Errorf("no lexer %q with rules", name)
	}
	rules, err := lexer.Rules()
	if err != nil {
		return nil, fmt.Errorf("reading the rules of %q: %w", name, err)
	}
	g, err := compile(lexer, rules)
	if err != nil {
		return nil, fmt.Errorf("compiling the rules of %q: %w", name, err)
	}
	kept, _ := grammars.LoadOrStore(name, g)
	return kept.(*grammar), nil
}

// compile does what Chroma does before it runs rules, with patterns of our own: Chroma takes a match that gave up for
// one that failed, and goes on with the next rule.
func compile(lexer *chroma.RegexLexer, rules chroma.Rules) (*grammar, error) {
	config := lexer.Config()
	flags := ""
	if !config.NotMultiline {
		flags += "m"
	}
	if config.CaseInsensitive {
		flags += "i"
	}
	if config.DotAll {
		flags += "s"
	}
	g := &grammar{lexer: lexer, states: chroma.CompiledRules{}, start: "root", endsLine: config.EnsureNL}
	for state, list := range rules {
		for _, rule := range list {
			rule = correct(config.Name, state, rule)
			pattern := `\G(?:` + rule.Pattern + `)`
			if flags != "" {
				pattern = `(?` + flags + `)` + pattern
			}
			compiled, err := regexp2.Compile(pattern)
			if err != nil {
				return nil, err
			}
			compiled.MatchTimeout = maxMatch
			g.states[state] = append(g.states[state], &chroma.CompiledRule{Rule: rule, Regexp: compiled})
		}
	}
	return g, g.expand()
}

// expand puts included rules where they are included. A mutator that changes the rules removes itself.
func (g *grammar) expand() error {
	for changed := true; changed; {
		changed = false
		for state := range g.states {
			for i := 0; i < len(g.states[state]); i++ {
				if m, ok := g.states[state][i].Mutator.(chroma.LexerMutator); ok {
					if err := m.MutateLexer(g.states, state, i); err != nil {
						return err
					}
					changed = true
					i--
				}
			}
		}
	}
	return nil
}

// emitter is what a rule does with its text. Chroma keeps the types of its emitters to itself, but names their kinds
// and exports their fields for their form in XML.
type emitter struct {
	kind   string
	groups []chroma.Emitter
	// lexer or state begins a part in another or the same lexer.
	lexer, state string
	name, code   int
}

// describe reads an emitter; its kind is "" if it is one that only Chroma can run.
func describe(e chroma.Emitter) emitter {
	serial, ok := e.(chroma.SerialisableEmitter)
	if !ok {
		return emitter{}
	}
	v := reflect.Indirect(reflect.ValueOf(serial))
	d := emitter{kind: serial.EmitterKind()}
	switch d.kind {
	case "bygroups":
		d.groups = v.FieldByName("Emitters").Interface().(chroma.Emitters)
	case "using":
		d.lexer = v.FieldByName("Lexer").String()
	case "usingself":
		d.state = v.FieldByName("State").String()
	case "usingbygroup":
		d.groups = v.FieldByName("Emitters").Interface().(chroma.Emitters)
		d.name = int(v.FieldByName("SublexerNameGroup").Int())
		d.code = int(v.FieldByName("CodeGroup").Int())
	}
	return d
}

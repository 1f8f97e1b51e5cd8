package lexer

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"github.com/tenon-bot/tenon/syntax/lexer/pattern"
)

// grammar is the compiled rules of one lexer. It is not changed once it is made.
type grammar struct {
	lexer    *chroma.RegexLexer
	states   map[string][]rule
	start    string
	endsLine bool
	// compiled is what Chroma's mutators see of states.
	compiled chroma.CompiledRules
}

// rule is a rule of Chroma with our pattern. Chroma's own is not compiled.
type rule struct {
	*chroma.CompiledRule
	pattern *pattern.Pattern
}

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

// compile does what Chroma does before it runs rules, with patterns of our own, whose steps are counted.
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
	g := &grammar{lexer: lexer, states: map[string][]rule{}, start: "root", endsLine: config.EnsureNL}
	g.compiled = chroma.CompiledRules{}
	patterns := map[*chroma.CompiledRule]*pattern.Pattern{}
	for state, list := range rules {
		for _, r := range list {
			r = correct(config.Name, state, r)
			expression := `\G(?:` + r.Pattern + `)`
			if flags != "" {
				expression = `(?` + flags + `)` + expression
			}
			p, err := pattern.Compile(expression)
			if err != nil {
				return nil, err
			}
			compiled := &chroma.CompiledRule{Rule: r}
			patterns[compiled] = p
			g.compiled[state] = append(g.compiled[state], compiled)
		}
	}
	if err := g.expand(); err != nil {
		return nil, err
	}
	for state, list := range g.compiled {
		g.states[state] = make([]rule, len(list))
		for i, compiled := range list {
			g.states[state][i] = rule{compiled, patterns[compiled]}
		}
	}
	return g, nil
}

// expand puts included rules where they are included. A mutator that changes the rules removes itself.
func (g *grammar) expand() error {
	for changed := true; changed; {
		changed = false
		for state := range g.compiled {
			for i := 0; i < len(g.compiled[state]); i++ {
				if m, ok := g.compiled[state][i].Mutator.(chroma.LexerMutator); ok {
					if err := m.MutateLexer(g.compiled, state, i); err != nil {
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

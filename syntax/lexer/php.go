package lexer

import (
	"fmt"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// phpFile returns the rules for a file of PHP, in which code begins with "<?" and all else is text. A piece of code
// has no such beginning, and is split by PHP's own rules.
func phpFile() (*grammar, error) {
	const name = "PHP in text"
	if g, ok := grammars.Load(name); ok {
		return g.(*grammar), nil
	}
	php, ok := lexers.GlobalLexerRegistry.Get("PHP").(*chroma.RegexLexer)
	if !ok {
		return nil, fmt.Errorf("no lexer for PHP")
	}
	rules, err := php.Rules()
	if err != nil {
		return nil, fmt.Errorf("reading the rules of PHP: %w", err)
	}
	rules = rules.Rename("root", "php").Merge(chroma.Rules{"root": {
		{Pattern: `<\?(php\b|=)?`, Type: chroma.CommentPreproc, Mutator: chroma.Push("php")},
		{Pattern: `[^<]+`, Type: chroma.CommentPreproc},
		{Pattern: `<`, Type: chroma.CommentPreproc},
	}})
	g, err := compile(php, rules)
	if err != nil {
		return nil, fmt.Errorf("compiling the rules of PHP: %w", err)
	}
	kept, _ := grammars.LoadOrStore(name, g)
	return kept.(*grammar), nil
}

package syntax

import (
	"strings"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// tokenRules say what the tokens of a language must be like in a file that is whole.
type tokenRules struct {
	// brackets are the bracket characters that come in pairs.
	brackets string
	// lineQuotes are the quotes of strings that end on the line on which they begin.
	lineQuotes string
	// slashStar: comments are written /* like this */.
	slashStar bool
	// preprocessor: of #if and #else, only one branch is taken.
	preprocessor bool
	// indented: blocks are made by indentation, as in Python.
	indented bool
	// blocks are made by keywords; nil if they are not.
	blocks func([]lexer.Token) *flaw
}

const allBrackets = "()[]{}"

// tokenLanguages are the languages without a parser whose lexers tell code from strings and comments well enough.
var tokenLanguages = map[lexer.Language]tokenRules{
	"C":           {brackets: allBrackets, lineQuotes: `"'`, slashStar: true, preprocessor: true},
	"C#":          {brackets: allBrackets, lineQuotes: `"'`, slashStar: true, preprocessor: true},
	"C++":         {brackets: allBrackets, lineQuotes: `"'`, slashStar: true, preprocessor: true},
	"Dart":        {brackets: allBrackets, slashStar: true},
	"Elixir":      {brackets: allBrackets, blocks: elixirBlocks},
	"Gradle":      {brackets: allBrackets, slashStar: true},
	"Groovy":      {brackets: allBrackets, slashStar: true},
	"Haskell":     {brackets: allBrackets, lineQuotes: `"`},
	"Java":        {brackets: allBrackets, lineQuotes: `"'`, slashStar: true},
	"Kotlin":      {brackets: allBrackets, lineQuotes: `"'`, slashStar: true},
	"Less":        {brackets: allBrackets, lineQuotes: `"'`, slashStar: true},
	"Lua":         {brackets: allBrackets, lineQuotes: `"'`, blocks: luaBlocks},
	"Objective-C": {brackets: allBrackets, lineQuotes: `"'`, slashStar: true, preprocessor: true},
	"PHP":         {brackets: allBrackets, slashStar: true},
	"Perl":        {brackets: allBrackets},
	"Python":      {brackets: allBrackets, lineQuotes: `"'`, indented: true},
	"Ruby":        {brackets: allBrackets},
	"Rust":        {brackets: allBrackets, slashStar: true},
	"SCSS":        {brackets: allBrackets, lineQuotes: `"'`, slashStar: true},
	"SQL":         {brackets: "()[]"},
	"Scala":       {brackets: allBrackets, lineQuotes: `"'`, slashStar: true},
	"Starlark":    {brackets: allBrackets, lineQuotes: `"'`, indented: true},
	"Swift":       {brackets: allBrackets, lineQuotes: `"`, slashStar: true},
}

// sameTokens are the languages of linguist that have the tokens of another.
var sameTokens = map[lexer.Language]lexer.Language{
	"Gradle Kotlin DSL": "Kotlin", "Objective-C++": "Objective-C", "Cuda": "C++",
}

// A flaw is what the tokens of a file have that no whole file has.
type flaw struct {
	line    int
	message string
}

// newFlaws returns the first flaw in the tokens of after, if before had none. It says nothing of a file that the
// lexer did not split to its end.
func newFlaws(path string, before, after []byte) []Problem {
	language := lexer.Detect(path, after)
	if same, ok := sameTokens[language]; ok {
		language = same
	}
	rules, ok := tokenLanguages[language]
	if !ok {
		return nil
	}
	found, ok := rules.check(language, after)
	if !ok || found == nil {
		return nil
	}
	if before != nil {
		if old, ok := rules.check(language, before); !ok || old != nil {
			return nil
		}
	}
	return []Problem{{Syntax, found.line, found.message}}
}

// check returns the first flaw of a text, or nil, and whether the lexer could tell.
func (r tokenRules) check(language lexer.Language, text []byte) (*flaw, bool) {
	result := lexer.Lex(language, strings.TrimPrefix(string(text), "\ufeff"))
	if !result.Complete {
		return nil, false
	}
	checks := []func([]lexer.Token) *flaw{r.unclosedLiteral, r.unpairedBracket}
	if r.indented {
		checks = append(checks, wrongIndentation)
	}
	if r.blocks != nil {
		checks = append(checks, r.blocks)
	}
	for _, check := range checks {
		if f := check(result.Tokens); f != nil {
			return f, true
		}
	}
	return nil, true
}

package syntax

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/meter"
	"github.com/tenon-bot/tenon/syntax/lexer"
)

// tokenRules say what the tokens of a language must be like in a file that is whole.
type tokenRules struct {
	// brackets are the bracket characters that come in pairs; if there are none, only blocks are looked at.
	brackets string
	// lineQuotes are the quotes of strings that end on the line on which they begin.
	lineQuotes string
	// slashStar: comments are written /* like this */.
	slashStar bool
	// preprocessor: of #if and #else, only one branch is taken.
	preprocessor bool
	// indented: blocks are made by indentation, as in Python.
	indented bool
	// perl: code ends at __DATA__ or __END__, and a bracket behind $ is the name of a variable.
	perl bool
	// primes: ' is a letter of names, too.
	primes bool
	// beyond are texts by which the lexer takes strings for code, or code for strings: a file with one is not checked.
	beyond []string
	// blocks are made by keywords; nil if they are not.
	blocks func([]lexer.Token) *flaw
}

const allBrackets = "()[]{}"

// tokenLanguages are the languages without a parser whose lexers tell code from strings and comments well enough.
var tokenLanguages = map[lexer.Language]tokenRules{
	"C":               {brackets: allBrackets, lineQuotes: `"'`, slashStar: true, preprocessor: true},
	"C#":              {brackets: allBrackets, lineQuotes: `"'`, slashStar: true, preprocessor: true},
	"C++":             {brackets: allBrackets, lineQuotes: `"'`, slashStar: true, preprocessor: true},
	"CMake":           {brackets: "()"},
	"Dart":            {brackets: allBrackets, slashStar: true},
	"Elixir":          {brackets: allBrackets, blocks: elixirBlocks},
	"Gradle":          {brackets: allBrackets, slashStar: true},
	"Groovy":          {brackets: allBrackets, slashStar: true},
	"Haskell":         {brackets: allBrackets, lineQuotes: `"`, primes: true, beyond: []string{`'\\'`}},
	"Java":            {brackets: allBrackets, lineQuotes: `"'`, slashStar: true},
	"Kotlin":          {brackets: allBrackets, lineQuotes: `"'`, slashStar: true},
	"Less":            {brackets: allBrackets, lineQuotes: `"'`, slashStar: true},
	"Makefile":        {blocks: unclosedReference},
	"Lua":             {brackets: allBrackets, lineQuotes: `"'`, blocks: luaBlocks},
	"Objective-C":     {brackets: allBrackets, lineQuotes: `"'`, slashStar: true, preprocessor: true},
	"PHP":             {brackets: allBrackets, slashStar: true},
	"Perl":            {brackets: allBrackets, perl: true, beyond: []string{"qr/\n"}},
	"Protocol Buffer": {brackets: allBrackets, lineQuotes: `"'`, slashStar: true, blocks: unendedField},
	"Python":          {brackets: allBrackets, lineQuotes: `"'`, indented: true},
	"Ruby":            {brackets: allBrackets, blocks: rubyBlocks},
	"Rust":            {brackets: allBrackets, slashStar: true},
	"SCSS":            {brackets: allBrackets, lineQuotes: `"'`, slashStar: true},
	"SQL":             {brackets: "()[]"},
	"Scala":           {brackets: allBrackets, lineQuotes: `"'`, slashStar: true, beyond: []string{`'{`}},
	"Starlark":        {brackets: allBrackets, lineQuotes: `"'`, indented: true},
	"Swift":           {brackets: allBrackets, lineQuotes: `"`, slashStar: true, beyond: []string{`"""`, `#"`}},
}

// sameTokens are the languages of linguist that have the tokens of another.
var sameTokens = map[lexer.Language]lexer.Language{
	"Gradle Kotlin DSL": "Kotlin", "Objective-C++": "Objective-C", "Cuda": "C++",
}

// splitFile is a file that is split into tokens when they are first asked for.
type splitFile struct {
	isNil    bool
	text     []byte
	language lexer.Language
	work     *meter.Work
	tokens   func() lexer.Result
}

// tokenLanguage returns the language whose tokens a file has.
func tokenLanguage(path string, text []byte) lexer.Language {
	language := lexer.Detect(path, text)
	if same, ok := sameTokens[language]; ok {
		return same
	}
	return language
}

func newSplitFile(w *meter.Work, language lexer.Language, text []byte) splitFile {
	return splitFile{text == nil, text, language, w, sync.OnceValue(func() lexer.Result {
		return lexer.Lex(w, language, strings.TrimPrefix(string(text), "\ufeff"))
	})}
}

// newFlaws returns the first flaw in the tokens of a file after edits, if it had none before. A file that the lexer did
// not split to its end is not checked.
func newFlaws(before, after splitFile) Result {
	rules, ok := tokenLanguages[after.language]
	if !ok {
		return Result{Unchecked: NoParser}
	}
	found, unchecked := rules.check(after)
	if found == nil {
		return Result{Unchecked: unchecked}
	}
	if before.isNil && found.message == unevenBranches { // which is legal, though rare
		return Result{}
	}
	if !before.isNil {
		switch old, unchecked := rules.check(before); {
		case old != nil:
			return Result{Unchecked: BrokenBefore}
		case unchecked != "":
			return Result{Unchecked: unchecked}
		}
	}
	return Result{Problems: []Problem{{Syntax, found.line, found.message}}}
}

// check returns the first flaw of a file, or nil, and why there may be one that was not looked for.
func (r tokenRules) check(file splitFile) (*flaw, Unchecked) {
	for _, text := range r.beyond {
		if bytes.Contains(file.text, []byte(text)) {
			return nil, Undecided
		}
	}
	result := file.tokens()
	switch {
	case result.Complete:
	case len(file.text) > lexer.MaxText:
		return nil, TooLarge
	case !utf8.Valid(file.text):
		return nil, NotText
	default:
		return nil, TooCostly
	}
	tokens := result.Tokens
	if r.perl {
		tokens = tokens[:codeEnd(tokens)]
	}
	if tooDeep(tokens) {
		return nil, TooCostly
	}
	var checks []func([]lexer.Token) *flaw
	if r.brackets != "" {
		checks = append(checks, r.unclosedLiteral, r.unpairedBracket)
	}
	if r.indented {
		checks = append(checks, wrongIndentation, loneBrace)
	}
	if r.blocks != nil {
		checks = append(checks, r.blocks)
	}
	for _, check := range checks {
		if f := check(tokens); f != nil {
			return f, ""
		}
	}
	return nil, ""
}

// codeEnd returns the number of tokens before a mark behind which there is data.
func codeEnd(tokens []lexer.Token) int {
	for i, t := range tokens {
		if t.Kind == lexer.Word && (t.Text == "__DATA__" || t.Text == "__END__") {
			return i
		}
	}
	return len(tokens)
}

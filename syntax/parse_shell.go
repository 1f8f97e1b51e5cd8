package syntax

import (
	"bytes"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// parseShell accepts a script that any of the dialects accepts: a script for bash is often called sh, and its first
// line does not say which of them the shell knows. Of scripts for the Z shell it says nothing: the parser knows
// too little of that language.
func parseShell(src source) verdict {
	dialects := []syntax.LangVariant{syntax.LangBash, syntax.LangPOSIX, syntax.LangMirBSDKorn}
	switch path.Ext(src.path) {
	case ".bats":
		dialects = []syntax.LangVariant{syntax.LangBats}
	case ".zsh", ".zsh-theme":
		return verdict{}
	}
	if strings.HasPrefix(path.Base(src.path), ".z") || zShell.Match(src.text) ||
		bytes.Contains(src.text, []byte("\n'''exec' ")) { // a script of Python that a shell starts
		return verdict{}
	}
	var first verdict
	for n, dialect := range dialects {
		v := parseDialect(src, dialect)
		if v.outcome == valid {
			return v
		}
		if n == 0 {
			first = v
		}
	}
	return first
}

// zShell matches the first line of a script or of a completion for the Z shell.
var zShell = regexp.MustCompile(`^#(!.*\bzsh\b|(compdef|autoload)\b)`)

// beyond are the errors with which the parser refuses what shells accept.
var beyond = []string{
	"ternary operator missing", // a key with a colon, as in ${images[name:tag]}
}

func parseDialect(src source, dialect syntax.LangVariant) verdict {
	file, err := syntax.NewParser(syntax.Variant(dialect)).Parse(bytes.NewReader(src.text), "")
	var parseError syntax.ParseError
	switch {
	case err == nil:
		return oddInShell(file)
	case errors.As(err, &parseError):
		if slices.ContainsFunc(beyond, func(text string) bool { return strings.HasPrefix(parseError.Text, text) }) {
			return verdict{}
		}
		return brokenAt(int(parseError.Pos.Line()), parseError.Text)
	}
	return verdict{}
}

// oddInShell finds a test that lacks a bracket, and a variable with a closing brace only.
func oddInShell(file *syntax.File) verdict {
	v := verdict{outcome: valid}
	report := func(pos syntax.Pos, message string) {
		if v.flawless() {
			v = oddAt(int(pos.Line()), message)
		}
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.CallExpr:
			if len(node.Args) == 0 {
				break
			}
			opened, last := node.Args[0].Lit(), node.Args[len(node.Args)-1].Lit()
			switch {
			case opened == "[" && last != "]":
				report(node.Pos(), "[ without ]")
			case opened != "[" && last == "]" || last == "]]":
				report(node.Pos(), last+" without its opening bracket")
			}
		case *syntax.Word:
			oddBrace(node.Parts, report)
		case *syntax.DblQuoted:
			oddBrace(node.Parts, report)
		}
		return true
	})
	return v
}

func oddBrace(parts []syntax.WordPart, report func(syntax.Pos, string)) {
	for n := 1; n < len(parts); n++ {
		variable, _ := parts[n-1].(*syntax.ParamExp)
		text, _ := parts[n].(*syntax.Lit)
		if variable == nil || !variable.Short || text == nil {
			continue
		}
		if before, _, found := strings.Cut(text.Value, "}"); found && !strings.ContainsAny(before, "{ \t\n") {
			report(text.Pos(), "} after a variable without {")
		}
	}
}

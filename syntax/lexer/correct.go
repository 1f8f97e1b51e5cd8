package lexer

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
)

// correct returns a rule of Chroma as it must be to tell strings and comments from code; for colours, less will do.
func correct(lexer, state string, rule chroma.Rule) chroma.Rule {
	p := strings.ReplaceAll(rule.Pattern, "{,", "{0,") // {,n} is no count in these regular expressions
	switch lexer {
	case "C", "C++":
		// The head of a function ends at a bracket, which must not be one of a string or comment.
		p = strings.NewReplacer(`\([^;]*?\))([^;`, `\([^;"'/]*?\))([^;"'/`, `\\x[a-fA-F0-9]{1,2}|`,
			`\\x[a-fA-F0-9]+|\\u[a-fA-F0-9]{4}|\\U[a-fA-F0-9]{8}|`).Replace(p)
		if strings.HasPrefix(p, "(include)") { // a comment that begins behind it may go on in the next line
			p = strings.Replace(p, `([^\n]+)`, `((?:[^/\n]|/(?![*]))+)`, 1)
		}
	case "C#":
		if strings.HasPrefix(p, `@"`) {
			p += `|\$*("{3,})(?:.|\n)*?\2(?!")` // raw strings
		}
		if strings.HasPrefix(p, "#[ \\t]*(if") { // what follows is text
			p = `#[ \t]*(?:region|endregion|error|warning)\b[^\n]*|` + p
		}
	case "Elixir":
		if strings.HasPrefix(p, `\?`) || strings.HasPrefix(p, `(\?)`) {
			p = `(?<!\w)` + p // nil?(a) has no character
		}
	case "Kotlin":
		switch {
		case p == `/[*].*?[*]/`: // comments nest, as in examples in comments
			p = `/[*](?>[^*/]+|[*](?!/)|/(?![*])|/[*].*?[*]/)*[*]/`
		case p == `"""` && state == "rawstring": // the last of four quotes ends the string
			p = `"{3,}`
		case strings.HasPrefix(p, `\${[`): // an expression, which may have lines and braces of its own
			p = `(\$\{)((?>[^{}]+|\{(?>[^{}]+|\{(?>[^{}]+|\{[^{}]*\})*\})*\})*)(\})`
			rule.Type = chroma.ByGroups(chroma.LiteralString, chroma.UsingSelf("root"), chroma.LiteralString)
		}
	case "Perl":
		switch {
		case strings.HasPrefix(p, "s/"):
			p += `|(?<==~\s*)(?:tr|y)/(?:\\[^\n]|[^/\\\n])*/(?:\\[^\n]|[^/\\\n])*/[cdsr]*`
		case strings.HasPrefix(p, "(<<)"): // the text of a here-document, behind whose name code may follow
			p = `(<<~?)(["']?)([a-zA-Z_]\w*)(\2)([^\n]*)(\n(?:[^\n]*\n)*?[ \t]*\3(?=\n|\z))`
			s := chroma.LiteralString
			rule.Type = chroma.ByGroups(s, s, s, s, chroma.UsingSelf("root"), s)
		}
	case "PHP":
		if strings.HasPrefix(p, "(<<<)") { // since PHP 7.3, code may follow the end of a here-document on its line
			p = strings.TrimSuffix(p, `(;?)(\n)`) + `\b(;?)(\n?)`
		}
	case "Ruby":
		p = strings.NewReplacer("%[QWx]", "%[QWIx]", "%[qsw]", "%[qswi]").Replace(p)
		if strings.HasPrefix(p, `(?<!\w)(<<-?)`) { // the text of a here-document, and <<~
			p = `(?<!\w)(<<[-~]?)(["` + "`" + `']?)([a-zA-Z_]\w*)(\2)([^\n]*)(\n(?:[^\n]*\n)*?[ \t]*\3\b)`
			s := chroma.LiteralString
			rule.Type = chroma.ByGroups(s, s, s, s, chroma.UsingSelf("root"), s)
		}
	case "Rust":
		if strings.HasPrefix(p, `\$`) { // $( of a macro opens a bracket
			rule.Type = chroma.Text
		}
	case "Scala":
		if strings.HasPrefix(p, `:(?!`) { // no type follows an operator such as :: or :+
			p = `(?<!:):(?![-+:=~*!%&\\<>|^/?@#])`
		}
	}
	rule.Pattern = p
	return rule
}

package syntax

import (
	"path"
	"strings"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// A grammar is how the files of a language are parsed.
type grammar struct {
	parse func(source) verdict
	// maxBytes is the size above which a file is not parsed. With bounds it limits what the parser may cost at worst.
	maxBytes int
	// bounds are those of a parser that descends without a bound of its own; nil for the others.
	bounds *bounds
}

var (
	descends     = &bounds{opening: 10_000}
	descendsInGo = &bounds{opening: 50_000}                  // go/parser gives up at 100,000 levels
	descendsHCL  = &bounds{opening: 10_000, joining: 20_000} // "a::b::c" takes quadratic time
	descendsSh   = &bounds{opening: 10_000, word: 10_000}
	descendsCSS  = &bounds{opening: 25_000}
	scripts      = &bounds{opening: 20_000, joining: 10_000, word: 10_000}
)

// grammars are the parsers by the names that GitHub's linguist gives to languages.
var grammars = map[lexer.Language]grammar{
	"CSS":                {parseCSS, MaxBytes, descendsCSS},
	"Dockerfile":         {parseDockerfile, 64 << 10, descendsSh},
	"Go":                 {parseGo, 512 << 10, descendsInGo},
	"Go Module":          {parseGoModule, 256 << 10, nil},
	"Go Template":        {parseTemplate, 256 << 10, descends},
	"Go Workspace":       {parseGoWorkspace, 256 << 10, nil},
	"HCL":                {parseHCL, 256 << 10, descendsHCL},
	"HTML":               {parseTemplate, 256 << 10, descends},
	"JSON":               {parseJSON, MaxBytes, nil},
	"JSON with Comments": {parseJSONWithComments, MaxBytes, nil},
	"JavaScript":         {parseJavaScript, 512 << 10, scripts},
	"Shell":              {parseShell, 256 << 10, descendsSh},
	"TOML":               {parseTOML, 512 << 10, descends},
	"TSX":                {parseTSX, 512 << 10, scripts},
	"TypeScript":         {parseTypeScript, 512 << 10, scripts},
	"XML":                {parseXML, 512 << 10, nil},
	"YAML":               {parseYAML, 384 << 10, nil},
}

// sameGrammar are the languages of linguist that are written in another one's syntax.
var sameGrammar = map[lexer.Language]lexer.Language{
	"SVG":               "XML",
	"XML Property List": "XML",
	"Jupyter Notebook":  "JSON",
	"Maven POM":         "XML",
	"XSLT":              "XML",
}

// grammarOf returns the grammar of a file.
func grammarOf(name string, text []byte) (grammar, bool) {
	language := languageOf(name, text)
	if same, ok := sameGrammar[language]; ok {
		language = same
	}
	g, ok := grammars[language]
	return g, ok
}

// languageOf returns the language of a file whose grammar counts.
func languageOf(name string, text []byte) lexer.Language {
	base := path.Base(name)
	switch {
	case base == "bun.lock":
		return "JSON with Comments"
	case base == "yarn.lock": // YAML only since version 2
		return ""
	case strings.HasPrefix(base, "Dockerfile."):
		return "Dockerfile"
	case path.Ext(base) == ".tpl":
		return "Go Template"
	}
	return lexer.Detect(name, text)
}

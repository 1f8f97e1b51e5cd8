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
	// cost is what the parser takes of the work for each byte, in units, when the text is what is slowest for it within
	// the bounds.
	cost int
	// more is what the parser may take besides, in units; nil if that is nothing.
	more func(text []byte) int
	// bounds are those of a parser that descends without a bound of its own; nil for the others.
	bounds *bounds
}

var (
	descends     = &bounds{opening: 10_000}
	descendsInGo = &bounds{opening: 50_000}                  // go/parser gives up at 100,000 levels
	descendsHCL  = &bounds{opening: 10_000, joining: 20_000} // "a::b::c" takes quadratic time
	descendsSh   = &bounds{opening: 10_000, word: 10_000}
	descendsCSS  = &bounds{opening: 25_000}
	descendsTOML = &bounds{opening: 10_000, keys: 2_000, tables: 6_000}
	scripts      = &bounds{opening: 20_000, joining: 10_000, word: 10_000}
)

// units returns what it may cost to parse a text.
func (g grammar) units(text []byte) int {
	units := g.cost * len(text)
	if g.more != nil {
		units += g.more(text)
	}
	return units
}

// grammars are the parsers by the names that GitHub's linguist gives to languages.
var grammars = map[lexer.Language]grammar{
	"CSS":                {parseCSS, MaxBytes, 12, nil, descendsCSS},
	"Dockerfile":         {parseDockerfile, 64 << 10, 30, nil, descendsSh},
	"Go":                 {parseGo, 512 << 10, 2, nil, descendsInGo},
	"Go Module":          {parseGoModule, 256 << 10, 8, nil, nil},
	"Go Template":        {parseTemplate, 256 << 10, 16, nil, descends},
	"Go Workspace":       {parseGoWorkspace, 256 << 10, 8, nil, nil},
	"HCL":                {parseHCL, 256 << 10, 30, nil, descendsHCL},
	"HTML":               {parseTemplate, 256 << 10, 16, nil, descends},
	"JSON":               {parseJSON, MaxBytes, 2, nil, nil},
	"JSON with Comments": {parseJSONWithComments, MaxBytes, 2, nil, nil},
	"JavaScript":         {parseJavaScript, 512 << 10, 24, namesCost, scripts},
	"Shell":              {parseShell, 256 << 10, 14, nil, descendsSh},
	"TOML":               {parseTOML, 512 << 10, 8, nil, descendsTOML},
	"TSX":                {parseTSX, 512 << 10, 24, namesCost, scripts},
	"TypeScript":         {parseTypeScript, 512 << 10, 24, namesCost, scripts},
	"XML":                {parseXML, 512 << 10, 6, nil, nil},
	"YAML":               {parseYAML, 384 << 10, 14, nil, nil},
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

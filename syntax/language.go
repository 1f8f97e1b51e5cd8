package syntax

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"github.com/go-enry/go-enry/v2/data"
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
	descendsSh   = &bounds{opening: 10_000, word: 4_000}
	scripts      = &bounds{opening: 10_000, joining: 10_000, word: 4_000}
)

// grammars are the parsers by the names that GitHub's linguist gives to languages.
var grammars = map[string]grammar{
	"CSS":                {parseCSS, 256 << 10, descends},
	"Dockerfile":         {parseDockerfile, 64 << 10, descendsSh},
	"Go":                 {parseGo, MaxBytes, descendsInGo},
	"Go Module":          {parseGoModule, 256 << 10, nil},
	"Go Template":        {parseTemplate, 256 << 10, descends},
	"Go Workspace":       {parseGoWorkspace, 256 << 10, nil},
	"HCL":                {parseHCL, 256 << 10, descendsHCL},
	"HTML":               {parseTemplate, 256 << 10, descends},
	"JSON":               {parseJSON, MaxBytes, nil},
	"JSON with Comments": {parseJSONWithComments, MaxBytes, nil},
	"JavaScript":         {parseJavaScript, 256 << 10, scripts},
	"Protocol Buffer":    {parseProto, 256 << 10, descends},
	"Shell":              {parseShell, 256 << 10, descendsSh},
	"TOML":               {parseTOML, 512 << 10, descends},
	"TSX":                {parseTSX, 256 << 10, scripts},
	"TypeScript":         {parseTypeScript, 256 << 10, scripts},
	"XML":                {parseXML, MaxBytes, nil},
	"YAML":               {parseYAML, MaxBytes, nil},
}

// sameGrammar are the languages of linguist that are written in another one's syntax.
var sameGrammar = map[string]string{
	"SVG":               "XML",
	"XML Property List": "XML",
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

// languageOf returns linguist's name for the language of a file, by its name, its extension, or its first line; "" if
// these do not tell.
func languageOf(name string, text []byte) string {
	base := path.Base(name)
	if language, ok := corrected[base]; ok {
		return language
	}
	if languages := data.LanguagesByFilename[base]; len(languages) > 0 {
		return languages[0]
	}
	if strings.HasPrefix(base, "Dockerfile.") {
		return "Dockerfile"
	}
	lower := strings.ToLower(base)
	for i := range len(lower) {
		if lower[i] != '.' {
			continue
		}
		if language := languageByExtension(lower[i:], text); language != "" {
			return language
		}
	}
	if languages := data.LanguagesByInterpreter[interpreter(text)]; len(languages) > 0 {
		return languages[0]
	}
	return ""
}

// corrected are the languages of files of which linguist says another one.
var corrected = map[string]string{
	"bun.lock":  "JSON with Comments",
	"yarn.lock": "", // YAML only since version 2
}

// preferred are the languages of extensions that linguist gives to several.
var preferred = map[string]string{
	".json": "JSON", ".yml": "YAML", ".yaml": "YAML", ".html": "HTML", ".tpl": "Go Template", ".tsx": "TSX", ".rs": "Rust",
}

var xmlStart = regexp.MustCompile(`^\s*<(\?xml|!DOCTYPE TS|TS\b)`)

func languageByExtension(extension string, text []byte) string {
	languages := data.LanguagesByExtension[extension]
	if language, ok := preferred[extension]; ok {
		return language
	}
	switch {
	case len(languages) == 0:
		return ""
	case extension == ".ts" && xmlStart.Match(text):
		return "XML"
	case extension == ".ts":
		return "TypeScript"
	case extension == ".plist" && xmlStart.Match(text):
		return "XML"
	case len(languages) > 1:
		return ""
	}
	return languages[0]
}

// interpreter returns the program that the first line of a script names: "bash" of "#!/usr/bin/env bash".
func interpreter(text []byte) string {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	line, ok := bytes.CutPrefix(line, []byte("#!"))
	if !ok || len(line) > 256 {
		return ""
	}
	words := strings.Fields(string(line))
	for i, word := range words {
		program := path.Base(word)
		if i == 0 && program != "env" {
			return program
		}
		if i > 0 && !strings.HasPrefix(word, "-") && !strings.Contains(word, "=") {
			return program
		}
	}
	return ""
}

package lexer

import (
	"bytes"
	"path"
	"strings"

	"github.com/go-enry/go-enry/v2/data"
)

// Language is a language by its name in GitHub's linguist, as "C++". The zero value is an unknown one.
type Language string

// maxHeuristic bounds the content that the rules for ambiguous extensions read, in bytes. It is what linguist reads.
const maxHeuristic = 50 << 10

// Detect returns the language of a file by its name, its extension, the content where languages share that, and, if the
// name says nothing, its first line if that is a shebang. It returns "" if the language is not known or not certain.
// The content may be nil. Detect is safe for concurrent use.
func Detect(name string, content []byte) Language {
	base := path.Base(name)
	if l, ok := one(data.LanguagesByFilename[base]); ok {
		return l
	}
	lower := strings.ToLower(base)
	for at, c := range lower {
		if c != '.' {
			continue
		}
		candidates := data.LanguagesByExtension[lower[at:]]
		if lower[at:] == ".tab" { // a table of values, rarely SQL
			candidates = nil
		}
		if l, ok := one(candidates); ok {
			return l
		}
		if len(candidates) > 1 {
			return byContent(lower[at:], candidates, content)
		}
	}
	if candidates := data.LanguagesByInterpreter[interpreter(content)]; len(candidates) > 0 {
		return Language(candidates[0])
	}
	return ""
}

// preferred are the languages of extensions that others share and hardly anybody uses for them.
var preferred = map[string]Language{
	".cs": "C#", ".h": "C", ".md": "Markdown", ".php": "PHP", ".pl": "Perl", ".rs": "Rust", ".sql": "SQL",
	".ts": "TypeScript", ".tsx": "TSX", ".html": "HTML", ".yaml": "YAML", ".yml": "YAML", ".json": "JSON", ".lua": "Lua",
	".ex": "Elixir", ".hs": "Haskell", ".jl": "Julia", ".m": "Objective-C", ".vue": "Vue", ".svelte": "Svelte",
	".mm":    "Objective-C++",
	".scala": "Scala", ".sc": "Scala", ".kt": "Kotlin", ".swift": "Swift", ".java": "Java", ".rb": "Ruby", ".py": "Python",
}

// byContent returns the language of a file whose extension several languages share.
func byContent(extension string, candidates []string, content []byte) Language {
	if len(content) > maxHeuristic {
		content = content[:maxHeuristic]
	}
	if rules := data.ContentHeuristics[extension]; rules != nil && len(content) > 0 {
		if l, ok := one(rules.Match(content)); ok {
			return l
		}
	}
	for _, c := range candidates {
		if l := preferred[extension]; l == Language(c) {
			return l
		}
	}
	return ""
}

func one(languages []string) (Language, bool) {
	if len(languages) != 1 {
		return "", false
	}
	return Language(languages[0]), true
}

// maxShebang bounds the first line that interpreter reads, in bytes; Linux reads as many.
const maxShebang = 256

// interpreter returns the program that a shebang names, without folder and version: "python" of
// "#!/usr/bin/env -S python3.12 -u".
func interpreter(content []byte) string {
	rest, ok := bytes.CutPrefix(content, []byte("#!"))
	if !ok {
		return ""
	}
	rest = rest[:min(len(rest), maxShebang)]
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	words := strings.Fields(string(line))
	if len(words) == 0 {
		return ""
	}
	program := path.Base(words[0])
	if program == "env" {
		words = words[1:]
		for len(words) > 0 && (words[0][0] == '-' || strings.Contains(words[0], "=")) {
			words = words[1:]
		}
		if len(words) == 0 {
			return ""
		}
		program = path.Base(words[0])
	}
	if _, ok := data.LanguagesByInterpreter[program]; ok {
		return program
	}
	return strings.TrimRight(program, "0123456789.")
}

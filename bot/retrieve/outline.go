package retrieve

import (
	"path"
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// definition is where a file defines a name.
type definition struct {
	name string
	line int // from 1
	text string
}

// Bounds on outlines.
const (
	maxDefinitions     = 2000 // of one file
	maxDefinitionBytes = 160  // of one line of an outline
)

// outline lists what a file defines, in its order; nil for languages that are not known.
func outline(name string, data []byte) []definition {
	ext := path.Ext(name)
	if ext == ".go" {
		return outlineGo(data)
	}
	shape := definitionShapes[ext]
	if shape == nil {
		return nil
	}
	var out []definition
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		if len(line) > 1000 {
			continue
		}
		m := shape.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		for _, name := range m[1:] {
			if name != "" && !notDefined[name] {
				out = append(out, definition{name, n, markdown.ClipBytes(strings.TrimRight(line, " \t\r\n{"), maxDefinitionBytes)})
				break
			}
		}
		if len(out) == maxDefinitions {
			break
		}
	}
	return out
}

// notDefined are words that stand where the patterns expect a name.
var notDefined = map[string]bool{"if": true, "for": true, "while": true, "switch": true, "catch": true, "return": true, "new": true, "else": true, "function": true, "sizeof": true, "using": true, "lock": true, "throw": true, "await": true, "when": true, "foreach": true, "super": true, "constructor": true}

const modifiers = `(?:(?:public|private|protected|internal|static|final|abstract|sealed|virtual|override|async|synchronized|native|default|open|suspend|inline|data|readonly|partial|unsafe|extern|export|declare)\s+)*`

// definitionShapes are one pattern per language for a line that defines something; what a group holds is its name.
var definitionShapes = shapesByExtension([]struct {
	extensions string
	shape      *regexp.Regexp
}{
	{".py .pyi", regexp.MustCompile(`^\s*(?:(?:async\s+)?def|class)\s+(\w+)|^([A-Z][A-Z0-9_]+)\s*(?::[^=]+)?=`)},
	{".js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte", regexp.MustCompile(`^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:(?:async\s+)?function\s*\*?|class|interface|type|enum|namespace)\s+(\w+)|^(?:export\s+)?(?:const|let|var)\s+(\w+)\s*[:=]|^\s+` + modifiers + `(?:get\s+|set\s+)?(\w+)\s*\([^;]*\)\s*(?::[^;=]+)?\{\s*$`)},
	{".java .cs .kt .kts .scala .groovy", regexp.MustCompile(`^\s*` + modifiers + `(?:class|interface|enum|record|struct|object|trait|fun|def|namespace|delegate)\s+(?:<[^>]+>\s*)?(?:\w+\.)?(\w+)|^\s+` + modifiers + `[\w<>\[\],.?]+\s+(\w+)\s*\([^;]*(?:\)\s*(?:throws\s+[\w., ]+)?)?\{?\s*$`)},
	{".rs", regexp.MustCompile(`^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|unsafe|const|extern(?:\s+"[^"]*")?)\s+)*(?:fn|struct|enum|trait|type|mod|union|static|const|macro_rules!)\s+(\w+)|^\s*impl(?:<[^>]*>)?\s+(?:[\w:<>, ]+\s+for\s+)?(\w+)`)},
	{".rb .rake", regexp.MustCompile(`^\s*(?:def\s+(?:self\.)?|class\s+|module\s+)([\w:]+[?!=]?)`)},
	{".c .h .cc .cpp .cxx .hpp .hh .m .mm", regexp.MustCompile(`^\s*(?:typedef\s+)?(?:struct|class|enum|union|namespace)\s+(\w+)|^#define\s+(\w+)|^[A-Za-z_][\w\s*&:<>,]*?[\s*&](?:\w+::)?(~?\w+)\s*\([^;]*$`)},
	{".php", regexp.MustCompile(`^\s*` + modifiers + `(?:function\s+&?|class\s+|interface\s+|trait\s+|enum\s+)(\w+)`)},
	{".swift", regexp.MustCompile(`^\s*(?:@\w+\s+)*` + modifiers + `(?:func|class|struct|enum|protocol|extension|actor|typealias)\s+(\w+)`)},
	{".sh .bash .zsh", regexp.MustCompile(`^\s*(?:function\s+)?([\w-]+)\s*\(\)|^\s*function\s+([\w-]+)`)},
	{".lua", regexp.MustCompile(`^\s*(?:local\s+)?function\s+(?:\w+[.:])*(\w+)`)},
	{".ex .exs", regexp.MustCompile(`^\s*(?:defp?|defmodule|defmacro)\s+([\w.]+[?!]?)`)},
	{".sql", regexp.MustCompile(`(?i)^\s*create\s+(?:or\s+replace\s+)?(?:table|view|function|procedure|index|trigger|type)\s+(?:if\s+not\s+exists\s+)?([\w."]+)`)},
	{".md .rst .adoc", regexp.MustCompile(`^#{1,4}\s+(.+)$`)},
	{".proto", regexp.MustCompile(`^\s*(?:message|service|enum|rpc)\s+(\w+)`)},
	{".dart", regexp.MustCompile(`^\s*(?:abstract\s+)?(?:class|mixin|enum|extension|typedef)\s+(\w+)|^\s*(?:static\s+)?[\w<>?]+\s+(\w+)\([^;]*\)\s*(?:async\s*)?\{\s*$`)},
})

func shapesByExtension(rows []struct {
	extensions string
	shape      *regexp.Regexp
}) map[string]*regexp.Regexp {
	out := map[string]*regexp.Regexp{}
	for _, row := range rows {
		for _, ext := range strings.Fields(row.extensions) {
			out[ext] = row.shape
		}
	}
	return out
}

// isSource says that a file's language has definitions that can be looked up.
func isSource(name string) bool {
	switch ext := path.Ext(name); ext {
	case ".go":
		return true
	case ".md", ".rst", ".adoc":
		return false
	default:
		return definitionShapes[ext] != nil
	}
}

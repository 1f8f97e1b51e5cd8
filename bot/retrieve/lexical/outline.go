package lexical

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// Definition is a line of a file that defines a name.
type Definition struct {
	Name string
	// Line counts from 1. Text is the line, cut to 160 bytes.
	Line int
	Text string
}

// Bounds on outlines.
const (
	maxDefinitions     = 2000 // in one file
	maxDefinitionBytes = 160  // in one line of an outline
	maxDefinitionLine  = 1000 // bytes of a line that can define something
)

// Outline returns what a file defines, in its order, at most 2,000 names; nil for languages that are not known. The
// file's name gives the language.
func Outline(name string, data []byte) (out []Definition) {
	ext := path.Ext(name)
	if ext == ".go" {
		return outlineGo(data)
	}
	pattern := definitionPatterns[ext]
	if pattern == nil {
		return nil
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		if len(line) > maxDefinitionLine {
			continue
		}
		m := pattern.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		for _, name := range m[1:] {
			if name != "" && !notDefined[name] {
				text := markdown.ClipBytes(strings.TrimRight(line, " \t\r\n{"), maxDefinitionBytes)
				out = append(out, Definition{name, n, text})
				break
			}
		}
		if len(out) == maxDefinitions {
			break
		}
	}
	return out
}

// notDefined are words that can be where the patterns expect a name.
var notDefined = map[string]bool{
	"if": true, "for": true, "while": true, "switch": true, "catch": true, "return": true, "new": true, "else": true,
	"function": true, "sizeof": true, "using": true, "lock": true, "throw": true, "await": true, "when": true,
	"foreach": true, "super": true, "constructor": true,
}

const modifiers = `(?:(?:public|private|protected|internal|static|final|abstract|sealed|virtual|override|async|` +
	`synchronized|native|default|open|suspend|inline|data|readonly|partial|unsafe|extern|export|declare)\s+)*`

// definitionPatterns match a line that defines something, by extension. The group that is not empty is its name.
var definitionPatterns = byExtension([]struct{ extensions, pattern string }{
	{".py .pyi", `^\s*(?:(?:async\s+)?def|class)\s+(\w+)|^([A-Z][A-Z0-9_]+)\s*(?::[^=]+)?=`},
	{".js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte", `^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?` +
		`(?:abstract\s+)?(?:(?:async\s+)?function\s*\*?|class|interface|type|enum|namespace)\s+(\w+)|` +
		`^(?:export\s+)?(?:const|let|var)\s+(\w+)\s*[:=]|` +
		`^\s+` + modifiers + `(?:get\s+|set\s+)?(\w+)\s*\([^;]*\)\s*(?::[^;=]+)?\{\s*$`},
	{".java .cs .kt .kts .scala .groovy", `^\s*` + modifiers +
		`(?:class|interface|enum|record|struct|object|trait|fun|def|namespace|delegate)\s+(?:<[^>]+>\s*)?(?:\w+\.)?(\w+)|` +
		`^\s+` + modifiers + `[\w<>\[\],.?]+\s+(\w+)\s*\([^;]*(?:\)\s*(?:throws\s+[\w., ]+)?)?\{?\s*$`},
	{".rs", `^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|unsafe|const|extern(?:\s+"[^"]*")?)\s+)*` +
		`(?:fn|struct|enum|trait|type|mod|union|static|const|macro_rules!)\s+(\w+)|` +
		`^\s*impl(?:<[^>]*>)?\s+(?:[\w:<>, ]+\s+for\s+)?(\w+)`},
	{".rb .rake", `^\s*(?:def\s+(?:self\.)?|class\s+|module\s+)([\w:]+[?!=]?)`},
	{".c .h .cc .cpp .cxx .hpp .hh .m .mm", `^\s*(?:typedef\s+)?(?:struct|class|enum|union|namespace)\s+(\w+)|` +
		`^#define\s+(\w+)|^[A-Za-z_][\w\s*&:<>,]*?[\s*&](?:\w+::)?(~?\w+)\s*\([^;]*$`},
	{".php", `^\s*` + modifiers + `(?:function\s+&?|class\s+|interface\s+|trait\s+|enum\s+)(\w+)`},
	{".swift", `^\s*(?:@\w+\s+)*` + modifiers + `(?:func|class|struct|enum|protocol|extension|actor|typealias)\s+(\w+)`},
	{".sh .bash .zsh", `^\s*(?:function\s+)?([\w-]+)\s*\(\)|^\s*function\s+([\w-]+)`},
	{".lua", `^\s*(?:local\s+)?function\s+(?:\w+[.:])*(\w+)`},
	{".ex .exs", `^\s*(?:defp?|defmodule|defmacro)\s+([\w.]+[?!]?)`},
	{".sql", `(?i)^\s*create\s+(?:or\s+replace\s+)?(?:table|view|function|procedure|index|trigger|type)\s+` +
		`(?:if\s+not\s+exists\s+)?([\w."]+)`},
	{".md .rst .adoc", `^#{1,4}\s+(.+)$`},
	{".proto", `^\s*(?:message|service|enum|rpc)\s+(\w+)`},
	{".dart", `^\s*(?:abstract\s+)?(?:class|mixin|enum|extension|typedef)\s+(\w+)|` +
		`^\s*(?:static\s+)?[\w<>?]+\s+(\w+)\([^;]*\)\s*(?:async\s*)?\{\s*$`},
})

func byExtension(rows []struct{ extensions, pattern string }) map[string]*regexp.Regexp {
	out := map[string]*regexp.Regexp{}
	for _, row := range rows {
		pattern := regexp.MustCompile(row.pattern)
		for _, ext := range strings.Fields(row.extensions) {
			out[ext] = pattern
		}
	}
	return out
}

// HasOutline reports whether a file is in a language whose definitions are known.
func HasOutline(name string) bool {
	switch ext := path.Ext(name); ext {
	case ".go":
		return true
	case ".md", ".rst", ".adoc":
		return false
	default:
		return definitionPatterns[ext] != nil
	}
}

// outlineGo returns the declarations of a Go file, as far as it can be parsed.
func outlineGo(data []byte) []Definition {
	fset := token.NewFileSet()
	file, _ := parser.ParseFile(fset, "", data, parser.SkipObjectResolution)
	if file == nil {
		return nil
	}
	o := goOutline{fset: fset, lines: bytes.Split(data, []byte("\n"))}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			o.add(d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					o.add(s.Name)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						o.add(name)
					}
				}
			}
		}
	}
	return o.out
}

type goOutline struct {
	fset  *token.FileSet
	lines [][]byte
	out   []Definition
}

func (o *goOutline) add(name *ast.Ident) {
	// The line in the file, whatever a //line comment says.
	line := o.fset.PositionFor(name.Pos(), false).Line
	if name.Name == "_" || len(o.out) == maxDefinitions || line < 1 || line > len(o.lines) {
		return
	}
	text := string(bytes.TrimRight(o.lines[line-1], " \t\r{"))
	o.out = append(o.out, Definition{name.Name, line, markdown.ClipBytes(text, maxDefinitionBytes)})
}

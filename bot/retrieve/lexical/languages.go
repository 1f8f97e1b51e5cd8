package lexical

import (
	"bytes"
	"regexp"
	"strings"
)

// language is how the lines of a language define names.
type language struct {
	// pattern matches a line that defines something. The group that is not empty is its name.
	pattern *regexp.Regexp
	// A regular expression takes long, and few lines define something. Only a line that begins with one of these words
	// behind any number of modifiers, or that has the shape, can match the pattern. shaped may be nil.
	modifiers, words map[string]bool
	shaped           func(line []byte) bool
}

// defined returns the name that a line defines, nil if it defines none.
func (l *language) defined(line []byte) []byte {
	if !l.mayDefine(line) {
		return nil
	}
	return l.matched(line)
}

// mayDefine takes a quick look at a line, and reports whether it can match the pattern.
func (l *language) mayDefine(line []byte) bool {
	return l.begins(line) || l.shaped != nil && l.shaped(line)
}

// matched returns the name that the pattern finds in a line, nil if it finds none.
func (l *language) matched(line []byte) []byte {
	line = bytes.TrimRight(line, "\r\n")
	at := l.pattern.FindSubmatchIndex(line)
	for i := 2; i < len(at); i += 2 {
		if at[i] < at[i+1] && !notDefined[string(line[at[i]:at[i+1]])] {
			return line[at[i]:at[i+1]]
		}
	}
	return nil
}

// begins reports whether a line begins with one of the words, behind any number of modifiers.
func (l *language) begins(line []byte) bool {
	for {
		line = trimSpace(line)
		word := line[:wordEnd(line)]
		if len(word) == 0 || len(word) > maxKeyword {
			return false
		}
		line = line[len(word):]
		if l.words[string(word)] {
			return len(line) > 0 && (isSpace(line[0]) || bytes.IndexByte([]byte(behindWords), line[0]) >= 0)
		}
		if !l.modifiers[string(word)] {
			return false
		}
	}
}

const (
	maxKeyword  = 12     // bytes of a word of the tables
	behindWords = "(*!<" // what may follow such a word besides spaces: pub(crate), function*, macro_rules!, impl<T>
)

// notDefined are words that can be where the patterns expect a name.
var notDefined = setOf("if for while switch catch return new else function sizeof using lock throw await when " +
	"foreach super constructor")

const modifiers = "public private protected internal static final abstract sealed virtual override async " +
	"synchronized native default open suspend inline data readonly partial unsafe extern export declare"

// modified matches any number of modifiers.
var modified = `(?:(?:` + strings.ReplaceAll(modifiers, " ", "|") + `)\s+)*`

// languages are those whose definitions are found line by line, by their extensions.
var languages = byExtension([]languageRow{
	{
		extensions: ".py .pyi",
		pattern:    `^\s*(?:(?:async\s+)?def|class)\s+(\w+)|^([A-Z][A-Z0-9_]+)\s*(?::[^=]+)?=`,
		words:      "async def class",
		shaped:     isConstant,
	},
	{
		extensions: ".js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte",
		pattern: `^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?` +
			`(?:abstract\s+)?(?:(?:async\s+)?function\s*\*?|class|interface|type|enum|namespace)\s+(\w+)|` +
			`^(?:export\s+)?(?:const|let|var)\s+(\w+)\s*[:=]|` +
			`^\s+` + modified + `(?:get\s+|set\s+)?(\w+)\s*\([^;]*\)\s*(?::[^;=]+)?\{\s*$`,
		words:  "export default declare abstract async function class interface type enum namespace",
		shaped: func(line []byte) bool { return isVariable(line) || isMethod(line) },
	},
	{
		extensions: ".java .cs .kt .kts .scala .groovy",
		pattern: `^\s*` + modified +
			`(?:class|interface|enum|record|struct|object|trait|fun|def|namespace|delegate)\s+` +
			`(?:<[^>]+>\s*)?(?:\w+\.)?(\w+)|` +
			`^\s+` + modified + `[\w<>\[\],.?]+\s+(\w+)\s*\([^;]*(?:\)\s*(?:throws\s+[\w., ]+)?)?\{?\s*$`,
		modifiers: modifiers,
		words:     "class interface enum record struct object trait fun def namespace delegate",
		shaped:    isTypedMethod,
	},
	{
		extensions: ".rs",
		pattern: `^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|unsafe|const|extern(?:\s+"[^"]*")?)\s+)*` +
			`(?:fn|struct|enum|trait|type|mod|union|static|const|macro_rules!)\s+(\w+)|` +
			`^\s*impl(?:<[^>]*>)?\s+(?:[\w:<>, ]+\s+for\s+)?(\w+)`,
		words: "pub async unsafe const extern fn struct enum trait type mod union static macro_rules impl",
	},
	{
		extensions: ".rb .rake",
		pattern:    `^\s*(?:def\s+(?:self\.)?|class\s+|module\s+)([\w:]+[?!=]?)`,
		words:      "def class module",
	},
	{
		extensions: ".c .h .cc .cpp .cxx .hpp .hh .m .mm",
		pattern: `^\s*(?:typedef\s+)?(?:struct|class|enum|union|namespace)\s+(\w+)|` +
			`^#define\s+(\w+)|^[A-Za-z_][\w\s*&:<>,]*?[\s*&](?:\w+::)?(~?\w+)\s*\([^;]*$`,
		words:  "typedef struct class enum union namespace",
		shaped: func(line []byte) bool { return isMacro(line) || isFunction(line) },
	},
	{
		extensions: ".php",
		pattern:    `^\s*` + modified + `(?:function\s+&?|class\s+|interface\s+|trait\s+|enum\s+)(\w+)`,
		modifiers:  modifiers,
		words:      "function class interface trait enum",
	},
	{
		extensions: ".swift",
		pattern: `^\s*(?:@\w+\s+)*` + modified +
			`(?:func|class|struct|enum|protocol|extension|actor|typealias)\s+(\w+)`,
		modifiers: modifiers,
		words:     "func class struct enum protocol extension actor typealias",
		shaped:    isAttribute,
	},
	{
		extensions: ".sh .bash .zsh",
		pattern:    `^\s*(?:function\s+)?([\w-]+)\s*\(\)|^\s*function\s+([\w-]+)`,
		words:      "function",
		shaped:     hasEmptyParentheses,
	},
	{
		extensions: ".lua",
		pattern:    `^\s*(?:local\s+)?function\s+(?:\w+[.:])*(\w+)`,
		words:      "local function",
	},
	{
		extensions: ".ex .exs",
		pattern:    `^\s*(?:defp?|defmodule|defmacro)\s+([\w.]+[?!]?)`,
		words:      "def defp defmodule defmacro",
	},
	{
		extensions: ".sql",
		pattern: `(?i)^\s*create\s+(?:or\s+replace\s+)?(?:table|view|function|procedure|index|trigger|type)\s+` +
			`(?:if\s+not\s+exists\s+)?([\w."]+)`,
		shaped: isCreation,
	},
	{
		extensions: ".md .rst .adoc",
		pattern:    `^#{1,4}\s+(.+)$`,
		shaped:     isHeading,
	},
	{
		extensions: ".proto",
		pattern:    `^\s*(?:message|service|enum|rpc)\s+(\w+)`,
		words:      "message service enum rpc",
	},
	{
		extensions: ".dart",
		pattern: `^\s*(?:abstract\s+)?(?:class|mixin|enum|extension|typedef)\s+(\w+)|` +
			`^\s*(?:static\s+)?[\w<>?]+\s+(\w+)\([^;]*\)\s*(?:async\s*)?\{\s*$`,
		words:  "abstract class mixin enum extension typedef",
		shaped: opensBlock,
	},
})

// languageRow is a row of the table of languages. Words are separated by spaces.
type languageRow struct {
	extensions, pattern, modifiers, words string
	shaped                                func(line []byte) bool
}

func byExtension(rows []languageRow) map[string]*language {
	out := map[string]*language{}
	for _, row := range rows {
		l := &language{regexp.MustCompile(row.pattern), setOf(row.modifiers), setOf(row.words), row.shaped}
		for _, ext := range strings.Fields(row.extensions) {
			out[ext] = l
		}
	}
	return out
}

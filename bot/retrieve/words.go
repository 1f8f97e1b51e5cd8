package retrieve

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// separatesNames reports whether a character is between the names in a list: white space and punctuation, of Chinese,
// Japanese and Korean too.
func separatesNames(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("`,;|<>\"，、；：。（）「」『』《》【】“”‘’", r)
}

// maxReadings is how many names one word can have in it.
const maxReadings = 8

// readings returns the names that may be in a word: itself, and if it has letters beyond ASCII, its runs of ASCII, as
// in languages that put no space around a name.
func readings(word string) []string {
	list := []string{word}
	if strings.IndexFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return list
	}
	for _, run := range strings.FieldsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) {
		if len(list) < maxReadings && strings.ContainsAny(run, "./") {
			list = append(list, run)
		}
	}
	return list
}

// wordReference reads a word of prose: a path, with or without lines, or a pattern.
func wordReference(word string) (reference, bool) {
	word = trimDecoration(word)
	name, lines := cutLines(word)
	switch {
	case isPattern(name) && strings.ContainsAny(name, "./") && !strings.HasSuffix(strings.TrimLeft(name, "*"), "**."):
		return reference{reason: byPattern, names: []string{name}}, true
	case looksLikePath(name):
		return reference{reason: byName, names: spellings(name), lines: lines}, true
	}
	return reference{}, false
}

// codeReference reads inline code: a path, a pattern, or a name that the code defines.
func codeReference(code string) (reference, bool) {
	if len(code) > maxNameBytes || code == "" {
		return reference{}, false
	}
	name, lines := cutLines(strings.Trim(code, `"'`))
	symbol := symbolIn(code)
	switch {
	case isPattern(name) && symbol == "" && !strings.ContainsAny(name, " \t"):
		return reference{reason: byPattern, names: []string{name}}, true
	case looksLikePath(name) || symbol != "" || name != "" && !strings.ContainsAny(name, " \t(){}$"):
		return reference{reason: byCode, names: spellings(name), lines: lines, symbol: symbol}, true
	}
	return reference{}, false
}

// trimDecoration removes from a word what people write around a path.
func trimDecoration(word string) string {
	word = strings.TrimLeft(word, "`\"'([{~!")
	if strings.HasPrefix(word, "*") {
		emphasis := strings.HasSuffix(strings.TrimRight(word, ".,:;!?"), "*")
		if emphasis || !strings.ContainsAny(word, "./") {
			word = strings.Trim(word, "*.,:;!?")
		}
	}
	word = strings.TrimRight(word, "`\"'>,;.:!?~")
	for _, pair := range []string{"()", "[]", "{}"} {
		for strings.HasSuffix(word, pair[1:]) && strings.Count(word, pair[:1]) < strings.Count(word, pair[1:]) {
			word = strings.TrimRight(strings.TrimSuffix(word, pair[1:]), "`\"',;.:!?")
		}
	}
	return word
}

var (
	// nameAndLines matches a name with its lines behind it: #L12-L20, :12, :12-20, :12:5, (12,5), :[12,5].
	nameAndLines = regexp.MustCompile(`^(.+?)(?:#L?(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?)?|` +
		`:L?(\d+)(?:[-–]L?(\d+)|:\d+)?:?|:?[(\[](\d+)(?:,\s?\d+)?[)\]])$`)
	linesAfter = regexp.MustCompile("^[`'\")\\]]*,?\\s*\\(?(?:at |on |in |around |near )?" +
		`[Ll]ines?\s+(\d+)(?:\s*(?:-|–|to|through)\s*(\d+))?`)
	linesBefore = regexp.MustCompile(`(?:^|\s|\()[Ll]ines?\s+(\d+)(?:\s*(?:-|–|to|through)\s*(\d+))?` +
		"\\s+(?:of|in)\\s+[`'\"(\\[]*$")
)

// maxBeside is how far from a name its lines are looked for, in bytes.
const maxBeside = 80

// cutLines returns a name without the lines behind it, and those.
func cutLines(word string) (string, Span) {
	if len(word) == 0 || !strings.ContainsRune("0123456789:)]", rune(word[len(word)-1])) {
		return word, Span{}
	}
	m := nameAndLines.FindStringSubmatch(word)
	if m == nil {
		return word, Span{}
	}
	return m[1], spanOf(m[2]+m[4]+m[6], m[3]+m[5])
}

// linesBeside returns the lines in "line 42" after a name, or in "line 42 of" before it.
func linesBeside(before, after string) Span {
	if m := linesAfter.FindStringSubmatch(after[:min(len(after), maxBeside)]); m != nil {
		return spanOf(m[1], m[2])
	}
	if m := linesBefore.FindStringSubmatch(before[max(0, len(before)-maxBeside):]); m != nil {
		return spanOf(m[1], m[2])
	}
	return Span{}
}

// plainNames are well-known files whose names have neither dot nor slash.
var plainNames = []string{
	"makefile", "dockerfile", "license", "readme", "changelog", "gemfile", "rakefile", "procfile", "vagrantfile",
	"jenkinsfile", "justfile", "brewfile", "codeowners", "build", "workspace",
}

// extension matches that of a file, not that of a version.
var extension = regexp.MustCompile(`^\.[A-Za-z0-9_+-]{0,11}[A-Za-z][A-Za-z0-9_+-]{0,11}$`)

// looksLikePath reports whether a word is worth looking for among the files.
func looksLikePath(name string) bool {
	if len(name) < 2 || len(name) > maxNameBytes || strings.Contains(name, "://") || strings.ContainsAny(name, " \t\n") {
		return false
	}
	if strings.IndexFunc(name, unicode.IsLetter) < 0 {
		return false
	}
	if strings.ContainsAny(name, `/\`) {
		return !strings.HasPrefix(name, "//")
	}
	return extension.MatchString(path.Ext(name)) || slices.Contains(plainNames, strings.ToLower(name))
}

// spellings returns what a path may mean: with the separators of Windows, with the escapes of Markdown, in emphasis.
// One that leads to a library on somebody's machine means nothing here.
func spellings(name string) []string {
	if strings.HasPrefix(name, "/") && isForeign(name) {
		return nil
	}
	list := []string{name}
	if strings.Contains(name, `\`) {
		list = append(list, strings.ReplaceAll(name, `\`, "/"), strings.ReplaceAll(name, `\`, ""))
	}
	if strings.HasPrefix(name, "_") && strings.HasSuffix(name, "_") {
		list = append(list, strings.Trim(name, "_"))
	}
	if strings.Contains(name, "%") {
		list = append(list, unescaped(name))
	}
	return list
}

var symbolPattern = regexp.MustCompile(
	`^[@#*&]?(?:[A-Za-z_$][\w$]*(?:\.|::|#|->))*([A-Za-z_$][\w$]{2,})[!?]?(?:\(.{0,200}\))?$`)

// maxSymbolCode is the longest inline code that is read as a name, in bytes.
const maxSymbolCode = 300

// symbolIn returns the name in inline code that the repository may define: Start of `(*Server).Start()`, save of
// `user.save`; empty if there is none.
func symbolIn(code string) string {
	if len(code) > maxSymbolCode {
		return ""
	}
	m := symbolPattern.FindStringSubmatch(strings.NewReplacer("(*", "", ").", ".").Replace(code))
	if m == nil || slices.Contains(commonWords, strings.ToLower(m[1])) {
		return ""
	}
	return m[1]
}

// commonWords are in code, and no repository defines them.
var commonWords = []string{
	"async", "await", "bool", "boolean", "break", "byte", "case", "char", "class", "const", "continue", "def", "default",
	"double", "else", "enum", "error",
	"false", "final", "float", "func", "function", "import", "int", "interface", "let", "long", "map", "new", "nil",
	"none", "null", "number", "object", "package", "private", "public", "return", "self", "static", "str", "string",
	"struct", "super", "switch", "this", "throw", "true", "try", "type", "undefined", "var", "void", "while",
}

func isPattern(name string) bool {
	return strings.ContainsAny(name, "*?") || strings.Contains(name, "{")
}

package retrieve

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxNameBytes is the longest name that is looked for; git's tooling holds no longer path.
const maxNameBytes = 4096

// betweenWords are white space and what separates names in a list, in Chinese, Japanese and Korean texts too.
func betweenWords(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("`,;|<>\"，、；：。（）「」『』《》【】“”‘’", r)
}

// readings are the names that a word may hold: itself, and where it has letters beyond ASCII, its runs of ASCII, as in
// languages that put no blanks around a name.
func readings(word string) []string {
	list := []string{word}
	if strings.IndexFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return list
	}
	for _, run := range strings.FieldsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) {
		if len(list) < 8 && strings.ContainsAny(run, "./") {
			list = append(list, run)
		}
	}
	return list
}

// wordReference reads a word of prose: a path, with lines or without, or a pattern.
func wordReference(word string) (reference, bool) {
	word = trimDecoration(word)
	name, lines := cutLines(word)
	switch {
	case isGlob(name) && strings.ContainsAny(name, "./") && !strings.HasSuffix(strings.TrimLeft(name, "*"), "**."):
		return reference{kind: byGlob, Names: []string{name}}, true
	case LooksLikePath(name):
		return reference{kind: byName, Names: spellings(name), lines: lines}, true
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
	case isGlob(name) && symbol == "" && !strings.ContainsAny(name, " \t"):
		return reference{kind: byGlob, Names: []string{name}}, true
	case LooksLikePath(name) || symbol != "" || name != "" && !strings.ContainsAny(name, " \t(){}$"):
		return reference{kind: byCode, Names: spellings(name), lines: lines, symbol: symbol}, true
	}
	return reference{}, false
}

// trimDecoration strips from a word what people write around a path.
func trimDecoration(word string) string {
	word = strings.TrimLeft(word, "`\"'([{~!")
	if strings.HasPrefix(word, "*") && (strings.HasSuffix(strings.TrimRight(word, ".,:;!?"), "*") || !strings.ContainsAny(word, "./")) {
		word = strings.Trim(word, "*.,:;!?") // emphasis, not a pattern
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
	// behindName are the ways to write lines behind a name: #L12-L20, :12, :12-20, :12:5, (12,5), :[12,5].
	behindName = regexp.MustCompile(`^(.+?)(?:#L?(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?)?|:L?(\d+)(?:[-–]L?(\d+)|:\d+)?:?|:?[(\[](\d+)(?:,\s?\d+)?[)\]])$`)
	afterName  = regexp.MustCompile("^[`'\")\\]]*,?\\s*\\(?(?:at |on |in |around |near )?[Ll]ines?\\s+(\\d+)(?:\\s*(?:-|–|to|through)\\s*(\\d+))?")
	beforeName = regexp.MustCompile("(?:^|\\s|\\()[Ll]ines?\\s+(\\d+)(?:\\s*(?:-|–|to|through)\\s*(\\d+))?\\s+(?:of|in)\\s+[`'\"(\\[]*$")
)

// cutLines cuts the lines off a name.
func cutLines(word string) (string, Span) {
	if len(word) == 0 || !strings.ContainsRune("0123456789:)]", rune(word[len(word)-1])) {
		return word, Span{}
	}
	m := behindName.FindStringSubmatch(word)
	if m == nil {
		return word, Span{}
	}
	return m[1], spanOf(m[2]+m[4]+m[6], m[3]+m[5])
}

// linesBeside reads "line 42" behind a name, or "line 42 of" before it.
func linesBeside(before, after string) Span {
	if m := afterName.FindStringSubmatch(after[:min(len(after), 80)]); m != nil {
		return spanOf(m[1], m[2])
	}
	if m := beforeName.FindStringSubmatch(before[max(0, len(before)-80):]); m != nil {
		return spanOf(m[1], m[2])
	}
	return Span{}
}

func spanOf(from, to string) Span {
	a, err := strconv.Atoi(from)
	if err != nil || a < 1 || a > maxLineNumber {
		return Span{}
	}
	b, err := strconv.Atoi(to)
	if err != nil || b < a || b > maxLineNumber {
		b = a
	}
	return Span{a, b}
}

// plainNames are well-known files whose names have neither dot nor slash.
var plainNames = []string{"makefile", "dockerfile", "license", "readme", "changelog", "gemfile", "rakefile", "procfile", "vagrantfile", "jenkinsfile", "justfile", "brewfile", "codeowners", "build", "workspace"}

// extensionShape is what a file's ending looks like; a version's is not.
var extensionShape = regexp.MustCompile(`^\.[A-Za-z0-9_+-]{0,11}[A-Za-z][A-Za-z0-9_+-]{0,11}$`)

// looksLikePath tells words worth looking for among the files.
func LooksLikePath(name string) bool {
	if len(name) < 2 || len(name) > maxNameBytes || strings.Contains(name, "://") || strings.ContainsAny(name, " \t\n") {
		return false
	}
	if strings.IndexFunc(name, unicode.IsLetter) < 0 {
		return false
	}
	if strings.ContainsAny(name, `/\`) {
		return !strings.HasPrefix(name, "//")
	}
	return extensionShape.MatchString(path.Ext(name)) || slices.Contains(plainNames, strings.ToLower(name))
}

// spellings are what a path may mean: with the separators of Windows, with the escapes of Markdown, in emphasis. One that
// leads to a file of a library on somebody's machine means none here.
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

var symbolShape = regexp.MustCompile(`^[@#*&]?(?:[A-Za-z_$][\w$]*(?:\.|::|#|->))*([A-Za-z_$][\w$]{2,})[!?]?(?:\(.{0,200}\))?$`)

// symbolIn is the name in inline code that the code may define: Start of `(*Server).Start()`, save of `user.save`.
func symbolIn(code string) string {
	if len(code) > 300 {
		return ""
	}
	m := symbolShape.FindStringSubmatch(strings.NewReplacer("(*", "", ").", ".").Replace(code))
	if m == nil || slices.Contains(commonWords, strings.ToLower(m[1])) {
		return ""
	}
	return m[1]
}

// commonWords stand in code, and no repository defines them: not worth looking through it.
var commonWords = []string{
	"async", "await", "bool", "boolean", "break", "byte", "case", "char", "class", "const", "continue", "def", "default", "double", "else", "enum", "error",
	"false", "final", "float", "func", "function", "import", "int", "interface", "let", "long", "map", "new", "nil", "none", "null", "number", "object",
	"package", "private", "public", "return", "self", "static", "str", "string", "struct", "super", "switch", "this", "throw", "true", "try", "type", "undefined", "var", "void", "while",
}

func isGlob(name string) bool { return strings.ContainsAny(name, "*?") || strings.Contains(name, "{") }

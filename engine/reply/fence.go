package reply

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tenon-bot/tenon/engine/text"
)

// fence is a line that opens or closes a code block.
type fence struct {
	mark    string // the run of backticks or tildes, or the configured fence
	tag     string // the name of the element, for a tag that is written instead of a run
	closing bool   // it is a closing tag
	info    string
	line    int
}

// fenceOf reads a trimmed line as a fence; extra is a configured fence or empty.
func fenceOf(s, extra string) (fence, bool) {
	if extra != "" && strings.HasPrefix(s, extra) {
		return fence{mark: extra, info: strings.TrimSpace(s[len(extra):])}, true
	}
	if strings.HasPrefix(s, "<") {
		return tagFenceOf(s)
	}
	if s == "" || s[0] != '`' && s[0] != '~' {
		return fence{}, false
	}
	n, rest := cutRun(s, s[:1])
	info := strings.TrimSpace(rest)
	if n < 3 || s[0] == '`' && strings.Contains(info, "`") {
		return fence{}, false
	}
	return fence{mark: s[:n], info: info}, true
}

// closes reports whether f closes a code block that was opened by open.
func (f fence) closes(open fence) bool {
	if f.tag != "" || open.tag != "" {
		return f.closing && f.tag == open.tag
	}
	return f.info == "" && strings.HasPrefix(f.mark, open.mark)
}

// language returns the first word of the info string.
func (f fence) language() string {
	word, _, _ := strings.Cut(f.info, " ")
	return strings.ToLower(word)
}

// isShell reports whether the code block has shell commands.
func (f fence) isShell() bool {
	switch f.language() {
	case "bash", "sh", "shell", "zsh", "ksh", "dash", "console", "terminal",
		"shell-session", "shellsession", "bash-session":
		return true
	}
	return false
}

// isText reports whether the code block has text, as outside of it.
func (f fence) isText() bool {
	switch f.language() {
	case "", "markdown", "md", "text", "txt", "plaintext":
		return true
	}
	return false
}

// fences are the open code blocks. A fence with an info string inside another opens one more, as in a reply that is
// wrapped in a fence as a whole.
type fences []fence

// maxFences bounds the depth. A reply with more does not close them.
const maxFences = 16

// step adds the next fence, and returns the one that it closes, if any. Tags may also be markup: those in code open
// nothing, those that are never closed end with the fence around them.
func (s *fences) step(f fence) (closed fence, ok bool) {
	n := len(*s)
	for n > 1 && (*s)[n-1].tag != "" && !f.closes((*s)[n-1]) {
		n--
	}
	if n > 0 && f.closes((*s)[n-1]) {
		closed = (*s)[n-1]
		*s = (*s)[:n-1]
		return closed, true
	}
	if f.closing || f.tag != "" && s.inCode() {
		return fence{}, false
	}
	if len(*s) == maxFences {
		*s = (*s)[:0]
	}
	*s = append(*s, f)
	return fence{}, false
}

// inCode reports whether the innermost code block is open and has no text.
func (s fences) inCode() bool { return len(s) > 0 && !s[len(s)-1].isText() }

// fenceTags are the names of the elements that models write instead of a fence, on a line of their own:
// <source>python, <code lang="go">, <pre><code>. Prompts of some tools ask for them where the files have fences.
var fenceTags = []string{"source", "code", "pre", "codeblock", "sourcecode"}

// tagFenceOf reads a trimmed line that consists of such tags, the outermost first, and of at most a language after
// them. Any other text on the line means that it is markup.
func tagFenceOf(s string) (fence, bool) {
	f := fence{}
	for strings.HasPrefix(s, "<") {
		end := strings.IndexByte(s, '>')
		if end < 0 {
			return fence{}, false
		}
		inner, closing := strings.CutPrefix(s[1:end], "/")
		name, attributes, _ := strings.Cut(inner, " ")
		tag := strings.ToLower(name)
		switch {
		case !slices.Contains(fenceTags, tag) || f.tag != "" && closing != f.closing || closing && attributes != "":
			return fence{}, false
		case f.tag == "" || closing:
			f.tag, f.closing = tag, closing
		}
		f.addAttributes(attributes)
		s = s[end+1:]
	}
	if f.tag == "" || s != "" && (f.closing || !isLanguage(s)) {
		return fence{}, false
	}
	if s != "" {
		f.info = strings.TrimSpace(s + " " + f.info)
	}
	return f, true
}

// addAttributes adds the attributes of a tag to the info string: a language as its first word, as after a fence.
func (f *fence) addAttributes(attributes string) {
	for word := range strings.FieldsSeq(attributes) {
		key, value, _ := strings.Cut(word, "=")
		switch strings.ToLower(key) {
		case "lang", "language", "class":
			language := strings.TrimPrefix(strings.Trim(value, `"'`), "language-")
			f.info = strings.TrimSpace(language + " " + f.info)
		default:
			f.info = strings.TrimSpace(f.info + " " + word)
		}
	}
}

// maxLanguage bounds the length of the name of a language.
const maxLanguage = 20

// isLanguage reports whether the text after a tag may be the name of a language, such as c++ or objective-c.
func isLanguage(s string) bool {
	isOther := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+-#_.", r)
	}
	return len(s) <= maxLanguage && text.IsLetter(s[0]) && !strings.ContainsFunc(s, isOther)
}

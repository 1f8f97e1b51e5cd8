package engine

import "strings"

// fence is a line that opens or closes a code block.
type fence struct {
	mark string // the run of backticks or tildes, or the configured fence
	info string
	line int
}

// fenceOf reads a trimmed line as a fence; extra is a configured fence, or empty.
func fenceOf(s, extra string) (fence, bool) {
	if extra != "" && strings.HasPrefix(s, extra) {
		return fence{mark: extra, info: trimSpace(s[len(extra):])}, true
	}
	if s == "" || s[0] != '`' && s[0] != '~' {
		return fence{}, false
	}
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	info := trimSpace(s[n:])
	if n < 3 || s[0] == '`' && strings.IndexByte(info, '`') >= 0 {
		return fence{}, false
	}
	return fence{mark: s[:n], info: info}, true
}

// closes says that f ends a code block that open began.
func (f fence) closes(open fence) bool {
	return f.info == "" && strings.HasPrefix(f.mark, open.mark)
}

// language is the info string's first word.
func (f fence) language() string {
	word, _, _ := strings.Cut(f.info, " ")
	return strings.ToLower(word)
}

// isShell says that the code block holds shell commands.
func (f fence) isShell() bool {
	switch f.language() {
	case "bash", "sh", "shell", "zsh", "ksh", "dash", "console", "terminal", "shell-session", "shellsession", "bash-session":
		return true
	}
	return false
}

// isText says that the code block holds text like that around it.
func (f fence) isText() bool {
	switch f.language() {
	case "", "markdown", "md", "text", "txt", "plaintext":
		return true
	}
	return false
}

// fences are the code blocks open at a line. A fence with an info string inside another opens one more, as in a whole reply
// wrapped in a fence.
type fences []fence

// maxFences bounds the depth; deeper ones are a reply that forgets to close them.
const maxFences = 16

// step takes the next fence and returns the one that it closes, if it does.
func (s *fences) step(f fence) (closed fence, ok bool) {
	if n := len(*s); n > 0 && f.closes((*s)[n-1]) {
		closed = (*s)[n-1]
		*s = (*s)[:n-1]
		return closed, true
	}
	if len(*s) == maxFences {
		*s = (*s)[:0]
	}
	*s = append(*s, f)
	return fence{}, false
}

package reply

import "strings"

// document is what is known of the prose of a reply: whether it answers somebody, or is a text of its own, such as a
// README with examples.
type document struct {
	lines    int // that are not blank
	headings int // that do not name a file
	links    int
	code     int // code blocks that are neither commands nor output
}

// minUnderline is how long a line of equals signs is at least that makes a heading of the line above.
const minUnderline = 3

// newDocument reads a text in Markdown.
func newDocument(prose, fence string) (d document) {
	var open fences
	for s := range strings.Lines(prose) {
		s = strings.TrimSpace(s)
		if f, ok := fenceOf(s, fence); ok {
			if _, closed := open.step(f); !closed && len(open) == 1 && !f.isShell() && !f.isOutput() {
				d.code++
			}
			continue
		}
		if s == "" || len(open) > 0 {
			continue
		}
		d.lines++
		if s[0] == '#' && !readPathLine(s, true).isUnmistakable() || len(s) >= minUnderline && strings.Trim(s, "=") == "" {
			d.headings++
		}
		if strings.Contains(s, "](") || strings.Contains(s, "://") {
			d.links++
		}
	}
	return d
}

// isManual reports whether the text has sections and links, as a document has that explains a program to people.
func (d document) isManual() bool { return d.headings > 0 && d.links > 0 }

// What a reply of whole files says besides them at most: some sentences, and some for each file.
const (
	maxReplyLines   = 6
	maxLinesPerFile = 3
)

// isReply reports whether the text is what a reply says that consists of so many files.
func (d document) isReply(files int) bool {
	return d.code == 0 && d.headings == 0 && d.links == 0 && d.lines <= maxReplyLines+maxLinesPerFile*files
}

// isOutput reports whether the code block has what a program prints, or text.
func (f fence) isOutput() bool {
	switch f.language() {
	case "text", "txt", "plaintext", "output", "diff", "powershell", "ps1", "cmd", "bat":
		return true
	}
	return false
}

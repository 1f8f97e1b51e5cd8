package retrieve

import "fmt"

// Ask is one thing that a model asks to be shown: a file, lines of a file, a definition in a file, or the places of a
// text.
type Ask struct {
	// Path is that of a file or folder, or a pattern; it may also be a name that the code defines. Empty for a text.
	Path string
	// Lines are those asked for, zero for none in particular. Name is what is defined in the file; empty for none.
	Lines Span
	Name  string
	// Find is the text to find; empty for a file.
	Find string
}

// FindPrefix begins an ask for a text, as String writes it, and needPrefix any other.
const (
	FindPrefix = "FIND: "
	needPrefix = "NEED: "
)

// between returns the ask with its path or text between quotation marks.
func (a Ask) between(mark string) string {
	text := FindPrefix + mark + a.Find + mark
	if a.Find == "" {
		text = needPrefix + mark + a.Path + mark
	}
	switch {
	case a.Lines.From > 0:
		return withLines(text, a.Lines)
	case a.Name != "":
		return text + " " + a.Name
	}
	return text
}

// withLines returns a path followed by lines, as an ask has them.
func withLines(path string, lines Span) string {
	return fmt.Sprintf("%s:%d-%d", path, lines.From, lines.To)
}

// Bounds on what is read of a reply.
const (
	maxParsedAsks = 50      // of one reply
	maxAskLines   = 200     // lines of one reply that begin as an ask does
	maxAskLine    = 2000    // bytes of a line that are read
	maxAskedBytes = 1000    // of a path
	maxFindBytes  = 200     // of a text to find
	maxReplyRead  = 1 << 20 // bytes of a reply in which asks are looked for
	maxBesideAsks = 600     // bytes of other words in a reply that asks in lower case, or instead of an answer
)

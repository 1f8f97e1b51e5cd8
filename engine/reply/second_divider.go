package reply

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/text"
)

// blockReader reads the content of one block.
type blockReader struct {
	lines  []string // of the reply
	tokens []token
	i, j   int    // the tokens that are its head and its end
	path   string // of its file
	inCall bool   // its path is an element of a call
	// dividers are the tokens that may divide its halves.
	dividers []int
}

// isSecondDivider reports whether the last divider in body, which begins with the head marker, is not content: directly
// before the end marker, models write a second one, but new lines may also end with an underlined heading.
func (r *blockReader) isSecondDivider(body []string, head token) (second, certain bool) {
	n, last := len(r.dividers), len(body)-1
	if n < 2 || r.tokens[r.dividers[n-1]].line-head.line != last {
		return false, true
	}
	above, previous := body[last-1], r.tokens[r.dividers[n-2]].line-head.line
	switch {
	case previous == last-1 || head.kind == editHead || !couldBeHeading(above):
		return true, true
	case r.repeatsHeading(body, head):
		return false, true
	}
	return true, !text.IsMarkup(r.path)
}

// couldBeHeading reports whether the line above an underline could be its heading.
func couldBeHeading(line string) bool {
	return line != "" && text.IsWordByte(line[0])
}

// repeatsHeading reports whether the last two lines of body are a heading: the lines to find have it too, or end with
// another one, so that its underline and the divider are two lines together.
func (r *blockReader) repeatsHeading(body []string, head token) bool {
	tail := body[len(body)-2:]
	for i, at := range r.dividers[:len(r.dividers)-1] {
		d := r.tokens[at].line - head.line
		if d > 2 && slices.Equal(body[d-2:d], tail) || d > 1 && slices.Equal(body[d-1:d+1], tail) {
			return true
		}
		next := r.tokens[r.dividers[i+1]].line - head.line
		if next == d+1 && d > 1 && couldBeHeading(body[d-1]) && text.IsMarkup(r.path) {
			return true
		}
	}
	return false
}

package engine

import (
	"path"
	"slices"
	"strings"
)

// lastDivider says what a divider directly before the end marker is: models write a second one there, but new lines
// may also end with an underlined heading.
type lastDivider uint8

const (
	noLastDivider lastDivider = iota // no divider is there, or only one in the whole block
	underline                        // content
	secondDivider                    // not content
	doubtfulDivider
)

// classifyLastDivider classifies the last of p.dividers in body, which begins with the head marker.
func (p *parser) classifyLastDivider(body []string, head token) lastDivider {
	n, last := len(p.dividers), len(body)-1
	if n < 2 || p.pairer.tokens[p.dividers[n-1]].line-head.line != last {
		return noLastDivider
	}
	above, previous := body[last-1], p.pairer.tokens[p.dividers[n-2]].line-head.line
	switch {
	case previous == last-1 || head.kind == editHead || !couldBeHeading(above):
		return secondDivider
	case p.endsLikeFind(body, head):
		return underline
	case !isMarkup(p.lastPath.path):
		return secondDivider
	}
	return doubtfulDivider
}

// couldBeHeading reports whether the line above an underline could be its heading.
func couldBeHeading(line string) bool {
	return line != "" && (isAlnum(line[0]) || line[0] >= 0x80)
}

// endsLikeFind reports whether lines to find end with the last two lines of body, so that these are context.
func (p *parser) endsLikeFind(body []string, head token) bool {
	tail := body[len(body)-2:]
	for _, at := range p.dividers[:len(p.dividers)-1] {
		d := p.pairer.tokens[at].line - head.line
		if d > len(tail) && slices.Equal(body[d-len(tail):d], tail) {
			return true
		}
	}
	return false
}

// isMarkup reports whether the file at a path may have underlined headings.
func isMarkup(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case "", ".md", ".markdown", ".mdx", ".rst", ".rest", ".txt", ".adoc", ".asciidoc", ".rdoc":
		return true
	}
	return false
}

package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxPurpose bounds the length of a purpose, in characters. A longer line is part of the explanation.
const maxPurpose = 200

// purposeBefore returns what a block is for, and the line that says so: the last line before the block, which begins at
// from, if that line is a paragraph of its own. Other prose, which explains the whole reply, comes before the purpose
// of the first block. It returns "" and from if there is none. What a line means as a path is decided before, and is
// not affected.
func (p *parser) purposeBefore(from int) (purpose string, line int) {
	start := p.proseStart(from)
	line = from - 1
	for line >= start && isBlank(p.lines[line]) {
		line--
	}
	if line < start || p.afterUnclosed || p.prose.insideCode(line) || len(p.lines[line]) > maxPurpose*utf8.UTFMax {
		return "", from
	}
	var above string // the line of prose before it
	for n := line - 1; n >= start && above == ""; n-- {
		above = trimSpace(p.lines[n])
	}
	if line > start && !isBlank(p.lines[line-1]) && !isProtocol(above) && !p.isFence(above) {
		return "", from
	}
	if len(p.reply.Blocks) == 0 && !p.prose.spoken && !slices.ContainsFunc(p.lines[start:line], p.explains) {
		return "", from
	}
	purpose, listed := cutListMarker(trimSpace(p.lines[line]))
	if _, also := cutListMarker(above); listed && also || !isPurpose(purpose) {
		return "", from
	}
	return strings.TrimRight(purpose, ": "), line
}

// explains reports whether a line of prose is the explanation of the reply, or a part of it, or the line for the commit
// that follows it.
func (p *parser) explains(line string) bool {
	s := trimSpace(line)
	return s != "" && s[0] != '#' && !p.isFence(s) && !readPathLine(s, true).isUnmistakable()
}

// isPurpose reports whether a line may say what a block is for: whether it is a sentence, or a part of one.
func isPurpose(s string) bool {
	if utf8.RuneCountInString(s) > maxPurpose || isProtocol(s) || readPathLine(s, true).isUnmistakable() {
		return false
	}
	if _, fence := fenceOf(s, ""); fence || s == "" || strings.IndexByte("#>|<", s[0]) >= 0 {
		return false
	}
	if k, _ := markerOf(s); k != noMarker {
		return false
	}
	return strings.IndexFunc(s, unicode.IsLetter) >= 0
}

// cutListMarker returns an item of a list without its marker, or another line as it is.
func cutListMarker(s string) (rest string, ok bool) {
	for _, bullet := range []string{"- ", "* ", "+ ", "• "} {
		if rest, ok := strings.CutPrefix(s, bullet); ok {
			return trimSpace(rest), true
		}
	}
	rest = strings.TrimLeft(s, "0123456789")
	if n := len(s) - len(rest); n > 0 && n <= 3 && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")) {
		return trimSpace(rest[2:]), true
	}
	return s, false
}

// protocolWords begin lines that prompts ask for besides blocks, for the program that reads the reply.
var protocolWords = []string{"COMMIT:", "REMARK", "NEED:", "FIND:", "NO CHANGE"}

// isProtocol reports whether a trimmed line is for the program that reads the reply, whatever its decoration.
func isProtocol(s string) bool {
	s = strings.TrimLeft(s, "#>*_` -")
	for _, word := range protocolWords {
		if strings.HasPrefix(s, word) {
			return true
		}
	}
	return false
}

package reply

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/engine/text"
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
	for line >= start && text.IsBlank(p.lines[line]) {
		line--
	}
	if line < start || p.afterUnclosed || p.prose.insideCode(line) || len(p.lines[line]) > maxPurpose*utf8.UTFMax {
		return "", from
	}
	var above string // the line of prose before it
	for n := line - 1; n >= start && above == ""; n-- {
		above = strings.TrimSpace(p.lines[n])
	}
	if line > start && !text.IsBlank(p.lines[line-1]) && !isProtocol(above) && !p.isFence(above) {
		return "", from
	}
	if len(p.reply.Blocks) == 0 && !p.prose.spoken && !slices.ContainsFunc(p.lines[start:line], p.explains) {
		return "", from
	}
	purpose, listed := cutListMarker(strings.TrimSpace(p.lines[line]))
	if _, also := cutListMarker(above); listed && also || !isPurpose(purpose) {
		return "", from
	}
	return strings.TrimRight(purpose, ": "), line
}

// isPurpose reports whether a line may say what a block is for: whether it is a sentence, or a part of one.
func isPurpose(s string) bool {
	if utf8.RuneCountInString(s) > maxPurpose || isProtocol(s) || readPathLine(s, true).isUnmistakable() {
		return false
	}
	if _, fence := fenceOf(s, ""); fence || s == "" || strings.IndexByte("#>|<", s[0]) >= 0 {
		return false
	}
	kind, _ := markerOf(s)
	return kind == noMarker && strings.IndexFunc(s, unicode.IsLetter) >= 0
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

// startOfRest returns where the rest of a block begins whose end marker is at end, and which has no head: at its path,
// at a fence, or after the line for the commit, and if there is none of these where nothing is consumed.
func (p *parser) startOfRest(end int) int {
	from := p.proseStart(end)
	for n := from; n < end; n++ {
		s := strings.TrimSpace(p.lines[n])
		switch {
		case isProtocol(s):
			from = n + 1
		case p.isFence(s), readPathLine(s, p.startsParagraph(n)).isUnmistakable():
			return n
		}
	}
	return from
}

package reply

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// markerKind is the kind of a marker line; noMarker is any other line.
type markerKind uint8

const (
	noMarker     markerKind = iota
	searchHead              // <<<<<<< SEARCH, <<<<<<< ORIGINAL, ------- SEARCH
	newHead                 // <<<<<<< NEW_FILE
	editHead                // ««« EDIT
	conflictHead            // <<<<<<< HEAD, as git leaves it in a file
	searchEnd               // >>>>>>> REPLACE, >>>>>>> UPDATED, +++++++ REPLACE
	newEnd                  // >>>>>>> NEW_FILE
	editEnd                 // »»» EDIT END
	bareEnd                 // »»»
	conflictEnd             // >>>>>>> branch
	divider                 // =======
	replDivider             // ═══════ REPL
	thickBar                // ═══════
	thinBar                 // ───────
)

// minRun is the minimum length of the run of characters that begins a marker. Prompts ask for seven, and models write
// five to nine. A longer run with its word is a marker too; a longer divider is one only if the block has no other
// (see preferRunLength).
const (
	minRun       = 5
	maxDivider   = 9
	minGuillemet = 3
)

// markers are the marker lines, by the character of their run and the word after it. Those of < and > with another word
// are of merge conflicts.
var markers = map[string]markerKind{
	"<SEARCH": searchHead, "<ORIGINAL": searchHead, "-SEARCH": searchHead, "<NEW_FILE": newHead, "«EDIT": editHead,
	">REPLACE": searchEnd, ">UPDATED": searchEnd, "+REPLACE": searchEnd, ">NEW_FILE": newEnd,
	"»EDIT END": editEnd, "»": bareEnd,
	"=": divider, "═REPL": replDivider, "═": thickBar, "─": thinBar,
}

// startsMarker are the first bytes of markers, which rule out most lines.
var startsMarker = [256]bool{'<': true, '>': true, '=': true, '-': true, '+': true, 0xC2: true, 0xE2: true}

// markerOf returns the kind of a marker line and the length of its run. The line must begin with a character other
// than a space.
func markerOf(s string) (markerKind, int) {
	sign, size := utf8.DecodeRuneInString(s)
	n, rest := cutRun(s, s[:size])
	word := strings.TrimSpace(rest)
	if n < minGuillemet || n < minRun && sign != '«' && sign != '»' || word != "" && strings.HasPrefix(rest, word) {
		return noMarker, 0
	}
	other := noMarker
	switch sign {
	case '<':
		other = conflictHead
	case '>':
		other = conflictEnd
	}
	if other != noMarker {
		word = strings.TrimSuffix(withoutNote(word), ">") // some models write a trailing >
	}
	if kind, ok := markers[s[:size]+word]; ok {
		return kind, n
	}
	return other, n
}

// withoutNote cuts "(end)" or "<!-- old -->" after the word of a marker. A note is only words: one that could name a
// file is not ignored.
func withoutNote(line string) string {
	word, note, _ := strings.Cut(line, " ")
	for _, around := range [][2]string{{"(", ")"}, {"<!--", "-->"}} {
		text, opened := strings.CutPrefix(strings.TrimSpace(note), around[0])
		text, closed := strings.CutSuffix(text, around[1])
		if opened && closed && !strings.ContainsFunc(text, isNoWord) {
			return word
		}
	}
	return line
}

// isNoWord reports whether r is part of something other than words: of a path, or of code.
func isNoWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ' ' && r != '-' && r != ','
}

// cutRun counts how many times s begins with unit, and returns the rest.
func cutRun(s, unit string) (int, string) {
	n := 0
	for ; strings.HasPrefix(s, unit); n++ {
		s = s[len(unit):]
	}
	return n, s
}

package engine

import "strings"

// kind is what a marker line is; noMarker is every other line.
type markerKind uint8

const (
	noMarker     markerKind = iota
	searchHead        // <<<<<<< SEARCH
	newHead           // <<<<<<< NEW_FILE
	editHead          // ««« EDIT
	conflictHead      // <<<<<<< HEAD, as git leaves it in a file
	searchEnd         // >>>>>>> REPLACE
	newEnd            // >>>>>>> NEW_FILE
	editEnd           // »»» EDIT END
	bareEnd           // »»»
	conflictEnd       // >>>>>>> branch
	divider           // =======
	replDivider       // ═══════ REPL
	thickBar          // ═══════
	thinBar           // ───────
)

// minRun is how often a marker's character repeats at least. Prompts ask for seven and models write five to nine; a longer
// run with its word behind it is a marker as well, a longer divider only where the block has no other (see dividers).
const (
	minRun       = 5
	maxDivider   = 9
	minGuillemet = 3
)

// opensMarker are the first bytes of markers: most lines are told apart by them.
var startsMarker = [256]bool{'<': true, '>': true, '=': true, 0xC2: true, 0xE2: true}

const whitespace = " \t\r"

// markerOf says which marker a line is and how long its run. The line must start with its first non-blank byte.
func markerOf(s string) (markerKind, int) {
	switch s[0] {
	case '<', '=', '>':
		return asciiMarker(s)
	case 0xC2:
		return guillemetMarker(s)
	case 0xE2:
		return barMarker(s)
	}
	return noMarker, 0
}

func asciiMarker(s string) (markerKind, int) {
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	if n < minRun {
		return noMarker, 0
	}
	word, separated := wordAfter(s[n:])
	if !separated {
		return noMarker, 0
	}
	switch s[0] {
	case '=':
		return when(word == "", divider), n
	case '<':
		return byWord(word, searchHead, "SEARCH", newHead, conflictHead), n
	default:
		return byWord(word, searchEnd, "REPLACE", newEnd, conflictEnd), n
	}
}

// pick names the marker by its word. A trailing > is a habit of some models.
func byWord(word string, edit markerKind, editWord string, file, other markerKind) markerKind {
	switch strings.TrimSuffix(word, ">") {
	case editWord:
		return edit
	case "NEW_FILE":
		return file
	}
	return other
}

func guillemetMarker(s string) (markerKind, int) {
	left := strings.HasPrefix(s, "«")
	if !left && !strings.HasPrefix(s, "»") {
		return noMarker, 0
	}
	n, rest := cutRun(s, s[:2])
	word, separated := wordAfter(rest)
	switch {
	case n < minGuillemet || !separated:
	case left && word == "EDIT":
		return editHead, n
	case left:
	case word == "":
		return bareEnd, n
	case strings.HasPrefix(word, "EDIT") && trimSpace(word[len("EDIT"):]) == "END":
		return editEnd, n
	}
	return noMarker, 0
}

func barMarker(s string) (markerKind, int) {
	thick := strings.HasPrefix(s, "═")
	if !thick && !strings.HasPrefix(s, "─") {
		return noMarker, 0
	}
	n, rest := cutRun(s, s[:3])
	word, separated := wordAfter(rest)
	switch {
	case n < minRun || !separated:
	case thick && word == "REPL":
		return replDivider, n
	case word != "":
	case thick:
		return thickBar, n
	default:
		return thinBar, n
	}
	return noMarker, 0
}

// runOf counts how often s starts with unit, and returns what follows.
func cutRun(s, unit string) (int, string) {
	n := 0
	for strings.HasPrefix(s, unit) {
		s = s[len(unit):]
		n++
	}
	return n, s
}

// wordAfter returns the trimmed text behind a run, and whether a blank (or nothing) stands between.
func wordAfter(rest string) (word string, separated bool) {
	if rest == "" {
		return "", true
	}
	return trimSpace(rest), strings.IndexByte(whitespace, rest[0]) >= 0
}

func when(ok bool, k markerKind) markerKind {
	if ok {
		return k
	}
	return noMarker
}

// trim cuts blanks off both ends. It is strings.Trim without the set-up, for it runs on every line of prose.
func trimSpace(s string) string {
	for s != "" && isSpaceByte(s[0]) {
		s = s[1:]
	}
	for s != "" && isSpaceByte(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func isSpaceByte(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

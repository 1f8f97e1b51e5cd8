package engine

import "strings"

// kind is what a marker line is; noMarker is every other line.
type kind uint8

const (
	noMarker     kind = iota
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
var opensMarker = [256]bool{'<': true, '>': true, '=': true, 0xC2: true, 0xE2: true}

const blanks = " \t\r"

// markerOf says which marker a line is and how long its run. The line must start with its first non-blank byte.
func markerOf(s string) (kind, int) {
	switch s[0] {
	case '<', '=', '>':
		return asciiMarker(s)
	case 0xC2:
		return guillemet(s)
	case 0xE2:
		return barMarker(s)
	}
	return noMarker, 0
}

func asciiMarker(s string) (kind, int) {
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	if n < minRun {
		return noMarker, 0
	}
	word, apart := wordAfter(s[n:])
	if !apart {
		return noMarker, 0
	}
	switch s[0] {
	case '=':
		return when(word == "", divider), n
	case '<':
		return pick(word, searchHead, "SEARCH", newHead, conflictHead), n
	default:
		return pick(word, searchEnd, "REPLACE", newEnd, conflictEnd), n
	}
}

// pick names the marker by its word. A trailing > is a habit of some models.
func pick(word string, edit kind, editWord string, file, other kind) kind {
	switch strings.TrimSuffix(word, ">") {
	case editWord:
		return edit
	case "NEW_FILE":
		return file
	}
	return other
}

func guillemet(s string) (kind, int) {
	left := strings.HasPrefix(s, "«")
	if !left && !strings.HasPrefix(s, "»") {
		return noMarker, 0
	}
	n, rest := runOf(s, s[:2])
	word, apart := wordAfter(rest)
	switch {
	case n < minGuillemet || !apart:
	case left && word == "EDIT":
		return editHead, n
	case left:
	case word == "":
		return bareEnd, n
	case strings.HasPrefix(word, "EDIT") && trim(word[len("EDIT"):]) == "END":
		return editEnd, n
	}
	return noMarker, 0
}

func barMarker(s string) (kind, int) {
	thick := strings.HasPrefix(s, "═")
	if !thick && !strings.HasPrefix(s, "─") {
		return noMarker, 0
	}
	n, rest := runOf(s, s[:3])
	word, apart := wordAfter(rest)
	switch {
	case n < minRun || !apart:
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
func runOf(s, unit string) (int, string) {
	n := 0
	for strings.HasPrefix(s, unit) {
		s = s[len(unit):]
		n++
	}
	return n, s
}

// wordAfter returns the trimmed text behind a run, and whether a blank (or nothing) stands between.
func wordAfter(rest string) (word string, apart bool) {
	if rest == "" {
		return "", true
	}
	return trim(rest), strings.IndexByte(blanks, rest[0]) >= 0
}

func when(ok bool, k kind) kind {
	if ok {
		return k
	}
	return noMarker
}

// trim cuts blanks off both ends. It is strings.Trim without the set-up, for it runs on every line of prose.
func trim(s string) string {
	for s != "" && isBlankByte(s[0]) {
		s = s[1:]
	}
	for s != "" && isBlankByte(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func isBlankByte(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

package syntax

import (
	"bytes"
	"strings"
)

// Parsers that descend into what is nested end the process when the text is nested deep enough: Go cannot recover from
// a stack that is full. Others take time that grows with the square of what is nested or repeated. So both are bounded
// before a parser runs.
//
// Where the text nests cannot be told without parsing it: a bracket may be in a string. So the bounds do not depend on
// that. There are no more levels than opening brackets, wherever these are; and what nests without brackets takes an
// operator or a word for each level.
type bounds struct {
	// opening is the number of opening brackets of all kinds, backquotes included. The densest source files known have
	// 35 in 1,000 bytes.
	opening int
	// joining is the number of characters that join expressions or types without a bracket: ":", "?" and "=". A colon
	// that a comma or semicolon ends before the next one joins nothing, unless a comment may be between them. 0 is no
	// bound.
	joining int
	// word is how often the same word occurs. 0 is no bound.
	word int
	// keys is how many keys one table of TOML has, tables how many of these there are: go-toml compares each with all
	// others. 0 is no bound.
	keys, tables int
}

const (
	// maxDepth is how much the opening brackets may be ahead of the closing ones, none of which is left out. It keeps
	// most of what is nested too deep away from the parsers, and cheaply; source text is rarely 20 levels deep.
	maxDepth = 500
	// maxRun is the number of characters, blanks aside, without a letter or digit among them.
	maxRun = 2_000
	// maxWordBytes bounds how often a word occurs times the bytes of the text: see namesCost.
	maxWordBytes = 4_000 * 256 << 10
)

// exceeded reports whether a text may be nested too deep, or repeat something too often, for a parser.
func (b bounds) exceeded(text []byte) bool {
	opening, joining, depth, run, colon := 0, 0, 0, 0, 0
	for _, c := range text {
		switch {
		case isWordByte(c):
			run = 0
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			continue
		case c == '(' || c == '[' || c == '{':
			opening++
			depth++
		case c == '<' || c == '`': // which are not only brackets
			opening++
		case c == ')' || c == ']' || c == '}':
			depth = max(0, depth-1)
		case c == ':':
			joining += colon
			colon = 1
		case c == '?' || c == '=':
			joining++
		case c == ',' || c == ';':
			colon = 0
		case c == '/' || c == '-' || c == '#':
			joining += colon
			colon = 0
		}
		run++
		if opening > b.opening || depth > maxDepth || run > maxRun || b.joining > 0 && joining+colon > b.joining {
			return true
		}
	}
	return b.word > 0 && mostFrequent(text, anyWord) > min(b.word, maxWordBytes/(len(text)+1)) ||
		b.keys > 0 && b.hasManyKeys(text)
}

// mostFrequent returns how often a text has the word, of those that count, that it has most often.
func mostFrequent(text []byte, counts func(text []byte, start, end int) bool) (most int) {
	times := make(map[string]int)
	for start := 0; start < len(text); start++ {
		end := start
		for end < len(text) && isWordByte(text[end]) {
			end++
		}
		if end == start {
			continue
		}
		if counts(text, start, end) {
			word := string(text[start:end])
			times[word]++
			most = max(most, times[word])
		}
		start = end
	}
	return most
}

func anyWord([]byte, int, int) bool { return true }

// nameBytesPerUnit is how many bytes esbuild looks at, in the time of one unit of work, for the line of a name.
const nameBytesPerUnit = 8

// namesCost returns what it costs if a name of a script is declared at each of its places: esbuild goes on behind such
// an error, and counts the lines from the first place to this one.
func namesCost(text []byte) int {
	return mostFrequent(text, mayBeDeclared) * len(text) / nameBytesPerUnit
}

// reserved are words of JavaScript that name nothing, and those of them that are frequent.
var reserved = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields("await break case catch class const continue default delete do else export extends " +
		"false finally for function if import in instanceof new null return super switch this throw true try typeof var " +
		"void while with") {
		words[w] = true
	}
	return words
}()

// mayBeDeclared reports whether the word text[start:end] of a script may be declared there. A property is not, nor the
// name of what is called, unless it may be that of a function.
func mayBeDeclared(text []byte, start, end int) bool {
	if c := text[start]; c >= '0' && c <= '9' || reserved[string(text[start:end])] {
		return false
	}
	if start > 0 && text[start-1] == '.' && (start == 1 || text[start-2] != '.') {
		return false
	}
	if end == len(text) || text[end] != '(' && text[end] != '.' {
		return true
	}
	before := bytes.TrimRight(text[max(0, start-maxBlanks):start], " \t\r\n")
	return len(before) == 0 && start > 0 || bytes.HasSuffix(before, []byte("function")) ||
		len(before) > 0 && (before[len(before)-1] == '*' || before[len(before)-1] == '/')
}

// maxBlanks is how many bytes before a word are looked at for the word before it.
const maxBlanks = 32

// hasManyKeys reports whether a text of TOML has more tables, or more keys in one, than the bounds allow.
func (b bounds) hasManyKeys(text []byte) bool {
	tables, keys := 0, 0
	for i, c := range text {
		switch {
		case c == '[' && (i == 0 || text[i-1] == '\n'):
			tables, keys = tables+1, 0
		case c == '=':
			keys++
		}
		if tables > b.tables || keys > b.keys {
			return true
		}
	}
	return false
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

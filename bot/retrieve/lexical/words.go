package lexical

import (
	"unicode"
	"unicode/utf8"
)

// Term is the hash of a word: of an identifier as a whole, or of a part of one. Two words may have the same hash; that
// costs precision, and nothing else.
type Term uint32

// Bounds on words.
const (
	maxWordBytes = 80   // of a word; a longer one is data
	maxLineBytes = 1000 // of a line that is read: what follows is data, or was written by a tool
	minPartBytes = 2    // of a part of an identifier
)

// wordClass classifies bytes for splitting a line into words.
type wordClass uint8

const (
	separator wordClass = iota
	lower
	upper
	digit
	underscore
)

var classes = func() (table [256]wordClass) {
	for c := range 256 {
		switch {
		case c >= 'a' && c <= 'z', c >= utf8.RuneSelf:
			table[c] = lower
		case c >= 'A' && c <= 'Z':
			table[c] = upper
		case c >= '0' && c <= '9':
			table[c] = digit
		case c == '_':
			table[c] = underscore
		}
	}
	return table
}()

// eachTerm calls yield with the terms of a line: of each word, its parts by case and underscore, stemmed, and, if there
// are several parts, the word as a whole, without regard to case and underscores. So parse_header and parseHeader have
// the same terms.
//
// Chinese, Japanese and Korean, which are written without spaces or with endings behind each word, have a term for each
// two characters that follow each other. Such a character ends a word of other letters.
func eachTerm(line []byte, yield func(Term)) {
	line = line[:min(len(line), maxLineBytes)]
	for at := 0; at < len(line); {
		for at < len(line) && classes[line[at]] == separator {
			at++
		}
		start := at
		for at < len(line) && classes[line[at]] != separator && line[at] < firstEastAsian {
			at++
		}
		if word := line[start:at]; len(word) >= minPartBytes && len(word) <= maxWordBytes {
			wordTerms(word, yield)
		}
		if at < len(line) && line[at] >= firstEastAsian {
			at += eastAsianTerms(line[at:], yield)
		}
	}
}

// firstEastAsian is the first byte, in UTF-8, of the characters from U+3000 on: of the scripts that are read by pairs
// of characters, and of symbols. The characters before them begin with lesser bytes, and the bytes that follow the
// first one of a character are less, too.
const firstEastAsian = 0xE3

// eastAsianTerms calls yield with each two characters that follow each other at the beginning of a text, and returns
// the length of the characters that it read.
func eastAsianTerms(text []byte, yield func(Term)) (at int) {
	before := 0 // the length of the last character, 0 if that was none
	for at < len(text) && text[at] >= firstEastAsian {
		r, n := utf8.DecodeRune(text[at:])
		if !unicode.IsLetter(r) {
			before = 0
			at += n
			continue
		}
		if before > 0 {
			yield(hash(text[at-before : at+n]))
		}
		before = n
		at += n
	}
	return at
}

// wordTerms calls yield with the terms of a word.
func wordTerms(word []byte, yield func(Term)) {
	parts := 0
	whole := hashSeed
	for at := 0; at < len(word); {
		start, end := nextPart(word, at)
		at = end
		if start == end {
			break
		}
		var buffer [maxWordBytes]byte
		part := buffer[:end-start]
		for i, c := range word[start:end] {
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			part[i] = c
			whole = (whole ^ uint32(c)) * hashPrime
		}
		parts++
		if len(part) >= minPartBytes {
			yield(hash(stem(part)))
		}
	}
	if parts > 1 {
		yield(Term((whole ^ '_') * hashPrime)) // no part has this byte
	}
}

// nextPart returns where the next part of a word is: a run of letters of one case, with a capital letter before lower
// ones, or a run of digits. An acronym ends before the capital that begins the next part: HTTPServer is HTTP and
// Server.
func nextPart(word []byte, at int) (start, end int) {
	for at < len(word) && classes[word[at]] == underscore {
		at++
	}
	start = at
	if at == len(word) {
		return start, start
	}
	switch classes[word[at]] {
	case digit:
		for at < len(word) && classes[word[at]] == digit {
			at++
		}
		return start, at
	case upper:
		for at < len(word) && classes[word[at]] == upper {
			at++
		}
		if at-start > 1 {
			if at < len(word) && classes[word[at]] == lower {
				at--
			}
			return start, at
		}
	}
	for at < len(word) && classes[word[at]] == lower {
		at++
	}
	return start, at
}

// The hash is FNV-1a with 32 bits.
const (
	hashSeed  uint32 = 2166136261
	hashPrime uint32 = 16777619
)

func hash(word []byte) Term {
	h := hashSeed
	for _, c := range word {
		h = (h ^ uint32(c)) * hashPrime
	}
	return Term(h)
}

// nameTerm returns the hash of a name as it is written.
func nameTerm(name string) Term { return hash([]byte(name)) }

// stem returns a lower-case word without the endings of English inflection, so that "parsing", "parsed", "parses" and
// "parse" are one term. It shortens the word in place.
func stem(word []byte) []byte {
	n := len(word)
	switch {
	case n > 4 && hasEnd(word, "ies"):
		word[n-3] = 'y'
		return word[:n-2]
	case n > 4 && hasEnd(word, "ie"): // as in "cookies", which cannot be told from "queries"
		word[n-2] = 'y'
		return word[:n-1]
	case n > 4 && hasEnd(word, "sses"):
		return word[:n-2]
	case n > 3 && word[n-1] == 's' && word[n-2] != 's' && word[n-2] != 'u' && word[n-2] != 'i':
		n--
	}
	switch word = word[:n]; {
	case n > 5 && hasEnd(word, "ing"):
		n = undouble(word, n-3)
	case n > 4 && hasEnd(word, "ed"):
		n = undouble(word, n-2)
	}
	if n > 3 && word[n-1] == 'e' {
		n--
	}
	return word[:n]
}

// undouble returns the length of a stem of n bytes without the second of two equal consonants at its end.
func undouble(word []byte, n int) int {
	if n > 3 && word[n-1] == word[n-2] && word[n-1] != 'l' && word[n-1] != 's' {
		n--
	}
	return n
}

func hasEnd(word []byte, end string) bool {
	return len(word) >= len(end) && string(word[len(word)-len(end):]) == end
}

package unusual

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/unicode/norm"
)

// Letters of other alphabets that look like those of ASCII make names that a reader takes for others. What looks alike
// is what Unicode's list of confusable characters says (UTS 39). A word counts if it looks like ASCII as a whole: one
// letter that does not gives it away.

// word is a run of letters, marks, digits and underscores.
type word struct {
	text string
	// looks is the word in ASCII as a reader sees it; empty if all are ASCII, or if it has a character that looks like
	// none of ASCII and the word is no blend. A blend has Latin letters beside such of another alphabet that look like
	// them.
	looks string
	blend bool
	// script is that of the last of its characters that are not ASCII, nil for none. mixed reports that there are
	// letters of ASCII too, or several scripts.
	script *unicode.RangeTable
	mixed  bool
	// foreign is the first character that is not what it looks like.
	foreign rune
	// spaced reports that only blanks are between the word and the one before it.
	spaced bool
	// from is where it begins in its line, in bytes.
	from int
}

// wordsIn returns the words of a line that have other letters than those of ASCII, and for those beside them.
func wordsIn(line string) (out []word) {
	rest := line
	for rest != "" {
		from := strings.IndexFunc(rest, isWordRune)
		if from < 0 {
			return out
		}
		spaced := from > 0 && strings.TrimFunc(rest[:from], isBlank) == ""
		rest = rest[from:]
		end := strings.IndexFunc(rest, func(r rune) bool { return !isWordRune(r) })
		if end < 0 {
			end = len(rest)
		}
		w := readWord(rest[:end])
		w.spaced, w.from = spaced, len(line)-len(rest)
		out = append(out, w)
		rest = rest[end:]
	}
	return out
}

func readWord(text string) word {
	w := word{text: text}
	var looks strings.Builder
	alike, ascii := true, false
	for _, r := range text {
		if r < 0x80 {
			ascii = ascii || isASCIILetter(r)
			looks.WriteRune(r)
			continue
		}
		script := scriptOf(r)
		w.mixed = w.mixed || w.foreign != 0 && script != w.script
		w.script = script
		if w.foreign == 0 {
			w.foreign = r
		}
		c := lookAlike(r)
		alike = alike && c != ""
		looks.WriteString(cmp.Or(c, string(r)))
	}
	w.mixed = w.mixed || ascii
	if w.foreign != 0 {
		blended := firstBlended(text)
		if w.blend = blended != 0; w.blend {
			w.foreign = blended
		}
	}
	if w.foreign != 0 && alike || w.blend {
		w.looks = looks.String()
	}
	return w
}

// firstBlended returns the first letter of another alphabet that looks like a Latin one, with an accent or without,
// beside a Latin letter: with nothing between but marks, and letters of the same alphabets. 0 if there is none.
func firstBlended(text string) rune {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '_' || r >= '0' && r <= '9' }) {
		if !strings.ContainsFunc(part, func(r rune) bool { return scriptOf(r) == unicode.Latin }) {
			continue
		}
		for _, r := range part {
			script := scriptOf(r)
			if script != unicode.Latin && script != unicode.Common && slices.Contains(alphabets, script) && looksLatin(r) {
				return r
			}
		}
	}
	return 0
}

// looksLatin reports whether a letter looks like one of ASCII, if need be with an accent.
func looksLatin(r rune) bool {
	if lookAlike(r) != "" {
		return true
	}
	base, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
	return base != r && lookAlike(base) != ""
}

// lookAlike returns the letter or digit of ASCII that a character looks like, or "".
func lookAlike(r rune) string {
	if r == 'ı' {
		return "i"
	}
	c := confusable.GetReplacement(r)
	if c == "rn" { // how Unicode writes m, which looks like both
		return "m"
	}
	if len(c) != 1 || c[0] != '_' && !isWordRune(rune(c[0])) {
		return ""
	}
	return c
}

// maxSentence bounds how many words before and behind one are looked at.
const maxSentence = 30

// distinctive reports whether a word of one other script shows that it is.
func (w word) distinctive() bool { return w.foreign != 0 && w.looks == "" && !w.mixed }

package unusual

import (
	"slices"
	"strings"
	"unicode"
)

// kind is a class of characters that a reader does not see as what they are.
type kind struct {
	what string
	// keptByFile reports that a file that has the character may get more of it. Of others, an edit may add as many as it
	// removes.
	keptByFile bool
}

// key names what is counted.
func (k *kind) key(r rune) string { return k.what + string(r) }

var (
	turning   = &kind{"a character that changes the direction of text", false}
	hint      = &kind{"an invisible character that marks the direction of text", true}
	unseen    = &kind{"an invisible character", true}
	selector  = &kind{"an invisible variation selector after a character that has no variants", true}
	tag       = &kind{"an invisible tag character", false}
	private   = &kind{"a private-use character, which each font shows differently", true}
	control   = &kind{"a control character", true}
	lineBreak = &kind{"a line break that only some programs recognize", true}
	operator  = &kind{"a letter that looks like punctuation", true}
)

// occurrence is such a character in a line.
type occurrence struct {
	r    rune
	kind *kind
	at   int // among the characters of the line
}

// charactersIn returns the characters of a line that are unusual where they are.
func charactersIn(line string, first bool) (out []occurrence) {
	runes := []rune(line)
	for i, r := range runes {
		if r >= ' ' && r < 0x7f || r == '\t' {
			continue
		}
		k := kindOf(r)
		if k == nil && looksLikeOperator(runes, i) {
			k = operator
		}
		if k == nil || first && i == 0 && r == '\ufeff' || isNeeded(runes, i) {
			continue
		}
		out = append(out, occurrence{r, k, i})
	}
	return out
}

// kindOf returns what is unusual about a character, nil if nothing is.
func kindOf(r rune) *kind {
	switch {
	case r == '\u200e' || r == '\u200f' || r == '\u061c':
		return hint
	case unicode.Is(unicode.Bidi_Control, r):
		return turning
	case r >= 0xe0000 && r <= 0xe007f:
		return tag
	case unicode.Is(unicode.Variation_Selector, r):
		return selector
	case r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029':
		return lineBreak
	case unicode.IsControl(r):
		return control
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r): // has a form of its own
		return nil
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return unseen
	case r == blankPattern, r == 0x1d159, r == 0x13441, r == 0x13442: // glyphs without a mark
		return unseen
	case unicode.Is(unicode.Co, r), unicode.Is(unicode.Noncharacter_Code_Point, r):
		return private
	}
	return nil
}

// joining are the scripts whose words need joiners.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic, unicode.Manichaean,
	unicode.Phags_Pa, unicode.Adlam, unicode.Hanifi_Rohingya, unicode.Sogdian,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
	unicode.Balinese, unicode.Javanese, unicode.Sundanese, unicode.Chakma, unicode.Brahmi, unicode.Kaithi,
	unicode.Grantha, unicode.Tai_Tham, unicode.Limbu,
}

// isNeeded reports whether the script around the character at i, or an emoji, needs it there.
func isNeeded(line []rune, i int) bool {
	before, after := at(line, i-1), at(line, i+1)
	switch r := line[i]; {
	case r == '\u200c', r == '\u200d' && unicode.In(before, joining...):
		return unicode.In(before, joining...)
	case r == '\u200b': // where a line may break, in scripts without blanks between words
		return unicode.In(before, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	case r == '\u200e' || r == '\u200f' || r == '\u061c':
		return isRightToLeft(before) || isRightToLeft(after)
	case r == '\u200d':
		return (isSymbol(before) || before == '\ufe0f' && isSymbol(at(line, i-2))) && isSymbol(after)
	case r == '\ufe0e' || r == '\ufe0f':
		return isSymbol(before) || strings.ContainsRune("‼⁉ℹ〰〽㊗㊙", before) ||
			strings.ContainsRune("0123456789#*", before) && after == '\u20e3'
	case r >= 0xfe00 && r <= 0xfe0d, r >= 0xe0100 && r <= 0xe01ef:
		return unicode.In(before, unicode.Sm, unicode.Han)
	case unicode.Is(unicode.Mongolian, r), r == '\u180e':
		return unicode.Is(unicode.Mongolian, before) && unicode.IsLetter(before)
	case r == blankPattern:
		return isBraille(line, i)
	case r == '\u115f' || r == '\u1160':
		return isJamo(before) || isJamo(after)
	case r >= 0xe0000 && r <= 0xe007f:
		return inFlag(line, i)
	}
	return false
}

func isRightToLeft(r rune) bool {
	return !unicode.Is(unicode.Cf, r) && unicode.In(r, unicode.Hebrew,
		unicode.Arabic, unicode.Syriac, unicode.Thaana,
		unicode.Nko, unicode.Samaritan, unicode.Mandaic, unicode.Adlam)
}

// isJamo reports whether r is a letter of Hangul of which syllables are made, and no filler.
func isJamo(r rune) bool { return r >= 0x1100 && r <= 0x11ff && r != 0x115f && r != 0x1160 }

// isSymbol reports whether r may be an emoji, or the tone of one.
func isSymbol(r rune) bool { return unicode.In(r, unicode.So, unicode.Sk, unicode.Sm) && r > 0x7f }

// inFlag reports whether the tag at i belongs to the flag of England, Scotland or Wales, which are spelled with tags.
func inFlag(line []rune, i int) bool {
	start := i
	for start > 0 && line[start] >= 0xe0000 && line[start] <= 0xe007f {
		start--
	}
	var code []rune
	for _, r := range line[start+1 : min(start+7, len(line))] {
		code = append(code, r-0xe0000)
	}
	const cancel = 0x7f
	return line[start] == '🏴' && i-start <= 6 && len(code) == 6 && code[5] == cancel &&
		slices.Contains([]string{"gbeng", "gbsct", "gbwls"}, string(code[:5]))
}

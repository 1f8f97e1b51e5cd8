package unusual

import "unicode"

const turkish = "ğĞşŞİ"

func isIdeographic(r rune) bool {
	return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

func isASCIILetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }

func isWordRune(r rune) bool {
	return r == '_' || r < 0x80 && (r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z') ||
		r >= 0x80 && (unicode.In(r, unicode.L, unicode.M, unicode.Nl, unicode.Nd) || unicode.Is(unicode.Other_Alphabetic, r))
}

// alphabets are the scripts of which whole words can look like ASCII. In others, what Unicode lists are single
// characters, which nobody could write a name with.
var alphabets = []*unicode.RangeTable{
	unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Coptic, unicode.Lisu, unicode.Deseret,
	unicode.Osage, unicode.Latin, unicode.Common,
}

func scriptOf(r rune) *unicode.RangeTable {
	switch {
	case r >= 0x400 && r <= 0x482: // for the most part of what is read
		return unicode.Cyrillic
	case isASCIILetter(r):
		return unicode.Latin
	case r >= 0xc0 && r <= 0x24f:
		return unicode.Latin
	case r >= 0x4e00 && r <= 0x9fff:
		return unicode.Han
	}
	for _, script := range alphabets {
		if unicode.Is(script, r) {
			return script
		}
	}
	for _, script := range unicode.Scripts {
		if unicode.Is(script, r) {
			return script
		}
	}
	return unicode.Common
}

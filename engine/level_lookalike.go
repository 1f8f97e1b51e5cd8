package engine

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// lookalikePlaces forgives characters that look like others, on top of what the stricter levels forgive, and line numbers
// copied in front of the lines.
func lookalikePlaces(f fit) []place {
	f.find, f.put = foldIndents(f.find), foldIndents(f.put)
	places := f.shiftedPlaces(keyFold, keyFoldFull)
	if len(places) == 0 {
		return numberedPlaces(f)
	}
	for i, p := range places {
		if p.doubt == "" && p.addsForeign() {
			places[i].doubt = "the new lines hold characters that stand for others in the lines to find"
		}
	}
	return places
}

// addsForeign reports new lines with a look-alike that find wrote where the file has another character: it may be meant, or
// be one more slip.
func (p place) addsForeign() bool {
	var foreign []rune
	for i, n := range p.at {
		if n < 0 {
			continue
		}
		for _, r := range p.fit.find[i] {
			if foldRune(r) != r && !strings.ContainsRune(p.fit.file.lines[n].text, r) {
				foreign = append(foreign, r)
			}
		}
	}
	for _, e := range p.edits {
		for _, s := range e.put {
			if strings.ContainsAny(s, string(foreign)) {
				return true
			}
		}
	}
	return false
}

// foldIndents turns odd blanks at the beginning of lines into blanks, so that they count as indentation.
func foldIndents(lines []string) []string {
	out := slices.Clone(lines)
	for i, s := range lines {
		if body := strings.TrimLeftFunc(s, unicode.IsSpace); !isASCII(s[:len(s)-len(body)]) {
			out[i] = fold(s[:len(s)-len(body)]) + body
		}
	}
	return out
}

// fold gives lines that look alike the same text: composed characters, and one quote, one dash, one blank for all of theirs.
func fold(s string) string {
	if isASCII(s) {
		return s
	}
	return strings.Map(foldRune, strings.ReplaceAll(norm.NFC.String(s), "…", "..."))
}

func foldRune(r rune) rune {
	switch r {
	case '‘', '’', '‚', '‛', '′', 'ʼ', 'ʻ', '´', '＇':
		return '\''
	case '“', '”', '„', '‟', '″', '＂':
		return '"'
	case '‐', '‑', '‒', '–', '—', '―', '−', '﹣', '－':
		return '-'
	case '\u00a0', '\u2000', '\u2001', '\u2002', '\u2003', '\u2004', '\u2005', '\u2006', '\u2007', '\u2008', '\u2009',
		'\u200a', '\u202f', '\u205f', '\u3000':
		return ' '
	case '\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff':
		return -1
	}
	return r
}

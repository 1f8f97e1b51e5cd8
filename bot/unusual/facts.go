package unusual

import (
	"iter"
	"slices"
	"strings"
	"unicode"
)

// facts are what lines have without any edit, or what an edit adds.
type facts struct {
	// alike are the words that look like others, ascii those of ASCII, scripts the other ones in which there are words.
	alike, ascii map[string]bool
	scripts      []*unicode.RangeTable
	ideographic  bool
	// turkish reports that there are letters that only Turkish and its relatives have.
	turkish bool
}

func readFacts(lines iter.Seq[string]) *facts {
	f := &facts{alike: map[string]bool{}, ascii: map[string]bool{}}
	for line := range lines {
		for _, w := range wordsIn(line) {
			switch {
			case w.looks != "":
				f.alike[w.text] = true
			case w.foreign == 0:
				f.ascii[w.text] = true
			case w.distinctive() && !f.writes(w.script):
				f.scripts = append(f.scripts, w.script)
			}
		}
		f.turkish = f.turkish || strings.ContainsAny(line, turkish)
		f.ideographic = f.ideographic || strings.ContainsFunc(line, isIdeographic)
	}
	return f
}

const turkish = "ğĞşŞİ"

func isIdeographic(r rune) bool {
	return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// read reads the file, once, as far as there is room for it.
func (f *File) read() *facts {
	if f.facts == nil {
		text := f.before
		if f.room != nil {
			text = text[:min(len(text), *f.room)]
			*f.room -= len(text)
		}
		f.facts = readFacts(strings.Lines(text))
	}
	return f.facts
}

// factsOf reads the added lines, once.
func (s *search) factsOf(added []string) *facts {
	if s.added == nil {
		s.added = readFacts(slices.Values(added))
	}
	return s.added
}

func (f *facts) writes(script *unicode.RangeTable) bool { return slices.Contains(f.scripts, script) }

// has reports whether the file has a character; for a carriage return, as a line break of its own.
func (f *File) has(r rune) bool {
	has, known := f.runes[r]
	if !known {
		if has = strings.ContainsRune(f.before, r); r == '\r' {
			has = strings.Contains(strings.ReplaceAll(f.before, "\r\n", ""), "\r")
		}
		f.runes[r] = has
	}
	return has
}

// hasFarText reports whether a line of the file has text behind many blanks.
func (f *File) hasFarText() bool {
	if f.far == nil {
		far := false
		for line := range strings.Lines(f.before) {
			far = far || hasFarText(strings.TrimSuffix(line, "\n"))
		}
		f.far = &far
	}
	return *f.far
}

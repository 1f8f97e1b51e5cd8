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

func (f *facts) writes(script *unicode.RangeTable) bool { return slices.Contains(f.scripts, script) }

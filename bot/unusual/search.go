package unusual

import (
	"fmt"
	"slices"
)

// maxFindings is how many findings are returned of one edit.
const maxFindings = 5

// Finding is something unusual in an added line.
type Finding struct {
	// Line is the place of the line among the added ones, from 1.
	Line int
	// What says what it is, in a phrase that follows "has" and quotes nothing unprintable.
	What string
}

// search is one call of Find.
type search struct {
	file *File
	// budget counts what the removed lines have, which added ones may have again.
	budget map[string]int
	line   int
	found  []Finding
	// added are the facts of the added lines; nil until they are needed.
	added *facts
}

func (s *search) report(format string, args ...any) {
	s.found = append(s.found, Finding{s.line, fmt.Sprintf(format, args...)})
}

// spend reports whether the removed lines have one more of something than the added ones until now.
func (s *search) spend(key string) bool {
	if s.budget[key] == 0 {
		return false
	}
	s.budget[key]--
	return true
}

// factsOf reads the added lines, once.
func (s *search) factsOf(added []string) *facts {
	if s.added == nil {
		s.added = readFacts(slices.Values(added))
	}
	return s.added
}

func (s *search) characters(line string, first bool) {
	for _, o := range charactersIn(line, first) {
		if s.spend(o.kind.key(o.r)) || o.kind.keptByFile && s.file.has(o.r) {
			continue
		}
		s.report("%s (U+%04X)", o.kind.what, o.r)
	}
}

const farText = "far text"

func (s *search) blanks(line string) {
	if !hasFarText(line) || s.spend(farText) || s.file.hasFarText() {
		return
	}
	s.report("text after more than %d columns of blanks", maxBlanks)
}

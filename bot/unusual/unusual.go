// Package unusual finds in the lines that an edit adds what a reader does not see, or takes for something else:
// characters that turn text around or are not shown, text behind many blanks, and letters that look like those of
// ASCII. It is pure.
//
// What the edit leaves as it was does not count, and most of what the file has already may be used in it again: a file
// that needs such characters stays editable.
package unusual

import (
	"fmt"
	"strings"
	"unicode"
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

// Finder finds what edits bring into files. It reads no more than 1 MiB of all files together for their words; of
// more, it takes words that look like others for unknown. Not safe for concurrent use.
type Finder struct {
	files map[string]*File
	room  int
}

// NewFinder returns a Finder.
func NewFinder() *Finder { return &Finder{files: map[string]*File{}, room: maxRead} }

// maxRead bounds what is read of files for their words, in bytes: it takes about half a second.
const maxRead = 1 << 20

// File returns the file of a name; before is what it has without any edit, and is read once.
func (f *Finder) File(name string, before func() []byte) *File {
	file := f.files[name]
	if file == nil {
		file = NewFile(string(before()))
		file.room = &f.room
		f.files[name] = file
	}
	return file
}

// File is what an edit changes.
type File struct {
	before string
	// room is how much may still be read for facts; nil is no bound.
	room *int
	// These are what was read of it.
	facts *facts
	runes map[rune]bool
	far   *bool
}

// NewFile returns a file as it is without any edit; empty is a new one.
func NewFile(before string) *File { return &File{before: before, runes: map[rune]bool{}} }

// Find returns what lines that are added in place of removed ones bring into a file. first reports whether they are at
// the beginning of the file, where a byte order mark may be.
func (f *File) Find(removed, added []string, first bool) []Finding {
	plain := true
	for _, line := range added {
		plain = plain && isPlain(line)
	}
	if plain {
		return nil
	}
	s := search{file: f, budget: map[string]int{}}
	for _, line := range removed {
		for _, o := range charactersIn(line, false) {
			s.budget[o.kind.key(o.r)]++
		}
		if hasFarText(line) {
			s.budget[farText]++
		}
	}
	for i, line := range added {
		s.line = i + 1
		s.characters(line, first && i == 0)
		s.blanks(line)
		if len(s.found) >= maxFindings {
			return s.found[:maxFindings]
		}
	}
	s.words(removed, added)
	return s.found[:min(len(s.found), maxFindings)]
}

// isPlain reports whether a line has printable ASCII alone and few blanks: nothing unusual, for nearly all lines.
func isPlain(line string) bool {
	blanks := 0
	for i := range len(line) {
		switch c := line[i]; {
		case c == ' ':
			blanks++
		case c == '\t':
			blanks += tabStop
		case c < ' ' || c >= 0x7f:
			return false
		}
	}
	return blanks <= maxBlanks
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

// IsHidden reports whether a line has a character that a reader does not see as what it is, or text far behind blanks.
func IsHidden(line string) bool {
	return !isPlain(line) &&
		(strings.ContainsFunc(line, isReplaced) || len(charactersIn(line, false)) > 0 || hasFarText(line))
}

// isReplaced reports whether a character is not shown as it is wherever people read text of files: whatever is a
// format or control character, though a script or an emoji needs it.
func isReplaced(r rune) bool {
	return r != '\t' && kindOf(r) != nil && !unicode.Is(unicode.Variation_Selector, r)
}

// Spelled returns a line with U+XXXX in place of each character that is not shown, and runs of blanks cut short.
func Spelled(line string) string {
	if !IsHidden(line) {
		return line
	}
	odd := map[int]bool{}
	runes := []rune(line)
	for _, o := range charactersIn(line, false) {
		odd[o.at] = true
	}
	var b strings.Builder
	for i, r := range runes {
		if odd[i] || isReplaced(r) {
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		} else {
			b.WriteRune(r)
		}
	}
	if !hasFarText(b.String()) {
		return b.String()
	}
	return shortened(b.String())
}

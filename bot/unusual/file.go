package unusual

import "strings"

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

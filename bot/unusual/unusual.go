// Package unusual finds in the lines that an edit adds what a reader does not see, or takes for something else:
// characters that turn text around or are not shown, text behind many blanks, and letters that look like those of
// ASCII. It is pure.
//
// What the edit leaves as it was does not count, and most of what the file has already may be used in it again: a file
// that needs such characters stays editable.
package unusual

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

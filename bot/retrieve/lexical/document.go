package lexical

import (
	"cmp"
	"path"
	"slices"
)

// Document is what an index keeps of the content of one file: how often each term is in each piece, and which lines
// define which names. It does not depend on the file's path, except for the language. A Document does not change and is
// safe for concurrent use.
type Document struct {
	terms    []Term    // sorted
	first    []uint32  // postings[first[i]:first[i+1]] are those of terms[i]
	postings []posting // in the order of the pieces
	lengths  []uint32  // of each piece, in terms
	length   uint32
	lines    int
	names    []Term   // that it defines, sorted
	defined  []uint32 // the line that defines each name
}

// posting says how often a term is in a piece.
type posting struct{ piece, count uint16 }

// Bounds on documents.
const (
	// PieceLines is how many lines of a file a piece has; files are scored in windows of two pieces.
	PieceLines = 30
	// MaxBytes is the size of the largest file that is indexed; of a larger one, the first MaxBytes are.
	MaxBytes = 1 << 20
	// A file of so many bytes has at most one posting, which takes at most 12 bytes: so a document takes at most twice
	// the size of its file, besides what a few words take. Source has a posting in 15 to 30 bytes.
	bytesPerPosting = 6
	minPostings     = 1000    // that any file may have
	maxPostings     = 1 << 17 // of the largest file
)

// postingsOf returns how many postings a file of so many bytes may have. Terms behind those are not found.
func postingsOf(size int) int { return min(max(size/bytesPerPosting, minPostings), maxPostings) }

// The number of each piece fits into a posting, and so does how often a term is in two pieces.
const _, _ uint16 = MaxBytes / PieceLines, 2 * PieceLines * maxLineBytes

// NewDocument indexes the content of a file. Its name gives the language.
func NewDocument(name string, data []byte) *Document {
	left := MaxBytes
	d, _ := NewDocumentWithin(&left, name, data)
	return d
}

// NewDocumentWithin is NewDocument for one of several files, of which regular expressions read no more than left bytes
// together: it takes from left what they read of this one. whole is false if because of that not all definitions were
// looked for.
func NewDocumentWithin(left *int, name string, data []byte) (d *Document, whole bool) {
	data = data[:min(len(data), MaxBytes)]
	d = newDocument(data)
	d.define(path.Ext(name), data, left)
	return d, *left >= 0
}

// define finds the names that the file defines.
func (d *Document) define(ext string, data []byte, left *int) {
	type definition struct {
		name Term
		line uint32
	}
	var found []definition
	eachDefined(ext, data, left, func(name []byte, line int) {
		found = append(found, definition{hash(name), uint32(line)})
	})
	slices.SortFunc(found, func(a, b definition) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.line, b.line))
	})
	d.names, d.defined = make([]Term, len(found)), make([]uint32, len(found))
	for i, f := range found {
		d.names[i], d.defined[i] = f.name, f.line
	}
}

// documentBytes is the size of a Document without what it refers to.
const documentBytes = 160

// Bytes returns how much memory the document takes, within a few per cent.
func (d *Document) Bytes() int64 {
	return int64(documentBytes + 8*len(d.terms) + 4*len(d.postings) + 4*len(d.lengths) + 8*len(d.defined))
}

// Definitions returns the lines that define a name, in order. The document may be nil.
func (d *Document) Definitions(name string) (lines []int) {
	d.eachDefined([]Term{nameTerm(name)}, func(_ int, at []uint32) {
		for _, line := range at {
			lines = append(lines, int(line))
		}
	})
	return lines
}

// eachDefined calls yield with those of several names in order that the file defines, by their indices, and the lines
// that define each. The document may be nil.
func (d *Document) eachDefined(names []Term, yield func(name int, lines []uint32)) {
	if d == nil {
		return
	}
	wanted, defined := cursor{terms: names}, cursor{terms: d.names}
	for meet(&wanted, &defined) {
		from := defined.at
		defined.take(wanted.terms[0])
		yield(wanted.at, d.defined[from:defined.at])
		wanted.skip(1)
	}
}

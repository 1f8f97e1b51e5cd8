package lexical

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"sync"
)

// Document is what an index keeps of the content of one file: how often each term is in each piece, and which lines
// define which names. It does not depend on the file's path, except for the language. A Document does not change and is
// safe for concurrent use.
type Document struct {
	terms    []Term   // sorted
	first    []uint32 // postings[first[i]:first[i+1]] are those of terms[i]
	postings []posting
	lengths  []uint32 // of each piece, in terms
	length   uint32
	lines    int
	defined  []definedName // sorted
}

// posting says how often a term is in a piece.
type posting struct{ piece, count uint16 }

// definedName is a name, and a line that defines it.
type definedName struct {
	name Term
	line uint32
}

// Bounds on documents.
const (
	// PieceLines is how many lines of a file a piece has; files are scored in windows of two pieces.
	PieceLines = 30
	// MaxBytes is the size of the largest file that is indexed; of a larger one, the first MaxBytes are.
	MaxBytes = 1 << 20
	// maxPostings bounds the postings of one file, so that a file of nothing but different words costs no more memory
	// than its text.
	maxPostings = 1 << 17
)

// NewDocument indexes the content of a file. Its name gives the language.
func NewDocument(name string, data []byte) *Document {
	data = data[:min(len(data), MaxBytes)]
	b := builders.Get().(*builder)
	defer builders.Put(b)
	d := b.document(data)
	eachDefined(path.Ext(name), data, func(name []byte, line int) {
		d.defined = append(d.defined, definedName{hash(name), uint32(line)})
	})
	d.defined = slices.Clip(d.defined)
	slices.SortFunc(d.defined, func(a, b definedName) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.line, b.line))
	})
	return d
}

// Lines returns how many lines the file has.
func (d *Document) Lines() int { return d.lines }

// Bytes returns about how much memory the document takes.
func (d *Document) Bytes() int64 {
	return int64(160 + 8*len(d.terms) + 4*len(d.postings) + 4*len(d.lengths) + 8*len(d.defined))
}

// of returns the postings of a term, in the order of the pieces; nil if it is not in the document.
func (d *Document) of(t Term) []posting {
	i, ok := slices.BinarySearch(d.terms, t)
	if !ok {
		return nil
	}
	return d.postings[d.first[i]:d.first[i+1]]
}

// defines reports whether a line defines a name.
func (d *Document) defines(name Term) bool {
	_, ok := slices.BinarySearchFunc(d.defined, name, func(n definedName, t Term) int { return cmp.Compare(n.name, t) })
	return ok
}

// Definitions returns the lines that define a name, in order. The document may be nil.
func (d *Document) Definitions(name string) []int {
	if d == nil {
		return nil
	}
	return d.definitions(nameTerm(name))
}

// definitions returns the lines that define a name.
func (d *Document) definitions(name Term) (lines []int) {
	i, _ := slices.BinarySearchFunc(d.defined, name, func(n definedName, t Term) int { return cmp.Compare(n.name, t) })
	for ; i < len(d.defined) && d.defined[i].name == name; i++ {
		lines = append(lines, int(d.defined[i].line))
	}
	return lines
}

// builder makes documents. Its memory is used again for the next one.
type builder struct {
	slots  []slot // an open-addressing table; its length is a power of two
	mask   uint32
	used   []uint32 // the slots in use, in the order of their first terms
	found  []foundTerm
	piece  uint16
	number uint32 // of the terms of the piece
}

type slot struct {
	term  Term
	used  bool
	count uint32 // of its postings
	last  int32  // the newest posting in found
}

// foundTerm is a posting with its slot.
type foundTerm struct {
	slot uint32
	posting
}

var builders = sync.Pool{New: func() any { return &builder{slots: make([]slot, 1<<10), mask: 1<<10 - 1} }}

func (b *builder) reset() {
	for _, i := range b.used {
		b.slots[i] = slot{}
	}
	b.used, b.found, b.piece, b.number = b.used[:0], b.found[:0], 0, 0
}

func (b *builder) document(data []byte) *Document {
	b.reset()
	d := &Document{}
	add := b.add
	for len(data) > 0 {
		line := data
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			line, data = data[:i], data[i+1:]
		} else {
			data = nil
		}
		eachTerm(line, add)
		if d.lines++; d.lines%PieceLines == 0 {
			d.endPiece(b)
		}
	}
	if d.lines%PieceLines != 0 {
		d.endPiece(b)
	}
	b.finish(d)
	return d
}

func (d *Document) endPiece(b *builder) {
	d.lengths = append(d.lengths, b.number)
	d.length += b.number
	b.number = 0
	b.piece++
}

// add counts a term in the present piece.
func (b *builder) add(t Term) {
	b.number++
	i := uint32(t) & b.mask
	for b.slots[i].used && b.slots[i].term != t {
		i = (i + 1) & b.mask
	}
	s := &b.slots[i]
	if s.used {
		if last := &b.found[s.last]; last.piece == b.piece {
			if last.count < 1<<16-1 {
				last.count++
			}
			return
		}
	}
	if len(b.found) == maxPostings {
		return
	}
	if !s.used {
		*s = slot{term: t, used: true}
		b.used = append(b.used, i)
	}
	s.count++
	s.last = int32(len(b.found))
	b.found = append(b.found, foundTerm{i, posting{b.piece, 1}})
	if len(b.used)*2 > len(b.slots) {
		b.grow()
	}
}

// grow doubles the table.
func (b *builder) grow() {
	old := b.slots
	b.slots = make([]slot, 2*len(old))
	b.mask = uint32(len(b.slots) - 1)
	moved := make(map[uint32]uint32, len(b.used))
	for n, i := range b.used {
		j := uint32(old[i].term) & b.mask
		for b.slots[j].used {
			j = (j + 1) & b.mask
		}
		b.slots[j] = old[i]
		b.used[n] = j
		moved[i] = j
	}
	for n := range b.found {
		b.found[n].slot = moved[b.found[n].slot]
	}
}

// finish gives the document its terms in order, each with its postings.
func (b *builder) finish(d *Document) {
	slices.SortFunc(b.used, func(i, j uint32) int { return cmp.Compare(b.slots[i].term, b.slots[j].term) })
	d.terms, d.first = make([]Term, len(b.used)), make([]uint32, len(b.used)+1)
	d.postings = make([]posting, len(b.found))
	at := uint32(0)
	for n, i := range b.used {
		s := &b.slots[i]
		d.terms[n], d.first[n] = s.term, at
		at, s.count = at+s.count, at // from here on, where its next posting goes
	}
	d.first[len(b.used)] = at
	for _, f := range b.found {
		s := &b.slots[f.slot]
		d.postings[s.count] = f.posting
		s.count++
	}
}

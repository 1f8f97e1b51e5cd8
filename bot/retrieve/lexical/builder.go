package lexical

import (
	"bytes"
	"slices"
	"sync"
)

// builder makes documents. Its memory is used again for the next one.
type builder struct {
	slots  []uint32 // an open-addressing table of indices of terms, plus 1; its length is a power of two
	terms  []countedTerm
	found  []foundTerm
	limit  int // of found
	piece  uint16
	length uint32 // of the piece, in terms
}

// countedTerm is a term, how many postings it has, and the newest of them, by its index in found.
type countedTerm struct {
	term        Term
	count, last uint32
}

// foundTerm is a posting, and the index of its term.
type foundTerm struct {
	term uint32
	posting
}

// The length of a builder's table at first, and the length up to which it is kept for the next document.
const (
	minSlots  = 1 << 10
	keptSlots = 1 << 14
)

var builders = sync.Pool{New: func() any { return &builder{slots: make([]uint32, minSlots)} }}

// newDocument returns a document without definitions.
func newDocument(data []byte) *Document {
	b := builders.Get().(*builder)
	defer builders.Put(b)
	defer b.reset()
	return b.document(data)
}

func (b *builder) reset() {
	if len(b.slots) > keptSlots {
		*b = builder{slots: make([]uint32, minSlots)}
		return
	}
	clear(b.slots)
	b.terms, b.found, b.piece, b.length = b.terms[:0], b.found[:0], 0, 0
}

func (b *builder) document(data []byte) *Document {
	b.limit = postingsOf(len(data))
	d := &Document{lengths: make([]uint32, 0, bytes.Count(data, newline)/PieceLines+1)}
	add := b.add
	for len(data) > 0 {
		var line []byte
		line, data, _ = bytes.Cut(data, newline)
		eachTerm(line, add)
		if d.lines++; d.lines%PieceLines == 0 {
			b.endPiece(d)
		}
	}
	if d.lines%PieceLines != 0 {
		b.endPiece(d)
	}
	b.finish(d)
	return d
}

func (b *builder) endPiece(d *Document) {
	d.lengths = append(d.lengths, b.length)
	d.length += b.length
	b.length = 0
	b.piece++
}

// add counts a term in the present piece.
func (b *builder) add(t Term) {
	b.length++
	mask := uint32(len(b.slots) - 1)
	i := uint32(t) & mask
	for b.slots[i] != 0 && b.terms[b.slots[i]-1].term != t {
		i = (i + 1) & mask
	}
	known := b.slots[i] != 0
	if known {
		if last := &b.found[b.terms[b.slots[i]-1].last]; last.piece == b.piece {
			last.count++
			return
		}
	}
	if len(b.found) == b.limit {
		return
	}
	if !known {
		b.terms = append(b.terms, countedTerm{term: t})
		b.slots[i] = uint32(len(b.terms))
	}
	n := b.slots[i] - 1
	b.terms[n].count++
	b.terms[n].last = uint32(len(b.found))
	b.found = append(b.found, foundTerm{n, posting{b.piece, 1}})
	if len(b.terms)*2 > len(b.slots) {
		b.grow()
	}
}

// grow doubles the table.
func (b *builder) grow() {
	b.slots = make([]uint32, 2*len(b.slots))
	mask := uint32(len(b.slots) - 1)
	for n, t := range b.terms {
		i := uint32(t.term) & mask
		for b.slots[i] != 0 {
			i = (i + 1) & mask
		}
		b.slots[i] = uint32(n + 1)
	}
}

// finish gives the document its terms in order, each with its postings.
func (b *builder) finish(d *Document) {
	order := make([]uint64, len(b.terms)) // each a term, and its index
	for n, t := range b.terms {
		order[n] = uint64(t.term)<<32 | uint64(n)
	}
	slices.Sort(order)
	d.terms, d.first = make([]Term, len(order)), make([]uint32, len(order)+1)
	d.postings = make([]posting, len(b.found))
	at := uint32(0)
	for i, o := range order {
		t := &b.terms[uint32(o)]
		d.terms[i], d.first[i] = t.term, at
		at, t.count = at+t.count, at // from here on, where its next posting goes
	}
	d.first[len(order)] = at
	for _, f := range b.found {
		t := &b.terms[f.term]
		d.postings[t.count] = f.posting
		t.count++
	}
}

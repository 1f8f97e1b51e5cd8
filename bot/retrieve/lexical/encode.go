package lexical

import (
	"encoding/binary"
	"errors"
	"math"
)

// Version is that of the encoding of documents and of what they have: it changes whenever a document of the same file
// would be another, or would be encoded otherwise.
const Version = 2

// encodedHead is the length of an encoded document's head, in bytes: the lengths of its lists, and its lines.
const encodedHead = 5 * 4

var errDamaged = errors.New("a damaged document")

// Append appends the document to b, in a form that Decode reads, and returns it.
func (d *Document) Append(b []byte) []byte {
	add := func(n uint32) { b = binary.LittleEndian.AppendUint32(b, n) }
	for _, n := range []int{len(d.terms), len(d.postings), len(d.lengths), len(d.names), d.lines} {
		add(uint32(n))
	}
	for i, t := range d.terms {
		add(uint32(t))
		add(d.first[i])
	}
	for _, p := range d.postings {
		add(uint32(p.piece)<<16 | uint32(p.count))
	}
	for _, n := range d.lengths {
		add(n)
	}
	for i, name := range d.names {
		add(uint32(name))
		add(d.defined[i])
	}
	return b
}

// Decode returns the document that Append appended to nothing. It returns an error for anything that no document is; a
// document that somebody made up is as safe to use as that of a file.
func Decode(data []byte) (*Document, error) {
	if len(data) < encodedHead || len(data) > math.MaxInt32 {
		return nil, errDamaged
	}
	at := 0
	next := func() uint32 {
		n := binary.LittleEndian.Uint32(data[at:])
		at += 4
		return n
	}
	terms, postings, lengths, names, lines := int(next()), int(next()), int(next()), int(next()), int(next())
	most := len(data)
	if terms > most || postings > most || lengths > most || names > most || lines > MaxBytes ||
		encodedHead+8*terms+4*postings+4*lengths+8*names != len(data) || lengths != (lines+PieceLines-1)/PieceLines {
		return nil, errDamaged
	}
	d := &Document{terms: make([]Term, terms), first: make([]uint32, terms+1), postings: make([]posting, postings),
		lengths: make([]uint32, lengths), lines: lines, names: make([]Term, names), defined: make([]uint32, names)}
	sound := true
	for i := range d.terms {
		d.terms[i], d.first[i] = Term(next()), next()
		sound = sound && int(d.first[i]) <= postings &&
			(i == 0 && d.first[0] == 0 || i > 0 && d.terms[i-1] < d.terms[i] && d.first[i-1] < d.first[i])
	}
	d.first[terms] = uint32(postings)
	sound = sound && (terms > 0 && int(d.first[terms-1]) < postings || terms+postings == 0)
	for i := range d.postings {
		n := next()
		d.postings[i] = posting{uint16(n >> 16), uint16(n)}
		sound = sound && int(d.postings[i].piece) < lengths
	}
	for i := range d.first[1:] { // the pieces of a term
		for j := d.first[i] + 1; sound && j < d.first[i+1]; j++ {
			sound = d.postings[j-1].piece < d.postings[j].piece
		}
	}
	for i := range d.lengths {
		d.lengths[i] = next()
		d.length += d.lengths[i]
		sound = sound && d.lengths[i] <= PieceLines*maxLineBytes
	}
	for i := range d.names {
		d.names[i], d.defined[i] = Term(next()), next()
		sound = sound && int(d.defined[i]) <= lines+1 && (i == 0 || d.names[i-1] <= d.names[i])
	}
	if !sound {
		return nil, errDamaged
	}
	return d, nil
}

// IsEmpty reports whether the document has nothing of a file.
func (d *Document) IsEmpty() bool { return d.lines == 0 }

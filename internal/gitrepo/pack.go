package gitrepo

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"

	"github.com/tenon-bot/tenon/bot/port"
)

// packed is an object of a pack, for the deltas that refer to it. A blob over the limit has no bytes.
type packed struct {
	object
	depth int  // of its chain of deltas
	large bool // over Limits.ObjectBytes
}

// unpacker reads the objects of a pack as a stream.
type unpacker struct {
	limits Limits
	// base returns an object that the pack refers to and does not contain; nil if there is none.
	base    func(oid) (object, bool)
	keep    int64 // of the bytes of blobs; 0 for no bound of its own
	scan    *packfile.Scanner
	at      map[int64]*packed // by offset
	named   map[oid]*packed
	kept    int64 // bytes of the objects that are kept
	skipped int64 // bytes of the others
	objects int64 // in the pack
	done    int64 // how many of them were read
	// admit is what fetchRequest says, and release gives up what it admitted; nil before.
	admit   func(bytes int64) (release func(), err error)
	release func()
}

// smallPack is how many bytes of a pack are unpacked without being admitted.
const smallPack = 8 << 20

func newUnpacker(r io.Reader, limits Limits, w fetchRequest) *unpacker {
	return &unpacker{limits: limits, base: w.base, keep: w.keep, admit: w.admit,
		scan: packfile.NewScanner(struct{ io.Reader }{r})}
}

// unpack reads the pack of a fetch and returns its objects by name, without blobs over Limits.ObjectBytes, or beyond
// the bytes that are to be kept.
func unpack(r io.Reader, limits Limits, w fetchRequest) (map[oid]object, error) {
	u := newUnpacker(r, limits, w)
	err := u.read()
	if u.release != nil {
		defer u.release()
	}
	if err != nil {
		return nil, packError(err)
	}
	objects := make(map[oid]object, len(u.named))
	for id, p := range u.named {
		objects[id] = p.object
	}
	return objects, nil
}

func (u *unpacker) read() error {
	_, count, err := u.scan.Header()
	if err != nil {
		return err
	}
	if int64(count) > int64(u.limits.Objects) {
		return userError("This repository is too large for tenon: one commit of it has %d objects; the limit is %d.",
			count, u.limits.Objects)
	}
	u.at, u.named, u.objects = map[int64]*packed{}, map[oid]*packed{}, int64(count)
	for range count {
		if err := u.next(); err != nil {
			return err
		}
		u.done++
	}
	_, err = u.scan.Checksum()
	return err
}

func (u *unpacker) next() error {
	header, err := u.scan.NextObjectHeader()
	if err != nil {
		return err
	}
	p := &packed{}
	switch header.Type {
	case plumbing.OFSDeltaObject, plumbing.REFDeltaObject:
		p, err = u.delta(header)
	case plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject, plumbing.TagObject:
		p.kind = header.Type
		p.data, p.large, err = u.inflate(header, header.Type)
	default:
		err = malformed("an object of the unknown kind %d", header.Type)
	}
	if err != nil {
		return err
	}
	u.at[header.Offset] = p
	if !p.large {
		u.named[p.id()] = p
	}
	return nil
}

// inflate reads the bytes of an entry. It skips a blob over the limit; large reports that.
func (u *unpacker) inflate(header *packfile.ObjectHeader, kind plumbing.ObjectType) (data []byte, large bool,
	err error) {
	large, err = u.count(header.Length, kind)
	if err != nil || large {
		return nil, large, err // the scanner skips what was not read
	}
	buf := &entryBuffer{data: make([]byte, 0, min(header.Length, 64<<10)), size: int(header.Length)}
	n, _, err := u.scan.NextObject(buf)
	if err == nil && n != header.Length {
		err = malformed("an object of %d bytes has the length %d in its header", n, header.Length)
	}
	return buf.data, false, err
}

// entryBuffer takes the bytes of an entry. Memory is allocated for the bytes that are read, not for the length in the
// header; but not for more than that, as it would be kept with the object.
type entryBuffer struct {
	data []byte
	size int // in the header
}

func (b *entryBuffer) Write(p []byte) (int, error) {
	if need := len(b.data) + len(p); need > cap(b.data) {
		grown := make([]byte, len(b.data), max(need, min(2*cap(b.data), b.size)))
		copy(grown, b.data)
		b.data = grown
	}
	b.data = append(b.data, p...)
	return len(p), nil
}

// count counts the bytes of an object against the limits. large is true for a blob over the limit.
func (u *unpacker) count(size int64, kind plumbing.ObjectType) (large bool, err error) {
	if size > u.limits.ObjectBytes {
		if kind == plumbing.BlobObject {
			return true, u.countSkipped(size)
		}
		return false, userError("This repository is too large for tenon: it has a %s of %d bytes; the limit is %d.",
			kind, size, u.limits.ObjectBytes)
	}
	if u.keep > 0 && kind == plumbing.BlobObject && u.kept+size > u.keep {
		return true, u.countSkipped(size)
	}
	if u.kept += size; u.kept > u.limits.InflatedBytes {
		return false, userError("This repository is too large for tenon: one commit of it unpacks to more than %d bytes.",
			u.limits.InflatedBytes)
	}
	return false, u.admitLarge()
}

// admitLarge waits, once a pack is known to be large, until there is room for all of it, as large as it will be if it
// goes on like this.
func (u *unpacker) admitLarge() error {
	if u.kept <= smallPack || u.release != nil || u.admit == nil {
		return nil
	}
	release, err := u.admit(min(u.kept*u.objects/(u.done+1), u.limits.InflatedBytes))
	if err != nil {
		return err
	}
	u.release = release
	return nil
}

// countSkipped counts bytes that are inflated and not kept. That takes time, so they have a limit of their own.
func (u *unpacker) countSkipped(size int64) error {
	u.skipped = min(u.skipped, 1<<61) + min(size, 1<<61)
	if u.skipped > 4*u.limits.InflatedBytes {
		return userError("This repository is too large for tenon: its largest files unpack to more than %d bytes.",
			4*u.limits.InflatedBytes)
	}
	return nil
}

func (u *unpacker) delta(header *packfile.ObjectHeader) (*packed, error) {
	base, err := u.find(header)
	if err != nil {
		return nil, err
	}
	p := &packed{object: object{kind: base.kind}, depth: base.depth + 1, large: base.large}
	if p.depth > u.limits.DeltaDepth {
		return nil, malformed("a chain of more than %d deltas", u.limits.DeltaDepth)
	}
	if p.large {
		return p, u.countSkipped(header.Length)
	}
	ops, large, err := u.inflate(header, base.kind)
	if err != nil || large {
		p.large = large
		return p, err
	}
	u.kept -= header.Length // the delta itself is not kept
	size, err := deltaTarget(ops)
	if err != nil {
		return nil, err
	}
	if p.large, err = u.count(size, base.kind); err != nil || p.large {
		return p, err
	}
	p.data, err = packfile.PatchDelta(base.data, ops)
	return p, err
}

// find returns the object to which a delta refers.
func (u *unpacker) find(header *packfile.ObjectHeader) (*packed, error) {
	if header.Type == plumbing.OFSDeltaObject {
		if p, ok := u.at[header.OffsetReference]; ok {
			return p, nil
		}
		return nil, malformed("a delta refers to an object that is not in the pack")
	}
	if p, ok := u.named[header.Reference]; ok {
		return p, nil
	}
	if u.base != nil {
		if o, ok := u.base(header.Reference); ok {
			return &packed{object: o}, nil
		}
	}
	return nil, fmt.Errorf("unpacking a delta on %s: %w", header.Reference, errMissing)
}

// deltaTarget returns the length of the object that a delta makes: the second number of its header.
func deltaTarget(ops []byte) (int64, error) {
	_, n := binary.Uvarint(ops)
	if n <= 0 {
		return 0, malformed("a delta without a header")
	}
	size, n := binary.Uvarint(ops[n:])
	if n <= 0 || size > 1<<62 {
		return 0, malformed("a delta without a size")
	}
	return int64(size), nil
}

// packError returns a protocolError for the errors of packfile, and errors of this package unchanged.
func packError(err error) error {
	var user *port.UserError
	switch {
	case errors.As(err, &user), isUnanswered(err), errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded),
		isRetriable(err) && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return malformed("the pack ends too early")
	}
	return malformed("unpacking: %v", err)
}

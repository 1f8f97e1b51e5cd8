package gitrepo

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"

	"github.com/tenon-bot/tenon/bot/port"
)

// packed is an object of a pack as the deltas behind it need it. A blob over the limit has no bytes.
type packed struct {
	object
	depth int
	large bool
}

// unpacker turns a pack into objects, as it streams in.
type unpacker struct {
	limits Limits
	// base finds an object that the pack leaves out as known; nil when none is.
	base  func(oid) (object, bool)
	scan  *packfile.Scanner
	at    map[int64]*packed
	named map[oid]*packed
	total int64 // bytes of the objects that are kept
	past  int64 // bytes of those that are not
}

// unpack reads a pack and returns its objects by name. Blobs over ObjectBytes are left out.
func unpack(r io.Reader, limits Limits, base func(oid) (object, bool)) (map[oid]object, error) {
	u := &unpacker{limits: limits, base: base, scan: packfile.NewScanner(struct{ io.Reader }{r})}
	if err := u.read(); err != nil {
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
		return refused("This repository is too large for tenon: one commit of it has %d objects; the limit is %d.", count, u.limits.Objects)
	}
	u.at, u.named = map[int64]*packed{}, map[oid]*packed{}
	for range count {
		if err := u.next(); err != nil {
			return err
		}
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
		err = garbled("an object of the unknown kind %d", header.Type)
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

// inflate reads the bytes of an entry; large says that a blob was passed over, being over the limit.
func (u *unpacker) inflate(header *packfile.ObjectHeader, kind plumbing.ObjectType) (data []byte, large bool, err error) {
	large, err = u.account(header.Length, kind)
	if err != nil || large {
		return nil, large, err // the scanner itself passes over what is not read
	}
	// Memory follows what really comes, not what the header promises.
	buf := bytes.NewBuffer(make([]byte, 0, min(header.Length, 64<<10)))
	n, _, err := u.scan.NextObject(buf)
	if err == nil && n != header.Length {
		err = garbled("an object of %d bytes calls itself %d long", n, header.Length)
	}
	return buf.Bytes(), false, err
}

// account books size bytes of an object of a kind.
func (u *unpacker) account(size int64, kind plumbing.ObjectType) (large bool, err error) {
	if size > u.limits.ObjectBytes {
		if kind == plumbing.BlobObject {
			return true, u.passOver(size)
		}
		return false, refused("This repository is too large for tenon: it has a %s of %d bytes; the limit is %d.", kind, size, u.limits.ObjectBytes)
	}
	if u.total += size; u.total > u.limits.InflatedBytes {
		return false, refused("This repository is too large for tenon: one commit of it unpacks to more than %d bytes.", u.limits.InflatedBytes)
	}
	return false, nil
}

// passOver books bytes that are inflated for nothing; that takes time, so they have a bound of their own.
func (u *unpacker) passOver(size int64) error {
	u.past = min(u.past, 1<<61) + min(size, 1<<61)
	if u.past > 4*u.limits.InflatedBytes {
		return refused("This repository is too large for tenon: its largest files unpack to more than %d bytes.", 4*u.limits.InflatedBytes)
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
		return nil, garbled("a chain of more than %d deltas", u.limits.DeltaDepth)
	}
	if p.large {
		return p, u.passOver(header.Length)
	}
	ops, large, err := u.inflate(header, base.kind)
	if err != nil || large {
		p.large = large
		return p, err
	}
	u.total -= header.Length // the instructions are not kept
	size, err := deltaTarget(ops)
	if err != nil {
		return nil, err
	}
	if p.large, err = u.account(size, base.kind); err != nil || p.large {
		return p, err
	}
	p.data, err = packfile.PatchDelta(base.data, ops)
	return p, err
}

func (u *unpacker) find(header *packfile.ObjectHeader) (*packed, error) {
	if header.Type == plumbing.OFSDeltaObject {
		if p, ok := u.at[header.OffsetReference]; ok {
			return p, nil
		}
		return nil, garbled("a delta on an object that is not there")
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

// deltaTarget reads how long the object is that a delta makes: the second number of its head.
func deltaTarget(ops []byte) (int64, error) {
	_, n := binary.Uvarint(ops)
	if n <= 0 {
		return 0, garbled("a delta without a head")
	}
	size, n := binary.Uvarint(ops[n:])
	if n <= 0 || size > 1<<62 {
		return 0, garbled("a delta without a size")
	}
	return int64(size), nil
}

// packError turns the errors of the pack's format into ours; those that carry a meaning already stay.
func packError(err error) error {
	var user *port.UserError
	var retry *retryError
	var said *saidError
	switch {
	case errors.As(err, &user), errors.As(err, &retry), errors.As(err, &said), retriable(err) && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return garbled("the pack ends too early")
	}
	return garbled("unpacking: %v", err)
}

package gitrepo

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1" //nolint:gosec // what packs end with
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// packBuilder writes packs, valid or not.
type packBuilder struct {
	bytes.Buffer
	count int
}

// entry adds an entry with the given size in its header.
func (b *packBuilder) entry(kind plumbing.ObjectType, size int, extra, data []byte) (offset int) {
	offset = 12 + b.Len()
	b.count++
	first := byte(kind)<<4 | byte(size&15)
	for size >>= 4; size > 0; size >>= 7 {
		b.WriteByte(first | 0x80)
		first = byte(size & 0x7f)
	}
	b.WriteByte(first)
	b.Write(extra)
	z := zlib.NewWriter(&b.Buffer)
	_, _ = z.Write(data)
	_ = z.Close()
	return offset
}

func (b *packBuilder) object(kind plumbing.ObjectType, data []byte) int {
	return b.entry(kind, len(data), nil, data)
}

// delta adds a delta that refers to the entry at offset base.
func (b *packBuilder) delta(base int, ops []byte) int {
	distance := 12 + b.Len() - base
	extra := []byte{byte(distance & 0x7f)}
	for distance >>= 7; distance > 0; distance >>= 7 {
		distance--
		extra = append([]byte{0x80 | byte(distance&0x7f)}, extra...)
	}
	return b.entry(plumbing.OFSDeltaObject, len(ops), extra, ops)
}

func (b *packBuilder) pack() []byte { return b.packOf(b.count) }

func (b *packBuilder) packOf(count int) []byte {
	out := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(count))
	out = append(out, b.Bytes()...)
	sum := sha1.Sum(out) //nolint:gosec // as above
	return append(out, sum[:]...)
}

// ops returns a delta between objects of the given sizes.
func ops(from, to uint64, instructions ...byte) []byte {
	return append(binary.AppendUvarint(binary.AppendUvarint(nil, from), to), instructions...)
}

var small = Limits{ObjectBytes: 1 << 20, InflatedBytes: 4 << 20, DeltaDepth: 50}.withDefaults()

func TestAPackWithDeltas(t *testing.T) {
	t.Parallel()
	b := &packBuilder{}
	base := b.object(plumbing.BlobObject, []byte("hello world"))
	b.delta(base, ops(11, 8, 0x90, 5, 3, '!', '!', '!'))
	objects, err := unpack(bytes.NewReader(b.pack()), small, fetchRequest{})
	require.NoError(t, err)
	want := object{plumbing.BlobObject, []byte("hello!!!")}
	require.Equal(t, want, objects[want.id()])
	require.Len(t, objects, 2)

	thin := &packBuilder{}
	known := object{plumbing.BlobObject, []byte("hello world")}
	id := known.id()
	thin.entry(plumbing.REFDeltaObject, 8, id[:], ops(11, 8, 0x90, 5, 3, '!', '!', '!'))
	objects, err = unpack(bytes.NewReader(thin.pack()), small,
		fetchRequest{base: func(oid) (object, bool) { return known, true }})
	require.NoError(t, err)
	require.Equal(t, want, objects[want.id()])
	_, err = unpack(bytes.NewReader(thin.pack()), small, fetchRequest{})
	require.ErrorIs(t, err, errMissing)
}

func TestPacksThatLie(t *testing.T) {
	t.Parallel()
	one := func(kind plumbing.ObjectType, size int, data []byte) []byte {
		b := &packBuilder{}
		b.entry(kind, size, nil, data)
		return b.pack()
	}
	honest := one(plumbing.BlobObject, 5, []byte("hello"))
	withDelta := func(instructions []byte) []byte {
		b := &packBuilder{}
		b.delta(b.object(plumbing.BlobObject, []byte("hello")), instructions)
		return b.pack()
	}
	flipped := bytes.Clone(honest)
	flipped[len(flipped)-1] ^= 1
	self := &packBuilder{}
	self.entry(plumbing.OFSDeltaObject, 3, []byte{0}, ops(5, 5, 0))
	more := &packBuilder{}
	more.object(plumbing.BlobObject, []byte("hello"))
	chain := &packBuilder{}
	for at, i := chain.object(plumbing.BlobObject, []byte("hello")), 0; i < 60; i++ {
		at = chain.delta(at, ops(5, 5, 0x90, 5))
	}
	for name, c := range map[string]struct {
		pack []byte
		says string
	}{
		"longer than it says":      {one(plumbing.BlobObject, 3, []byte("hello")), "exceeds declared size"},
		"shorter than it says":     {one(plumbing.BlobObject, 9, []byte("hello")), "has the length 9 in its header"},
		"a huge tree, it says":     {one(plumbing.TreeObject, 1<<40, []byte("hello")), "too large for tenon"},
		"a huge blob, it says":     {one(plumbing.BlobObject, 1<<40, []byte("hello")), "too large for tenon"},
		"fewer entries than told":  {more.packOf(2), "makes no sense"},
		"more entries than told":   {more.packOf(0), "makes no sense"},
		"billions of entries":      {more.packOf(1 << 31), "has 2147483648 objects; the limit is"},
		"a wrong sum":              {flipped, "checksum mismatch"},
		"not a pack":               {[]byte("<html><body>hello, I am no pack</body></html>"), "makes no sense"},
		"of another version":       {append([]byte("PACK\x00\x00\x00\x09"), honest[8:]...), "makes no sense"},
		"nothing":                  {nil, "makes no sense"},
		"an unknown kind":          {one(plumbing.ObjectType(5), 5, []byte("hello")), "makes no sense"},
		"a delta on itself":        {self.pack(), "makes no sense"},
		"a delta of a wrong base":  {withDelta(ops(6, 5, 0x90, 5)), "invalid delta"},
		"a delta that ends early":  {withDelta(ops(5, 9, 0x90, 5)), "invalid delta"},
		"a delta beyond its base":  {withDelta(ops(5, 200, 0x90, 200)), "invalid delta"},
		"a delta without a head":   {withDelta([]byte{0x80, 0x80, 0x80}), "without a head"},
		"a delta without a size":   {withDelta([]byte{5, 0x80, 0x80}), "without a size"},
		"a delta of 2^63 bytes":    {withDelta(ops(5, 1<<63, 0x90, 5)), "without a size"},
		"a delta to a huge object": {withDelta(ops(5, 1<<50, 0x90, 5)), "too large for tenon"},
		"a long chain of deltas":   {chain.pack(), "a chain of more than 50 deltas"},
	} {
		_, err := unpack(bytes.NewReader(c.pack), small, fetchRequest{})
		require.ErrorContains(t, err, c.says, name)
	}
}

// The pack of a few hundred bytes unpacks to 260 MB: each delta copies its base many times.
func TestADeltaBomb(t *testing.T) {
	t.Parallel()
	b := &packBuilder{}
	size := 60_000
	at := b.object(plumbing.TreeObject, make([]byte, size))
	for range 3 {
		var copies []byte
		for range 16 {
			copies = append(copies, 0xb0|0x40, byte(size), byte(size>>8), byte(size>>16))
		}
		at = b.delta(at, ops(uint64(size), uint64(size*16), copies...))
		size *= 16
	}
	u := newUnpacker(bytes.NewReader(b.pack()), small, fetchRequest{})
	require.ErrorAs(t, u.read(), new(*port.UserError))
	unpacked := 0
	for _, p := range u.at {
		unpacked += len(p.data)
	}
	require.LessOrEqual(t, int64(unpacked), small.InflatedBytes)
}

func TestALargeBlobIsPassedOverWithWhatBuildsOnIt(t *testing.T) {
	t.Parallel()
	b := &packBuilder{}
	large := bytes.Repeat([]byte("x"), 2<<20)
	at := b.object(plumbing.BlobObject, large)
	b.delta(at, ops(2<<20, 5, 0x90, 5))
	little := b.object(plumbing.BlobObject, []byte("hello"))
	b.delta(little, ops(5, 3<<20, 0x90, 5))
	objects, err := unpack(bytes.NewReader(b.pack()), small, fetchRequest{})
	require.NoError(t, err)
	require.Len(t, objects, 1)
}

// What a delta on a blob that is skipped inflates to is skipped too, and takes as long.
func TestDeltasOnASkippedBlobCountAsSkipped(t *testing.T) {
	t.Parallel()
	b := &packBuilder{}
	at := b.object(plumbing.BlobObject, make([]byte, small.ObjectBytes+1))
	delta := append(ops(uint64(small.ObjectBytes)+1, 5), make([]byte, small.ObjectBytes)...)
	for range 4 * small.InflatedBytes / small.ObjectBytes {
		b.delta(at, delta)
	}
	_, err := unpack(bytes.NewReader(b.pack()), small, fetchRequest{})
	require.ErrorContains(t, err, "its largest files unpack to more than")
}

// Of a pack of files that are only of use, those beyond the bound are not kept, and neither is what builds on them.
func TestBlobsBeyondWhatIsKeptArePassedOverWithWhatBuildsOnThem(t *testing.T) {
	t.Parallel()
	b := &packBuilder{}
	b.object(plumbing.BlobObject, bytes.Repeat([]byte("a"), 600))
	beyond := b.object(plumbing.BlobObject, bytes.Repeat([]byte("b"), 600))
	b.delta(beyond, ops(600, 5, 0x90, 5))
	b.object(plumbing.BlobObject, []byte("little"))
	little := object{plumbing.BlobObject, []byte("little")}
	objects, err := unpack(bytes.NewReader(b.pack()), small, fetchRequest{keep: 1000})
	require.NoError(t, err)
	require.Len(t, objects, 2)
	require.Contains(t, objects, little.id(), "what comes later may fit")
	objects, err = unpack(bytes.NewReader(b.pack()), small, fetchRequest{})
	require.NoError(t, err)
	require.Len(t, objects, 4)

	b = &packBuilder{}
	base := b.object(plumbing.BlobObject, bytes.Repeat([]byte("a"), 600))
	b.delta(base, ops(600, 1200, 0xb0, 0x58, 2, 0xb0, 0x58, 2))
	b.delta(base, ops(600, 5, 0x90, 5))
	objects, err = unpack(bytes.NewReader(b.pack()), small, fetchRequest{keep: 1000})
	require.NoError(t, err)
	require.Len(t, objects, 2, "what a delta makes counts, not the delta")
}

func FuzzUnpack(f *testing.F) {
	b := &packBuilder{}
	at := b.object(plumbing.BlobObject, []byte("hello world"))
	b.delta(at, ops(11, 8, 0x90, 5, 3, '!', '!', '!'))
	f.Add(b.pack())
	limits := Limits{ObjectBytes: 1 << 16, InflatedBytes: 1 << 18, Objects: 100, DeltaDepth: 10}.withDefaults()
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 32 { // with a valid checksum, the fuzzer passes the last check
			sum := sha1.Sum(data[:len(data)-20]) //nolint:gosec // as above
			data = append(data[:len(data)-20:len(data)-20], sum[:]...)
		}
		objects, err := unpack(bytes.NewReader(data), limits, fetchRequest{})
		if err != nil {
			return
		}
		total := 0
		for id, o := range objects {
			require.Equal(t, id, o.id())
			total += len(o.data)
		}
		require.LessOrEqual(t, total, 1<<18)
	})
}

func FuzzFetchAnswer(f *testing.F) {
	b := &packBuilder{}
	b.object(plumbing.BlobObject, []byte("hello world"))
	pack := b.pack()
	w := &packetWriter{}
	w.linef("shallow-info\n")
	w.linef("shallow %s\n", strings.Repeat("1", 40))
	w.delim()
	w.linef("packfile\n")
	w.linef("\x02counting\n")
	w.linef("\x01%s", pack)
	w.flush()
	f.Add(w.Bytes())
	f.Add([]byte("0008NAK\n"))
	f.Add([]byte("000eversion 2\n0000"))
	f.Fuzz(func(t *testing.T, data []byte) {
		limits := Limits{ObjectBytes: 1 << 16, InflatedBytes: 1 << 18, Objects: 100}.withDefaults()
		objects, err := readFetch(newPacketReader(bytes.NewReader(data)), limits, fetchRequest{})
		if err != nil {
			objects, err = readFetchV0(newPacketReader(bytes.NewReader(data)), limits, fetchRequest{})
		}
		for id, o := range objects {
			require.NoError(t, err)
			require.Equal(t, id, o.id())
		}
	})
}

func FuzzShortAnswers(f *testing.F) {
	f.Add([]byte("000eversion 2\n0015fetch=shallow filter\n0000"))
	f.Add([]byte("000eunpack ok\n0013ok refs/heads/x0000"))
	f.Add([]byte("000eunpack ok\n0018ng refs/heads/x why0000"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if f, err := readCapabilities(newPacketReader(bytes.NewReader(data))); err != nil || !f.v2 {
			require.Equal(t, capabilities{}, f)
		}
		reason, err := readReport(newPacketReader(bytes.NewReader(data)), "refs/heads/x")
		if err == nil && reason == "" {
			require.Contains(t, string(data), "ok refs/heads/x")
		}
	})
}

// A pack is admitted once it is known to be large, before most of it takes memory.
// What is kept of files for other runs takes as much memory as it counts.
func TestWhatIsUnpackedTakesNoMoreThanItsBytes(t *testing.T) {
	t.Parallel()
	var b packBuilder
	for _, size := range []int{0, 1, 60_000, 66_000, 130_000, 200_000} {
		b.object(plumbing.BlobObject, bytes.Repeat([]byte("x"), size))
	}
	objects, err := unpack(bytes.NewReader(b.pack()), small, fetchRequest{})
	require.NoError(t, err)
	require.Len(t, objects, 6)
	for _, o := range objects {
		require.Equal(t, len(o.data), cap(o.data))
	}
	kept := newBlobs(16 << 20)
	kept.putAll(map[oid]object{{1}: {plumbing.BlobObject, make([]byte, 10, 1000)}})
	require.Greater(t, kept.kept.Bytes(), int64(1000))
}

func TestALargePackIsAdmittedByWhatItWillTake(t *testing.T) {
	t.Parallel()
	const object = 3 << 20
	pack := func(count int) []byte {
		var b packBuilder
		for i := range count {
			b.object(plumbing.BlobObject, bytes.Repeat([]byte{byte(i)}, object))
		}
		return b.pack()
	}
	for _, c := range []struct {
		count int
		asked []int64
	}{{2, nil}, {4, []int64{4 * object}}, {12, []int64{12 * object}}} {
		var asked []int64
		released := 0
		admit := func(bytes int64) (func(), error) {
			asked = append(asked, bytes)
			return func() { released++ }, nil
		}
		objects, err := unpack(bytes.NewReader(pack(c.count)), Limits{}.withDefaults(), fetchRequest{admit: admit})
		require.NoError(t, err)
		require.Len(t, objects, c.count)
		require.Equal(t, c.asked, asked)
		require.Equal(t, len(asked), released)
	}

	full := errors.New("there is no room")
	_, err := unpack(bytes.NewReader(pack(12)), Limits{}.withDefaults(),
		fetchRequest{admit: func(int64) (func(), error) { return nil, full }})
	require.ErrorContains(t, err, full.Error())
	released := false
	_, err = unpack(bytes.NewReader(pack(12)[:len(pack(12))-25]), Limits{}.withDefaults(),
		fetchRequest{admit: func(int64) (func(), error) { return func() { released = true }, nil }})
	require.Error(t, err)
	require.True(t, released, "what is broken takes no room for ever")
}

func TestAPackWhoseHeaderLiesIsAdmittedByTheLimit(t *testing.T) {
	t.Parallel()
	var b packBuilder
	for i := range 4 {
		b.object(plumbing.BlobObject, bytes.Repeat([]byte{byte(i)}, 3<<20))
	}
	var asked int64
	_, err := unpack(bytes.NewReader(b.packOf(400_000)), Limits{InflatedBytes: 100 << 20}.withDefaults(),
		fetchRequest{admit: func(bytes int64) (func(), error) { asked = bytes; return func() {}, nil }})
	require.Error(t, err)
	require.EqualValues(t, 100<<20, asked)
}

func TestPacksAreJoinedIfTheyAreWhole(t *testing.T) {
	t.Parallel()
	a, b := &packBuilder{}, &packBuilder{}
	base := a.object(plumbing.BlobObject, []byte("one\n"))
	a.delta(base, []byte{4, 6, 0x90, 4, 2, 'x', '\n'})
	b.object(plumbing.BlobObject, []byte("two\n"))
	joined, err := joinPacks(a.pack(), b.pack())
	require.NoError(t, err)
	objects, err := unpack(bytes.NewReader(joined), Limits{}.withDefaults(), fetchRequest{})
	require.NoError(t, err)
	var texts []string
	for _, o := range objects {
		texts = append(texts, string(o.data))
	}
	require.ElementsMatch(t, []string{"one\n", "one\nx\n", "two\n"}, texts)
	for i := range a.pack() {
		torn := a.pack()
		torn[i] ^= 1
		_, err = joinPacks(torn, b.pack())
		require.Error(t, err, i)
	}
	for _, short := range [][]byte{nil, a.pack()[:11], a.pack()[:31]} {
		_, err = joinPacks(b.pack(), short)
		require.Error(t, err)
	}
}

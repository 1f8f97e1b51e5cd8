package paths

import (
	"cmp"
	"hash/maphash"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
)

// How many paths a block has. What is made of the paths of a block is made again when one of them changes, and what is
// looked for in a list is looked for in each block.
const (
	blockLen    = 1024 // of a list that is made anew
	maxBlockLen = 2048
	minBlockLen = 256 // of one that lost some; only the last may have fewer
)

// Block is a part of a list, of one path at least. It does not change, and is safe for concurrent use.
type Block struct {
	id   uint64
	text string   // the paths, one behind the other
	ends []uint32 // where each ends
	// hashes are those of the base names in lower case, sorted, and numbers those of their paths.
	hashes  []uint32
	numbers []uint16
}

var blockIDs atomic.Uint64

func newBlock(sorted []string) *Block {
	b := &Block{id: blockIDs.Add(1), ends: make([]uint32, len(sorted)), hashes: make([]uint32, len(sorted)),
		numbers: make([]uint16, len(sorted))}
	size := 0
	for _, path := range sorted {
		size += len(path)
	}
	var text strings.Builder
	text.Grow(size)
	named := make([]uint64, len(sorted)) // the hash, and the number behind it
	for i, path := range sorted {
		text.WriteString(path)
		b.ends[i] = uint32(text.Len())
		named[i] = uint64(hash(strings.ToLower(baseOf(path))))<<16 | uint64(i)
	}
	b.text = text.String()
	slices.Sort(named)
	for i, n := range named {
		b.hashes[i], b.numbers[i] = uint32(n>>16), uint16(n)
	}
	return b
}

// seed keeps whoever names files from choosing names that have the same hash.
var seed = maphash.MakeSeed()

func hash(name string) uint32 { return uint32(maphash.String(seed, name)) }

// ID identifies the block in this process: a block with other paths has another one.
func (b *Block) ID() uint64 { return b.id }

// Len returns how many paths the block has.
func (b *Block) Len() int { return len(b.ends) }

// At returns a path by its number in the block, counted from 0.
func (b *Block) At(i int) string {
	start := uint32(0)
	if i > 0 {
		start = b.ends[i-1]
	}
	return b.text[start:b.ends[i]]
}

// Bytes returns about how much memory the block takes.
func (b *Block) Bytes() int64 { return int64(len(b.text)) + 10*int64(len(b.ends)) + blockBytes }

// blockBytes is about how much memory a block takes besides its paths.
const blockBytes = 200

// All returns all paths of the block.
func (b *Block) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range b.ends {
			if !yield(b.At(i)) {
				return
			}
		}
	}
}

// search returns the number of the first path that is not less than another one, and whether it is that one.
func (b *Block) search(path string) (i int, found bool) {
	low, high := 0, b.Len()
	for low < high {
		middle := int(uint(low+high) / 2)
		if cmp.Less(b.At(middle), path) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < b.Len() && b.At(low) == path
}

// withHash returns the numbers of the paths whose base name has a hash, in order.
func (b *Block) withHash(sum uint32) iter.Seq[int] {
	return func(yield func(int) bool) {
		at, _ := slices.BinarySearch(b.hashes, sum)
		for ; at < len(b.hashes) && b.hashes[at] == sum; at++ {
			if !yield(int(b.numbers[at])) {
				return
			}
		}
	}
}

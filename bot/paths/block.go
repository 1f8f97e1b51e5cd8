package paths

import (
	"cmp"
	"hash/maphash"
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tenon-bot/tenon/bot/secret"
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
	text string   // the paths, one after another
	ends []uint32 // where each ends
	// names are the keys of the base names, each with the number of its path in the last 16 bits, sorted.
	names []uint64
	// clean is the block without the paths that have a secret in them, made when it is asked for: the block itself if
	// there are none, nil if all have.
	clean   *Block
	cleaned sync.Once
}

var blockIDs atomic.Uint64

func newBlock(sorted []string) *Block {
	b := &Block{id: blockIDs.Add(1), ends: make([]uint32, len(sorted)), names: make([]uint64, len(sorted))}
	size := 0
	for _, path := range sorted {
		size += len(path)
	}
	var text strings.Builder
	text.Grow(size)
	for i, path := range sorted {
		text.WriteString(path)
		b.ends[i] = uint32(text.Len())
		b.names[i] = keyOf(baseOf(path)) | uint64(i)
	}
	b.text = text.String()
	slices.Sort(b.names)
	return b
}

// seed keeps whoever names files from choosing names that have the same hash.
var seed = maphash.MakeSeed()

// keyOf returns the key of a base name: 32 bits of the hash of its lower case, 16 of its own, and 16 that are free.
func keyOf(base string) uint64 {
	lower := maphash.String(seed, strings.ToLower(base))
	return lower<<otherCaseBits | maphash.String(seed, base)<<48>>48<<numberBits
}

// The last bits of keys in which the same names, and the same names in other cases, differ.
const (
	numberBits    = 16
	otherCaseBits = 32
)

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
func (b *Block) Bytes() int64 { return int64(len(b.text)) + 12*int64(len(b.ends)) + blockBytes }

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

// withoutSecrets returns the block without the paths that have a secret in them; nil if all have.
func (b *Block) withoutSecrets() *Block {
	b.cleaned.Do(func() {
		b.clean = b
		left := make([]string, 0, b.Len())
		for path := range b.All() {
			if !secret.InPath(path) {
				left = append(left, path)
			}
		}
		switch len(left) {
		case b.Len():
		case 0:
			b.clean = nil
		default:
			b.clean = newBlock(left)
		}
	})
	return b.clean
}

// search returns the number of the first path that is not less than another one, and whether it is that one.
func (b *Block) search(path string) (i int, found bool) {
	return sort.Find(b.Len(), func(i int) int { return cmp.Compare(path, b.At(i)) })
}

// like returns the numbers of the paths whose keys are the same but for their last bits, in order.
func (b *Block) like(key uint64, bits int) (numbers []uint16) {
	at, _ := slices.BinarySearch(b.names, key>>bits<<bits)
	for ; at < len(b.names) && b.names[at]>>bits == key>>bits; at++ {
		numbers = append(numbers, uint16(b.names[at]))
	}
	slices.Sort(numbers)
	return numbers
}

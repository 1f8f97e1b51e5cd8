// Package paths keeps the paths of the files of a tree, and finds them by their names. A list does not change: another
// one is made from it by a difference, and shares with it what is the same.
package paths

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"strings"
)

// List is a sorted list of paths, in blocks. It does not change, and is safe for concurrent use.
type List struct {
	blocks []*Block
	starts []int // the number of paths before each block, and of all
}

// Tree is what has files.
type Tree interface {
	// Files returns the paths of all files, sorted by their bytes.
	Files() ([]string, error)
}

// Of returns the paths of a tree: those that its own method Paths returns, if it has one.
func Of(tree Tree) (*List, error) {
	if lister, ok := tree.(interface{ Paths() (*List, error) }); ok {
		return lister.Paths()
	}
	files, err := tree.Files()
	if err != nil {
		return nil, err
	}
	return New(slices.Values(files)), nil
}

// New returns the list of sorted paths.
func New(sorted iter.Seq[string]) *List {
	var blocks []*Block
	part := make([]string, 0, blockLen)
	for path := range sorted {
		if part = append(part, path); len(part) == blockLen {
			blocks = append(blocks, newBlock(part))
			part = part[:0]
		}
	}
	if len(part) > 0 {
		blocks = append(blocks, newBlock(part))
	}
	return newList(blocks)
}

func newList(blocks []*Block) *List {
	starts := make([]int, len(blocks)+1)
	for i, b := range blocks {
		starts[i+1] = starts[i] + b.Len()
	}
	return &List{blocks, starts}
}

// Change returns the list without some of its paths, and with others that it does not have; both are sorted. It costs
// what the blocks cost that these are in.
func (l *List) Change(removed, added []string) *List {
	if len(removed)+len(added) == 0 {
		return l
	}
	blocks := make([]*Block, 0, len(l.blocks)+len(added)/blockLen+1)
	var left []string // of a block that became small: the next one takes it in
	for i, b := range l.blocks {
		out, in := removed, added
		if i+1 < len(l.blocks) {
			next := l.blocks[i+1].At(0)
			out, in = before(removed, next), before(added, next)
		}
		removed, added = removed[len(out):], added[len(in):]
		if len(out)+len(in)+len(left) == 0 {
			blocks = append(blocks, b)
			continue
		}
		now := append(left, merged(b, out, in)...)
		if left = nil; len(now) < minBlockLen && i+1 < len(l.blocks) {
			left = now
			continue
		}
		blocks = appendBlocks(blocks, now)
	}
	return newList(appendBlocks(blocks, added)) // some are left if the list had no block
}

// WithoutSecrets returns the list without the paths that have a secret in them, of which it shares the blocks that have
// none. Each block is looked through once.
func (l *List) WithoutSecrets() *List {
	blocks := make([]*Block, 0, len(l.blocks))
	same := true
	for _, b := range l.blocks {
		clean := b.withoutSecrets()
		if same = same && clean == b; clean != nil {
			blocks = append(blocks, clean)
		}
	}
	if same {
		return l
	}
	return newList(blocks)
}

// before returns the first of some sorted paths, up to another path.
func before(sorted []string, path string) []string {
	n, _ := slices.BinarySearch(sorted, path)
	return sorted[:n]
}

// merged returns the paths of a block without some of them and with others.
func merged(b *Block, removed, added []string) []string {
	out := make([]string, 0, b.Len()+len(added))
	for path := range b.All() {
		for len(added) > 0 && added[0] < path {
			out, added = append(out, added[0]), added[1:]
		}
		if len(removed) > 0 && removed[0] == path {
			removed = removed[1:]
			continue
		}
		out = append(out, path)
	}
	return append(out, added...)
}

// appendBlocks appends blocks of equal size with some paths.
func appendBlocks(blocks []*Block, sorted []string) []*Block {
	for parts := (len(sorted) + maxBlockLen - 1) / maxBlockLen; parts > 0; parts-- {
		n := len(sorted) / parts
		blocks = append(blocks, newBlock(sorted[:n]))
		sorted = sorted[n:]
	}
	return blocks
}

// Len returns how many paths there are.
func (l *List) Len() int { return l.starts[len(l.blocks)] }

// Blocks returns the blocks, in order. Callers must not change the slice.
func (l *List) Blocks() []*Block { return l.blocks }

// At returns a path by its number, counted from 0.
func (l *List) At(i int) string {
	block := sort.SearchInts(l.starts, i+1) - 1
	return l.blocks[block].At(i - l.starts[block])
}

// Search returns the number of the first path that is not less than another one, and whether it is that one.
func (l *List) Search(path string) (i int, found bool) {
	block, found := slices.BinarySearchFunc(l.blocks, path, func(b *Block, path string) int {
		return cmp.Compare(b.At(0), path)
	})
	switch {
	case found:
		return l.starts[block], true
	case block == 0:
		return 0, false
	}
	i, found = l.blocks[block-1].search(path)
	return l.starts[block-1] + i, found
}

// Has reports whether a path is in the list.
func (l *List) Has(path string) bool {
	_, found := l.Search(path)
	return found
}

// Below returns the numbers of the first path in a folder and of the first one after it. The root is "." or empty.
func (l *List) Below(folder string) (from, to int) {
	if folder == "." || folder == "" {
		return 0, l.Len()
	}
	folder = strings.TrimSuffix(folder, "/")
	from, _ = l.Search(folder + "/")
	to, _ = l.Search(folder + "0") // "0" follows "/"
	return from, max(from, to)
}

// Between returns the paths from one number up to another.
func (l *List) Between(from, to int) iter.Seq[string] {
	return func(yield func(string) bool) {
		block := max(0, sort.SearchInts(l.starts, from+1)-1)
		for i := from; i < to; block++ {
			for ; i < min(to, l.starts[block+1]); i++ {
				if !yield(l.blocks[block].At(i - l.starts[block])) {
					return
				}
			}
		}
	}
}

// All returns all paths.
func (l *List) All() iter.Seq[string] { return l.Between(0, l.Len()) }

// Named returns the paths with a base name, in order.
func (l *List) Named(base string) (out []string) {
	for path := range l.like(keyOf(base), numberBits) {
		if baseOf(path) == base {
			out = append(out, path)
		}
	}
	return out
}

// Folded returns the paths whose base name in lower case is that of another one, in order.
func (l *List) Folded(base string) iter.Seq[string] {
	return func(yield func(string) bool) {
		lower := strings.ToLower(base)
		for path := range l.like(keyOf(base), otherCaseBits) {
			if strings.ToLower(baseOf(path)) == lower && !yield(path) {
				return
			}
		}
	}
}

// like returns the paths with base names whose keys are the same but for their last bits, in order.
func (l *List) like(key uint64, bits int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, b := range l.blocks {
			for _, i := range b.like(key, bits) {
				if !yield(b.At(int(i))) {
					return
				}
			}
		}
	}
}

func baseOf(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

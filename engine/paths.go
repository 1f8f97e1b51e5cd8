package engine

import (
	"fmt"
	"path"
	"slices"
)

// maxSameBase bounds how many files of one base name Paths returns for a block.
const maxSameBase = 8

// Paths returns the files that Apply may read for blocks, sorted: what their paths resolve to. A caller whose tree fetches
// contents on demand can bring them all at once first. Errors are the tree's own.
func Paths(tree Tree, blocks []Block) ([]string, error) {
	r := resolver{tree: tree}
	var names []string
	for _, b := range blocks {
		found, refused, err := r.resolve(b)
		if err != nil {
			return nil, fmt.Errorf("resolving the path %s: %w", b.Path, err)
		}
		if refused == nil && found.exists {
			names = append(names, found.path)
		} else if r.byBase != nil {
			same := r.byBase[path.Base(b.Path)]
			names = append(names, same[:min(len(same), maxSameBase)]...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

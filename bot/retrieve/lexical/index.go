// Package lexical finds the files of a repository that a text is about, by their words: it makes a document of each
// source, once for each content, and ranks the files of an index for the words of a query. It also knows which files
// are sources and tests, and what they define, by the conventions of languages. It reads no files: names and texts are
// given to it.
package lexical

import (
	"math"
	"path"
	"slices"
	"strings"
)

// File is a file of an index: its path, and what is known of its content, nil if nothing is.
type File struct {
	Path     string
	Document *Document
}

// Index ranks files for queries. It does not change, and is safe for concurrent use.
type Index struct {
	files []File
	paths [][]Term // the terms of each path, sorted
	// length is how many terms a file has, window how many a window has, on average; 1 at least.
	length, window float64
}

// NewIndex returns the index of files. It keeps the slice, which must not be changed.
func NewIndex(files []File) *Index {
	x := &Index{files: files, paths: make([][]Term, len(files))}
	documents, length, pieces := 0, 0, 0
	for i, f := range files {
		x.paths[i] = pathTerms(f.Path)
		if f.Document != nil {
			documents++
			length += int(f.Document.length)
			pieces += len(f.Document.lengths)
		}
	}
	x.length = math.Max(1, float64(length)/float64(max(1, documents)))
	x.window = math.Max(1, 2*float64(length)/float64(max(1, pieces)))
	return x
}

// Bounds on paths: of a longer one, what is at its end is read. Paths of source files have twenty terms or so.
const (
	maxPathBytes = 1000
	maxPathTerms = 48
)

// pathTerms returns the last 48 terms of a path without its extension, sorted.
func pathTerms(name string) []Term {
	name = strings.TrimSuffix(name, path.Ext(name))
	all := make([]Term, 0, maxPathBytes) // of a constant size, so it is on the stack
	eachTerm([]byte(name[max(0, len(name)-maxPathBytes):]), func(t Term) { all = append(all, t) })
	out := slices.Clone(all[max(0, len(all)-maxPathTerms):]) // a clone does not keep the room for more
	slices.Sort(out)
	return out
}

package lexical

import (
	"iter"
	"slices"
)

// Names say which of some paths are those of sources and of tests. They do not change, and are safe for concurrent use.
type Names struct {
	// Sources and Tests are numbers of paths, in order.
	Sources, Tests []uint16
	// Ignored tells of each source whether it is left out; nil if none is.
	Ignored []bool
}

// NewNames returns the Names of at most 65,536 paths. Those for which hidden is true are neither sources nor tests;
// ignored tells of a source whether it is left out.
func NewNames(paths iter.Seq[string], hidden, ignored func(name string) bool) *Names {
	var sources, tests []uint16
	var out []bool
	number := -1
	for name := range paths {
		number++
		switch {
		case !IsSource(name) || hidden(name):
		case IsTest(name):
			tests = append(tests, uint16(number))
		default:
			sources, out = append(sources, uint16(number)), append(out, ignored(name))
		}
	}
	n := &Names{Sources: slices.Clone(sources), Tests: slices.Clone(tests)} // without spare capacity
	if slices.Contains(out, true) {
		n.Ignored = slices.Clone(out)
	}
	return n
}

// Bytes returns about how much memory the names take.
func (n *Names) Bytes() int64 {
	return int64(cap(n.Sources)+cap(n.Tests))*2 + int64(cap(n.Ignored)) + 100
}

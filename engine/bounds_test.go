package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/meter"
)

// countingTree counts the requests for the kind of an entry.
type countingTree struct {
	MemTree
	kinds int
}

func (t *countingTree) Kind(name string) (Kind, error) {
	t.kinds++
	return t.MemTree.Kind(name)
}

func TestTheFoldersBelowAMissingOneAreNotLookedUp(t *testing.T) {
	t.Parallel()
	tree := &countingTree{MemTree: MemTree{"a/b.go": []byte("x\n")}}
	b := Block{Path: strings.Repeat("d/", 200) + "f.go", Replace: []string{"x"}, Create: true}
	out, err := Apply(tree, []Block{b}, Options{})
	require.NoError(t, err)
	require.Equal(t, Applied, out.Results[0].Status)
	require.Less(t, tree.kinds, 10)
}

func TestStabilityTakesLinearWork(t *testing.T) {
	t.Parallel()
	for story, n := range map[string]int{"few": 100, "many": 1000} {
		f := &file{text: text.New(meter.Of(meter.Default), []byte(strings.Repeat("same\n", n)))}
		for i := range n {
			f.puts = append(f.puts, put{start: i, end: i + 1, find: []string{"same"}, once: true})
		}
		require.False(t, f.isStable(n), "%s: each has the lines of the others", story)
		require.LessOrEqual(t, f.text.Work.Spent(), 8*n, story)
	}
}

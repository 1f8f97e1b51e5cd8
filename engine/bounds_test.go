package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestManySectionsOfThinkingOnOneLineAreReadOnce(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("<think>a</think>", 5000) + "done"
	p := newParser(ParseOptions{})
	p.text = text
	p.readLines(len(text))
	require.LessOrEqual(t, p.thinking.searched, 2*len(text))
	require.Equal(t, "done\n", p.finish().Prose)
}

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
		f := &file{text: newText(nil, []byte(strings.Repeat("same\n", n)))}
		for i := range n {
			f.puts = append(f.puts, put{start: i, end: i + 1, find: []string{"same", "gone"}, once: true})
		}
		require.False(t, f.isStable(n), "%s: nothing is certain", story)
		require.LessOrEqual(t, f.text.comparisons, 10*maxStableChecks*n, story)
	}
}

package match

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLinesAreSimilarByTheirWords(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 1, similarity("a_b (cd)", "(cd) a_b"), 0)
	require.InDelta(t, 0.5, similarity("one two", "one three"), 0)
	require.InDelta(t, 0, similarity("one two", "three four"), 0)
	require.InDelta(t, 0, similarity("})", "})"), 0, "no words, no similarity")
	require.InDelta(t, 0.8, similarity("one one two", "one two"), 0, "a word counts as often as it is there")
}

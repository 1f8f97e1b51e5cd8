package retrieve

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFileThatIsShownTwiceIsOneFile(t *testing.T) {
	t.Parallel()
	part := func(path string, lines int, parts ...Span) ShownFile {
		return ShownFile{Path: path, Lines: lines, Parts: parts}
	}
	first := Selection{
		Shown:   map[string]string{"a": "1", "b": "1", "c": "1"},
		Files:   []ShownFile{part("a", 100, Span{1, 20}), part("b", 100, Span{1, 60}), part("c", 10)},
		LeftOut: []LeftOut{{"d", noRoom}, {"e", noRoom}},
	}
	more := Selection{
		Shown: map[string]string{"a": "1", "b": "1", "c": "2", "d": "1"},
		Files: []ShownFile{
			part("a", 100, Span{15, 30}, Span{50, 60}), part("b", 100, Span{61, 100}), part("c", 20, Span{1, 2}), part("d", 5),
		},
		ReadOnly: map[string]string{"d": "AWS access key"}, LeftOut: []LeftOut{{"e", noRoom}, {"f", "it is empty"}},
	}
	require.Equal(t, Selection{
		Shown:    map[string]string{"a": "1", "b": "1", "c": "2", "d": "1"},
		Files:    []ShownFile{part("a", 100, Span{1, 30}, Span{50, 60}), part("b", 100), part("c", 20, Span{1, 2}), part("d", 5)},
		ReadOnly: map[string]string{"d": "AWS access key"}, LeftOut: []LeftOut{{"e", noRoom}, {"f", "it is empty"}},
	}, first.With(more))
	require.Equal(t, []Span{{1, 20}}, first.Files[0].Parts, "the first one is as it was")
	require.Len(t, first.LeftOut, 2)
	require.Zero(t, Selection{}.With(Selection{}))
}

package reply

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAScannerReturnsABlockWhenItsEndMarkerArrives(t *testing.T) {
	t.Parallel()
	s := NewScanner(Options{})
	text := simple + "\nMore.\n"
	end := strings.Index(text, ">>>>>>> REPLACE\n") + len(">>>>>>> REPLACE\n")
	require.Empty(t, s.Feed(text[:end-1]))
	blocks := s.Feed(text[end-1 : end])
	require.Len(t, blocks, 1)
	require.Equal(t, "src/a.py", blocks[0].Path)
	require.Empty(t, s.Feed(text[end:]))
	require.Equal(t, Parse(text, Options{}), s.Close())
}

func TestAScannerReturnsNoBlockFromThinking(t *testing.T) {
	t.Parallel()
	s := NewScanner(Options{})
	require.Empty(t, s.Feed("<think>\n"+simple))
	require.Len(t, s.Feed("</think>\n"+simple), 1)
}

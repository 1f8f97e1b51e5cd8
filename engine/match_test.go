package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// matchCase is a block and what it does to a file.
type matchCase struct {
	file, find, repl string
	level            Level
	after            string // of an applied block
	detail           string // of a block that was not applied
}

func (c matchCase) run(t *testing.T) {
	t.Helper()
	got, res := applyOne(t, c.file, c.find, c.repl)
	if c.detail != "" {
		require.Equal(t, Failed, res.Status)
		require.Contains(t, res.Detail, c.detail)
		require.Equal(t, c.file, got)
		return
	}
	require.Equal(t, Applied, res.Status, res.Detail)
	require.Equal(t, c.after, got)
	require.Equal(t, c.level, res.Level)
}

// If the shorter find matches, and the file continues like the longer one, which does not match, the lines after the
// first divider may not be meant as the replacement.
func TestABlockWithTwoDividersIsMalformedIfTheFileContinuesWithOne(t *testing.T) {
	t.Parallel()
	const reply = "f\n<<<<<<< SEARCH\nTitle\n=======\nthe text\n=======\nanother text\n>>>>>>> REPLACE\n"
	for file, want := range map[string]struct {
		reason Reason
		after  string
	}{
		"Title\n=======\nother text\n": {Malformed, "Title\n=======\nother text\n"},
		"Title\n=======\nthe text\n":   {"", "another text\n"},
		"Title\nother text\n":          {"", "the text\n=======\nanother text\nother text\n"},
	} {
		tree := MemTree{"f": []byte(file)}
		blocks := Parse(reply, ParseOptions{}).Blocks
		require.Len(t, blocks, 1)
		require.Len(t, blocks[0].Splits, 2)
		out, err := Apply(tree, blocks, Options{})
		require.NoError(t, err)
		require.Equal(t, want.reason, out.Results[0].Reason, file)
		require.Equal(t, want.after, string(tree["f"]))
	}
}

func TestWhatIsTooShortMatchesByCoincidence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"a\nb\nc": true, "a\nb": false, "a\n\n \nb": false,
		strings.Repeat("x", 40): true, strings.Repeat("x", 39): false,
		strings.Repeat("x ", 39): false, strings.Repeat("x ", 20) + "\n\t" + strings.Repeat("x\t", 20): true,
	} {
		require.Equal(t, want, substantial(strings.Split(text, "\n")), "%q", text)
	}
	for text, want := range map[string]bool{
		"abcd": true, "ab\n1 2": true, "abc": false, "a+b(c)\n}": false, "": false, "....": false, "éèàç": true,
	} {
		require.Equal(t, want, hasLetters(strings.Split(text, "\n")), "%q", text)
	}
}

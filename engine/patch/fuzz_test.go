package patch

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// seeds are the replies of the golden cases, and parts of them.
func seeds(f *testing.F) (replies []string) {
	f.Helper()
	for _, pattern := range []string{"../reply/testdata/parse/*.txtar", "../testdata/apply/*.txtar"} {
		files, err := filepath.Glob(pattern)
		require.NoError(f, err)
		require.NotEmpty(f, files)
		for _, file := range files {
			archive, err := txtar.ParseFile(file)
			require.NoError(f, err)
			for _, c := range archive.Files {
				s := string(c.Data)
				if i := strings.Index(s, "--- a/"); i >= 0 {
					replies = append(replies, s, s[i:])
				} else if i := strings.Index(s, beginPatch); i >= 0 {
					replies = append(replies, s, s[i:])
				}
			}
		}
	}
	return replies
}

// FuzzUnified checks that Unified returns for any lines, and what is documented for its pieces.
func FuzzUnified(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, s string, fenced bool) {
		lines := strings.Split(s, "\n")
		pieces, end := Unified(lines, fenced)
		require.LessOrEqual(t, end, len(lines))
		wellFormed(t, lines, pieces, end)
	})
}

// FuzzEnvelope checks that Envelope returns for any lines, and what is documented for its pieces.
func FuzzEnvelope(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		lines := strings.Split(s, "\n")
		pieces, end, closed := Envelope(lines)
		require.LessOrEqual(t, end, len(lines))
		if closed {
			require.True(t, EndsEnvelope(lines[end-1]))
		}
		wellFormed(t, lines, pieces, end)
	})
}

// wellFormed checks that pieces are in order, within the lines, and have what the lines have.
func wellFormed(t *testing.T, lines []string, pieces []Piece, end int) {
	t.Helper()
	total, above := 0, Piece{}
	for _, c := range pieces {
		require.GreaterOrEqual(t, c.From, above.From)
		if c.From > above.From {
			require.GreaterOrEqual(t, c.From, above.To, "pieces are separate, unless they share their lines")
		}
		require.GreaterOrEqual(t, c.To, c.From)
		require.LessOrEqual(t, c.To, end)
		above = c
		if c.Problem != "" {
			continue
		}
		b := c.Block
		require.Greater(t, c.To, c.From)
		require.Equal(t, b.Path != "", slices.Contains(b.Candidates, b.Path))
		require.True(t, b.Create || b.Remove || b.MoveTo != "" || len(b.Hunk) > 0 && len(b.Find) > 0)
		total += len(b.Find) + len(b.Replace)
		from := strings.Join(lines[c.From:c.To], "\n")
		for _, s := range slices.Concat(b.Find, b.Replace) {
			require.Contains(t, from, s)
		}
	}
	require.LessOrEqual(t, total, 2*len(lines), "a line is in each half once at most")
}

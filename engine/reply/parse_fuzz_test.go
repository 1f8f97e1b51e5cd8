package reply

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/block"
)

// FuzzParse checks that Parse returns for any reply, and that the Reply is well formed.
func FuzzParse(f *testing.F) {
	for _, reply := range goldenReplies(f) {
		f.Add(reply)
		f.Add(strings.ReplaceAll(reply, "\n", "\r\n"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		wellFormed(t, text, Parse(text, Options{}))
	})
}

// wellFormed checks what is documented for every Reply.
func wellFormed(t *testing.T, text string, r block.Reply) {
	t.Helper()
	last := strings.Count(text, "\n") + 1
	above := block.Block{}
	plain := strings.ReplaceAll(text, "\r", "") + "\n"
	for _, b := range r.Blocks {
		require.NotEmpty(t, b.Path)
		require.Contains(t, b.Candidates, b.Path)
		require.NotEmpty(t, b.Format)
		require.LessOrEqual(t, utf8.RuneCountInString(b.Purpose), 200)
		require.NotContains(t, b.Purpose, "\n")
		require.Contains(t, text, b.Purpose)
		if b.Line != above.Line || b.EndLine != above.EndLine || hasEndMarker(b.Format) || b.Format != above.Format {
			require.Greater(t, b.Line, above.EndLine, "blocks are in order, and separate unless they share all lines")
		}
		require.GreaterOrEqual(t, b.EndLine, b.Line)
		require.LessOrEqual(t, b.EndLine, last)
		above = b
		if hasEndMarker(b.Format) {
			require.Contains(t, text, b.Raw)
		}
		require.Contains(t, plain, strings.ReplaceAll(b.Raw, "\r", ""))
		require.Equal(t, joined(b.Find), joined(b.Anchor, b.Old, b.Tail))
		require.Equal(t, joined(b.Replace), joined(b.Anchor, b.New, b.Tail))
		if !b.Whole && !b.Remove && b.MoveTo == "" && !b.Within {
			require.Equal(t, strings.TrimSpace(strings.Join(b.Find, "")) == "", b.Create)
		}
		require.NotContains(t, strings.Join(b.Find, ""), "\n")
		require.NotContains(t, strings.Join(b.Replace, ""), "\n")
		checkSplits(t, b)
	}
	require.LessOrEqual(t, len(r.Said), len(r.Prose))
	for _, p := range r.Problems {
		require.LessOrEqual(t, p.Line, last)
		require.NotEmpty(t, p.Kind)
		require.NotEmpty(t, p.Text)
		require.NotZero(t, p.Severity)
	}
	for _, s := range r.Suggestions {
		require.Positive(t, s.Line)
		require.LessOrEqual(t, s.Line, last)
		require.NotEmpty(t, s.Command)
	}
}

func checkSplits(t *testing.T, b block.Block) {
	t.Helper()
	if len(b.Splits) == 0 {
		return
	}
	require.GreaterOrEqual(t, len(b.Splits), 2)
	require.True(t, slices.ContainsFunc(b.Splits, func(s block.Split) bool {
		return slices.Equal(s.Find, b.Find) && slices.Equal(s.Replace, b.Replace)
	}))
	for i := 1; i < len(b.Splits); i++ {
		require.Greater(t, len(b.Splits[i].Find), len(b.Splits[i-1].Find))
	}
}

func joined(parts ...[]string) []string { return append([]string{}, slices.Concat(parts...)...) }

// FuzzScanner checks that a reply in pieces results in the Reply of Parse, and that blocks returned early are in it,
// unless a later part of the reply invalidates them.
func FuzzScanner(f *testing.F) {
	for i, reply := range goldenReplies(f) {
		f.Add(reply, uint8(i%7+1))
	}
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		whole := Parse(text, Options{})
		scanner := NewScanner(Options{})
		var early []block.Block
		for rest := text; rest != ""; {
			n := min(int(size)+1, len(rest))
			early = append(early, scanner.Feed(rest[:n])...)
			rest = rest[n:]
		}
		require.Equal(t, whole, scanner.Close())
		invalidated := func(p block.Problem) bool {
			return p.Kind == block.ProblemTwoEnds || p.Kind == block.ProblemThinking ||
				strings.HasPrefix(p.Text, "Code block at")
		}
		if slices.ContainsFunc(whole.Problems, invalidated) {
			return
		}
		require.LessOrEqual(t, len(early), len(whole.Blocks))
		for i, b := range early {
			require.Equal(t, whole.Blocks[i], b)
		}
	})
}

// FuzzPrint checks that blocks that are parsed, printed and parsed again are the same, and that only a path can prevent
// it.
func FuzzPrint(f *testing.F) {
	for _, reply := range goldenReplies(f) {
		f.Add(reply)
	}
	f.Add("`a b/c d`\n<<<<<<< SEARCH\nx\r\r\n=======\n\r\r\r\n>>>>>>> REPLACE\n")
	f.Fuzz(func(t *testing.T, text string) {
		blocks := Parse(text, Options{}).Blocks
		printed, err := Print(blocks)
		if err != nil {
			require.ErrorIs(t, err, ErrUnprintable)
			for i := range blocks {
				blocks[i].Path = "src/file.txt"
				if blocks[i].MoveTo != "" {
					blocks[i].MoveTo = "src/other.txt"
				}
			}
			if slices.ContainsFunc(blocks, func(b block.Block) bool { return b.Labelled }) || !utf8.ValidString(text) {
				return
			}
			_, err = Print(blocks)
			require.NoError(t, err, "the content is not at fault")
			return
		}
		again := Parse(printed, Options{})
		require.Empty(t, again.Problems, printed)
		require.Len(t, again.Blocks, len(blocks), printed)
		for i, b := range blocks {
			require.Equal(t, b.Path, again.Blocks[i].Path, printed)
			require.Equal(t, joined(b.Find), joined(again.Blocks[i].Find), printed)
			require.Equal(t, joined(b.Replace), joined(again.Blocks[i].Replace), printed)
			require.Equal(t, b.Create, again.Blocks[i].Create, printed)
			require.Equal(t, b.Whole, again.Blocks[i].Whole, printed)
			require.Equal(t, b.Remove, again.Blocks[i].Remove, printed)
			require.Equal(t, b.MoveTo, again.Blocks[i].MoveTo, printed)
			require.Equal(t, b.Within, again.Blocks[i].Within, printed)
			require.Equal(t, b.All, again.Blocks[i].All, printed)
			require.Empty(t, again.Blocks[i].Splits, "a printed block has one reading")
		}
		stable, err := Print(again.Blocks)
		require.NoError(t, err)
		require.Equal(t, printed, stable, "printing is stable")
	})
}

package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/text"
)

func TestOneLine(t *testing.T) {
	t.Parallel()
	require.Equal(t, "fatal: no such ref", text.OneLine("\r\nfatal: \t no\nsuch ref\n"))
	require.Empty(t, text.OneLine(" \n"))
}

func TestATextIsCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	const word = "größer" // ö and ß have two bytes each
	for n, want := range []string{"", "g", "gr", "gr", "grö", "grö", "größ", "größe", word, word} {
		require.Equal(t, want, text.Cut(word, n), n)
	}
	for n, want := range map[int]string{3: "…", 5: "gr…", 6: "gr…", 7: "grö…", 8: word} {
		require.Equal(t, want, text.Clip(word, n), n)
		require.LessOrEqual(t, len(text.Clip(word, n)), n)
	}
}

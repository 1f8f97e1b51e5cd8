package lexer

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheWordsOfALanguageAreKnown(t *testing.T) {
	t.Parallel()
	for language, text := range map[Language]string{
		"Go": "func format() { return }", "Python": "def format(): return", "JavaScript": "function format() { return }",
		"Rust": "fn format() { return }", "Java": "void format() { return; }",
	} {
		result := Lex(nil, language, text)
		require.True(t, result.Complete, language)
		var words []string
		for _, token := range result.Tokens {
			if token.Keyword {
				require.Equal(t, Word, token.Kind)
				words = append(words, token.Text)
			}
		}
		require.Contains(t, words, "return", language)
		require.NotContains(t, words, "format", language)
	}
}

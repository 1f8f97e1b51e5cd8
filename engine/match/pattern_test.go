package match

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/text"
)

// patternOf returns the pattern of the lines of two halves.
func patternOf(find, replace string) Pattern {
	return NewPattern(nil, text.New(nil, []byte(find)).Lines(), text.New(nil, []byte(replace)).Lines())
}

func TestWhatIsTooShortMatchesByCoincidence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"a\nb\nc": true, "a\nb": false, "a\n\n \nb": false,
		strings.Repeat("x", 40): true, strings.Repeat("x", 39): false,
		strings.Repeat("x ", 39): false, strings.Repeat("x ", 20) + "\n\t" + strings.Repeat("x\t", 20): true,
	} {
		require.Equal(t, want, isSubstantial(strings.Split(text, "\n")), "%q", text)
	}
	for text, want := range map[string]bool{
		"abcd": true, "ab\n1 2": true, "abc": false, "a+b(c)\n}": false, "": false, "....": false, "éèàç": true,
	} {
		require.Equal(t, want, hasLetters(strings.Split(text, "\n")), "%q", text)
	}
}

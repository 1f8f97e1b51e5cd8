package engine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestATypoIsAFewLettersAtOnePosition(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"return vlaue", "return value"}, {"the quick fox", "the quik fox"}, {"naïve", "naive"}, {"same", "same"}, {"if! ok", "if !ok"},
	} {
		require.True(t, isTypo(pair[0], pair[1]), "%q", pair)
	}
	for story, pair := range map[string][2]string{
		"a digit makes another name":    {"name: war", "name2: war"},
		"digits in another order":       {"x = 12", "x = 21"},
		"another value":                 {"x = 10", "x = 12"},
		"an operator":                   {"a + b", "a - b"},
		"a comment sign":                {"import x", "// import x"},
		"a blank joins or parts words":  {"is not", "isnot"},
		"more letters than three":       {"return first", "return second"},
		"two spots are two differences": {"ab cd ef", "xb cd xf"},
	} {
		require.False(t, isTypo(pair[0], pair[1]), story)
	}
}

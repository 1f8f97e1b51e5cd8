package edit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is invisible is defined in bot/markdown. Here it is refused, except where an emoji is made of it.
func TestAnEditIsRefusedForWhatItsReaderDoesNotSee(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		text    string
		refused bool
	}{
		"an emoji with its selector":          {"⚠\uFE0F x", false},
		"an emoji of two":                     {"👩\u200D💻", false},
		"an emoji of two, with a selector":    {"❤\uFE0F\u200D🔥", false},
		"an emoji in a tone":                  {"👍🏽", false},
		"a tab":                               {"\tx", false},
		"letters with accents":                {"e\u0301ä", false},
		"a selector after a letter":           {"x\uFE0F", true},
		"a joiner after a letter":             {"x\u200Dy", true},
		"two joiners":                         {"👩\u200D\u200D💻", true},
		"a rare selector after an emoji":      {"👩\uFE01", true},
		"a tag after an emoji":                {"🏴\U000E0067", true},
		"a space without width":               {"x\u200By", true},
		"a turn of direction":                 {"x\u202Ey", true},
		"a Hangul filler":                     {"x\u3164y", true},
		"a control character":                 {"x\x1By", true},
		"an end of line that JavaScript sees": {"// x\u2028y()", true},
		"an end of a paragraph":               {"// x\u2029y()", true},
	} {
		require.Equal(t, c.refused, hasInvisible(c.text), story)
		block := "a.txt\n```\n<<<<<<< SEARCH\nold\n=======\n" + c.text + "\n>>>>>>> REPLACE\n```\n"
		require.Equal(t, c.refused, strings.Contains(CheckVisible(block), "invisible characters"), story)
	}
}

package edit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBlocksThatAReaderDoesNotSeeAreNotTaken(t *testing.T) {
	t.Parallel()
	bare := strings.ReplaceAll(pastedBlock, "```\n", "")
	for story, c := range map[string]struct {
		text            string
		unseen, unshown bool
	}{
		"in a code block":                      {pastedBlock, false, false},
		"with prose around":                    {"Hello.\n\n" + pastedBlock + "\nBye <b>now</b>.\n", false, false},
		"with emoji":                           {strings.Replace(pastedBlock, "new", "⚠️ 👩‍💻 new", 1), false, false},
		"out of a code block":                  {bare, false, true},
		"in an HTML comment":                   {"<!--\n" + bare + "-->", true, true},
		"with a path in an HTML comment":       {"a.txt\n<!--\nb.txt\n-->\n" + pathless, true, false},
		"with a word in an HTML comment":       {"a.txt\n<!-- x -->\n" + pathless, true, false},
		"with a path behind the fence":         {"```a.txt\n" + strings.TrimPrefix(pastedBlock, "a.txt\n```\n"), false, true},
		"with a word of no width":              {strings.Replace(pastedBlock, "new", "ne\u200bw", 1), true, false},
		"turned around":                        {strings.Replace(pastedBlock, "new", "\u202enew", 1), true, false},
		"with letters in variation selectors":  {strings.Replace(pastedBlock, "new", "n\ufe01\ufe02ew", 1), true, false},
		"with a joiner between letters":        {strings.Replace(pastedBlock, "new", "n\u200dew", 1), true, false},
		"with a control character":             {strings.Replace(pastedBlock, "new", "new\x1b[8m", 1), true, false},
		"in a text made to keep a parser busy": {strings.Repeat("> ", 200) + "\n" + pastedBlock, true, true},
	} {
		require.Equal(t, c.unseen, CheckVisible(c.text) != "", "unseen: "+story)
		require.Equal(t, c.unshown, CheckVerbatim(c.text) != "", "unshown: "+story)
	}
}

package bot

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

const pastedBlock = "a.txt\n```\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n"

func TestBlocksAreFoundWithoutTheCommandsLine(t *testing.T) {
	t.Parallel()
	for story, body := range map[string]string{
		"alone":                            pastedBlock,
		"above":                            pastedBlock + "\n@tenon apply",
		"below":                            "/tenon apply\n" + pastedBlock,
		"below, without a path of its own": "a.txt is it.\n\na.txt\n\n/tenon apply\n" + strings.TrimPrefix(pastedBlock, "a.txt\n"),
		"quoted":                           "/tenon apply\n\n> " + strings.ReplaceAll(pastedBlock, "\n", "\n> "),
		"with a browser's lines":           strings.ReplaceAll("/tenon apply\n"+pastedBlock, "\n", "\r\n"),
		"own before what is quoted":        pastedBlock + "\n> " + strings.ReplaceAll(strings.ReplaceAll(pastedBlock, "new", "newer"), "\n", "\n> "),
	} {
		text, ok := blocksText(body, "tenon")
		require.True(t, ok, story)
		blocks := engine.Parse(text, engine.ParseOptions{}).Blocks
		require.Len(t, blocks, 1, story)
		require.Equal(t, "a.txt", blocks[0].Path, story)
		require.Equal(t, []string{"new"}, blocks[0].Replace, story)
	}
	for story, body := range map[string]string{
		"none":              "/tenon apply",
		"too long":          pastedBlock + strings.Repeat("x", maxCommentBytes),
		"quoted in a quote": "> > " + strings.ReplaceAll(pastedBlock, "\n", "\n> > "),
		"without its end":   "/tenon apply\n\na.txt\n<<<<<<< SEARCH\nold\n=======\nnew\n",
	} {
		_, ok := blocksText(body, "tenon")
		require.False(t, ok, story)
	}
}

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
		"with a path in an HTML comment":       {"a.txt\n<!--\nb.txt\n-->\n" + strings.TrimPrefix(pastedBlock, "a.txt\n"), true, false},
		"with a word in an HTML comment":       {strings.Replace(pastedBlock, "a.txt\n", "a.txt\n<!-- x -->\n", 1), true, false},
		"with a path behind the fence":         {"```a.txt\n" + strings.TrimPrefix(pastedBlock, "a.txt\n```\n"), false, true},
		"with a word of no width":              {strings.Replace(pastedBlock, "new", "ne\u200bw", 1), true, false},
		"turned around":                        {strings.Replace(pastedBlock, "new", "\u202enew", 1), true, false},
		"with letters in variation selectors":  {strings.Replace(pastedBlock, "new", "n\ufe01\ufe02ew", 1), true, false},
		"with a joiner between letters":        {strings.Replace(pastedBlock, "new", "n\u200dew", 1), true, false},
		"with a control character":             {strings.Replace(pastedBlock, "new", "new\x1b[8m", 1), true, false},
		"in a text made to keep a parser busy": {strings.Repeat("> ", 200) + "\n" + pastedBlock, true, false},
	} {
		require.Equal(t, c.unseen, unseen(c.text) != "", "unseen: "+story)
		require.Equal(t, c.unshown, unshown(c.text) != "", "unshown: "+story)
	}
}

func FuzzBlocksOfComments(f *testing.F) {
	f.Add("/tenon apply\n" + pastedBlock)
	f.Add("> " + pastedBlock)
	f.Add("<!--\n" + pastedBlock + "-->")
	f.Fuzz(func(t *testing.T, body string) {
		text, ok := blocksText(body, "tenon")
		if !ok {
			return
		}
		require.NotEmpty(t, engine.Parse(text, engine.ParseOptions{}).Blocks)
		if unseen(text) == "" {
			require.True(t, sameBlocks(engine.Parse(text, engine.ParseOptions{}).Blocks, engine.Parse(withoutHidden(text), engine.ParseOptions{}).Blocks))
		}
		_ = unshown(text)
	})
}

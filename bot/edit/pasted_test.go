package edit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
)

const (
	pathless    = "```\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n"
	pastedBlock = "a.txt\n" + pathless
)

func TestBlocksAreFoundWithoutTheCommandsLine(t *testing.T) {
	t.Parallel()
	for story, body := range map[string]string{
		"alone": pastedBlock,
		"above": pastedBlock + "\n@tenon apply",
		"below": "/tenon apply\n" + pastedBlock,
		"below, without a path of its own": "a.txt is it.\n\na.txt\n\n/tenon apply\n" +
			pathless,
		"quoted":                 "/tenon apply\n\n> " + strings.ReplaceAll(pastedBlock, "\n", "\n> "),
		"with a browser's lines": strings.ReplaceAll("/tenon apply\n"+pastedBlock, "\n", "\r\n"),
		"own before what is quoted": pastedBlock + "\n> " +
			strings.ReplaceAll(strings.ReplaceAll(pastedBlock, "new", "newer"), "\n", "\n> "),
	} {
		text, ok := PastedText(body, "tenon")
		require.True(t, ok, story)
		blocks := blocksIn(text)
		require.Len(t, blocks, 1, story)
		require.Equal(t, "a.txt", blocks[0].Path, story)
		require.Equal(t, []string{"new"}, blocks[0].Replace, story)
	}
	for story, body := range map[string]string{
		"none":              "/tenon apply",
		"too long":          pastedBlock + strings.Repeat("x", markdown.MaxCommentBytes),
		"quoted in a quote": "> > " + strings.ReplaceAll(pastedBlock, "\n", "\n> > "),
		"without its end":   "/tenon apply\n\na.txt\n<<<<<<< SEARCH\nold\n=======\nnew\n",
	} {
		_, ok := PastedText(body, "tenon")
		require.False(t, ok, story)
	}
}

func FuzzBlocksOfComments(f *testing.F) {
	f.Add("/tenon apply\n" + pastedBlock)
	f.Add("> " + pastedBlock)
	f.Add("<!--\n" + pastedBlock + "-->")
	f.Fuzz(func(t *testing.T, body string) {
		text, ok := PastedText(body, "tenon")
		if !ok {
			return
		}
		require.NotEmpty(t, blocksIn(text))
		if CheckVisible(text) == "" {
			require.True(t, sameEdits(blocksIn(text), blocksIn(markdown.WithoutHidden(text))))
		}
		_ = CheckVerbatim(text)
	})
}

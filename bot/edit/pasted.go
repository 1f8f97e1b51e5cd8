package edit

import (
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/engine"
)

// same says that two blocks are the same edit, letter by letter.
func SameEdit(a, b engine.Block) bool {
	return a.Path == b.Path && slices.Equal(a.Find, b.Find) && slices.Equal(a.Replace, b.Replace)
}

// blocksText is the text of a comment in which edit blocks stand, without the command's own line: the comment, or where it has
// none of its own, what it quotes. ok is false when there are none.
func BlocksText(body, slug string) (text string, ok bool) {
	if len(body) > markdown.MaxCommentBytes {
		return "", false
	}
	body = withoutCommand(strings.ReplaceAll(body, "\r\n", "\n"), slug)
	for _, text := range []string{body, quotedLines(body)} {
		if len(engine.Parse(text, engine.ParseOptions{}).Blocks) > 0 {
			return text, true
		}
	}
	return "", false
}

// withoutCommand empties the line of a command, which could be taken for that of a path.
func withoutCommand(body, slug string) string {
	for _, at := range markdown.ProseLines(body) {
		line, _, _ := strings.Cut(body[at:], "\n")
		_, slash := command.CutWord(line, "/tenon")
		_, mention := command.CutMention(line, slug)
		if slash || mention {
			return body[:at] + body[at+len(line):]
		}
	}
	return body
}

// quotedLines are the lines that a comment quotes, without the mark that GitHub sets before them; all others are empty.
func quotedLines(body string) string {
	lines := strings.Split(body, "\n")
	for i, line := range lines {
		quoted, ok := strings.CutPrefix(line, "> ")
		if !ok {
			quoted = ""
		}
		lines[i] = quoted
	}
	return strings.Join(lines, "\n")
}

// unseen says why whoever reads the blocks of a text, as it was written, does not see all that they do; empty when they do.
func Unseen(text string) string {
	blocks := engine.Parse(text, engine.ParseOptions{}).Blocks
	if len(markdown.Shallow(text)) < len(text) || !sameBlocks(blocks, engine.Parse(markdown.WithoutHidden(text), engine.ParseOptions{}).Blocks) {
		return "holds edit blocks of which GitHub does not show everything, such as what stands in an HTML comment. Put each into a code block, between lines of three backticks."
	}
	for _, b := range blocks {
		if slices.ContainsFunc(append(append([]string{b.Path}, b.Find...), b.Replace...), hasInvisible) {
			return "holds edit blocks with characters that cannot be seen, or that change the direction of the text around them. Remove them first."
		}
	}
	return ""
}

// unshown says why whoever reads a text as GitHub shows it does not see its blocks letter by letter.
func Unshown(source string) string {
	code := codeLines(source)
	blocks := engine.Parse(source, engine.ParseOptions{}).Blocks
	for _, b := range blocks {
		for line := b.Line; line <= b.EndLine; line++ {
			if !code[line] {
				return "holds edit blocks outside of code blocks, which GitHub does not show letter by letter."
			}
		}
	}
	if !sameBlocks(blocks, engine.Parse(withoutInfo(source), engine.ParseOptions{}).Blocks) {
		return "names files behind the backticks of a code block, where GitHub does not show them."
	}
	return ""
}

// sameBlocks says that blocks are the same edits of the same files, whatever files there are.
func sameBlocks(a, b []engine.Block) bool {
	return slices.EqualFunc(a, b, func(a, b engine.Block) bool { return SameEdit(a, b) && slices.Equal(a.Candidates, b.Candidates) })
}

// codeLines are the lines of a comment, from 1, that GitHub shows as they are.
func codeLines(source string) map[int]bool {
	out := map[int]bool{}
	eachFence(source, func(n *ast.FencedCodeBlock) {
		for i := range n.Lines().Len() {
			out[1+strings.Count(source[:n.Lines().At(i).Start], "\n")] = true
		}
	})
	return out
}

// withoutInfo is a comment without what stands behind the opening marks of its code blocks.
func withoutInfo(source string) string {
	out := []byte(source)
	eachFence(source, func(n *ast.FencedCodeBlock) {
		if n.Info != nil {
			for i := n.Info.Segment.Start; i < n.Info.Segment.Stop; i++ {
				out[i] = ' '
			}
		}
	})
	return string(out)
}

func eachFence(source string, visit func(*ast.FencedCodeBlock)) {
	root := markdown.CommentParser().Parse(text.NewReader([]byte(source)))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if fence, ok := n.(*ast.FencedCodeBlock); ok && entering {
			visit(fence)
		}
		return ast.WalkContinue, nil
	})
}

// hasInvisible says that a line holds a character that a reader does not see. Those that many emoji are made with are no
// such: they change how the sign before them looks.
func hasInvisible(line string) bool {
	var before rune
	for _, r := range line {
		if markdown.ShownRune(r) == -1 && !joinsEmoji(before, r) {
			return true
		}
		before = r
	}
	return false
}

func joinsEmoji(before, r rune) bool {
	sign := unicode.In(before, unicode.So, unicode.Sk)
	return r == '\uFE0F' && sign || r == '\u200D' && (sign || before == '\uFE0F')
}

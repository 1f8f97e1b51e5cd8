package edit

import (
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/engine"
)

// Whoever tells the app to apply the blocks of a comment is responsible for them, so a reader must be able to see all
// that they do.

// CheckVisible says why somebody who reads a text as it was written does not see all that its blocks do; empty when
// they do.
func CheckVisible(text string) (problem string) {
	blocks := blocksIn(text)
	shown := markdown.Shallow(text)
	if len(shown) < len(text) || !sameEdits(blocks, blocksIn(markdown.WithoutHidden(text))) {
		return "has edit blocks that GitHub does not show completely, such as those in an HTML comment. " +
			"Put each into a code block, between lines of three backticks."
	}
	for _, b := range blocks {
		if slices.ContainsFunc(slices.Concat([]string{b.Path, b.MoveTo}, b.Find, b.Replace), hasInvisible) {
			return "has edit blocks with invisible characters, " +
				"or characters that change the direction of text. Remove them first."
		}
	}
	return ""
}

// CheckVerbatim says why somebody who reads a text as GitHub renders it does not see its blocks verbatim; empty when
// they do.
func CheckVerbatim(text string) (problem string) {
	code := codeLines(text)
	blocks := blocksIn(text)
	for _, b := range blocks {
		for line := b.Line; line <= b.EndLine; line++ {
			if !code[line] {
				return "has edit blocks outside of code blocks, which GitHub does not show letter by letter."
			}
		}
	}
	if !sameEdits(blocks, blocksIn(withoutInfo(text))) {
		return "names files after the backticks of a code block, where GitHub does not show them."
	}
	return ""
}

// sameEdits reports whether two lists of blocks are the same edits in any tree.
func sameEdits(a, b []engine.Block) bool {
	return slices.EqualFunc(a, b, func(a, b engine.Block) bool {
		return SameEdit(a, b) && slices.Equal(a.Candidates, b.Candidates)
	})
}

// codeLines returns the numbers, from 1, of the lines in fenced code blocks.
func codeLines(source string) map[int]bool {
	out := map[int]bool{}
	at, line := 0, 1 // fences are visited in their order in the text
	eachFence(source, func(n *ast.FencedCodeBlock) {
		for i := range n.Lines().Len() {
			start := n.Lines().At(i).Start
			line += strings.Count(source[at:start], "\n")
			at = start
			out[line] = true
		}
	})
	return out
}

// withoutInfo blanks the info strings of the fenced code blocks in a text.
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
	root, ok := markdown.Parse(source)
	if !ok {
		return // nothing of it counts as code
	}
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if fence, ok := n.(*ast.FencedCodeBlock); ok && entering {
			visit(fence)
		}
		return ast.WalkContinue, nil
	})
}

// hasInvisible reports whether a line has a character that a reader does not see. The joiners and selectors of emoji do
// not count: they change how the character before them looks.
func hasInvisible(line string) bool {
	var before rune
	for _, r := range line {
		if r != '\t' && markdown.Invisible(r) && !joinsEmoji(before, r) {
			return true
		}
		before = r
	}
	return false
}

func joinsEmoji(before, r rune) bool {
	symbol := unicode.In(before, unicode.So, unicode.Sk)
	return r == '\uFE0F' && symbol || r == '\u200D' && (symbol || before == '\uFE0F')
}

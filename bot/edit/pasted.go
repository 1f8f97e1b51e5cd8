package edit

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/engine"
)

// PastedText returns the text of a comment whose edit blocks are to be applied: the comment without the line of its
// command, or, where that has no blocks, what the comment quotes. ok is false when neither has any.
func PastedText(body, slug string) (text string, ok bool) {
	if len(body) > markdown.MaxCommentBytes {
		return "", false
	}
	body = withoutCommand(strings.ReplaceAll(body, "\r\n", "\n"), slug)
	for _, text := range []string{body, quotedLines(body)} {
		if len(blocksIn(text)) > 0 {
			return text, true
		}
	}
	return "", false
}

// withoutCommand empties the line of the command, which could be taken for the path of a block.
func withoutCommand(body, slug string) string {
	if start, end, ok := command.Line(body, slug); ok {
		return body[:start] + body[end:]
	}
	return body
}

// quotedLines returns the lines that a comment quotes without their "> ". All other lines are empty.
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

func blocksIn(text string) []engine.Block { return engine.Parse(text, engine.ParseOptions{}).Blocks }

// SameEdit reports whether two blocks replace the same lines of the same path by the same lines, and do the same with
// the file.
func SameEdit(a, b engine.Block) bool {
	return a.Path == b.Path && slices.Equal(a.Find, b.Find) && slices.Equal(a.Replace, b.Replace) &&
		a.Whole == b.Whole && a.Remove == b.Remove && a.MoveTo == b.MoveTo && a.All == b.All
}

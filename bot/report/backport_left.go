package report

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// left names the branches that were left out, in the commands that ask for them.
func (b Backport) left() string {
	if len(b.Left) == 0 {
		return ""
	}
	var lines []string
	for some := range slices.Chunk(b.Left, command.MaxBranches) {
		lines = append(lines, "/tenon backport "+strings.Join(some, " "))
	}
	return markdown.JoinSections([]string{sentence.BackportLeftOut(len(b.Left), command.MaxBranches),
		markdown.CodeBlock(strings.Join(lines, "\n"))})
}

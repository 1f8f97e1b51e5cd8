package command

import (
	"fmt"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// on returns the invocation as it is meant on a thread. Without a text, a command is about the issue that it was given
// on, if it can be; otherwise it has a problem, which asks for the text in one sentence.
func (inv Invocation) on(t port.Thread) Invocation {
	c := inv.Command
	if c.Takes != SomeText || inv.Problem != "" {
		return inv
	}
	meansIssue := c.MeansIssue && !t.Pull
	switch {
	case meansIssue && saysNothingMore(inv.Text):
		inv.Text = ""
	case inv.Text == "" && c.MeansIssue:
		inv.Problem = fmt.Sprintf("Say after `/tenon %s` what to do on this pull request, as in `%s`.", c.Verb,
			markdown.CodeText(c.Example))
	case inv.Text == "":
		inv.Problem = fmt.Sprintf("Say after `/tenon %s` what you want to know, as in `%s`.", c.Verb,
			markdown.CodeText(c.Example))
	}
	return inv
}

package command

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

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

// maxFiller is how many words a text can have that says no more than the verb does.
const maxFiller = 12

// fillers are words that say no more than the verb and the issue do, alone or together, in lower case.
var fillers = []string{
	"address", "and", "bug", "can", "could", "do", "fix", "for", "handle", "implement", "issue", "it", "kindly", "me",
	"now", "please", "pls", "plz", "problem", "resolve", "solve", "thank", "thanks", "that", "the", "this", "us", "would",
	"you",
}

// saysNothingMore reports whether a text says no more than the command itself, as "please fix this" does.
func saysNothingMore(text string) bool {
	if strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !isFillerMark(r) }) >= 0 {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(text), isFillerMark)
	return len(words) <= maxFiller &&
		!slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(fillers, w) })
}

func isFillerMark(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".,!?", r) }

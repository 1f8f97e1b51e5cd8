package policy

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// shownSetting is a row of the table of settings.
type shownSetting struct{ Key, Value string }

// shown are all settings as people read them, in the order of policyKeys.
func (p Policy) Shown() []shownSetting {
	return []shownSetting{
		{"enabled", coded(p.Disabled, "false", "true")},
		{"verbs", WordsOr(p.Verbs, "all")},
		{"who", coded(true, string(p.Who), "")},
		{"models", WordsOr(p.Models, "all that the server has")},
		{"model", wordOr(p.Model, "the first that is allowed")},
		{"format", wordOr(p.Format, "what suits the model")},
		{"label", wordOr(p.Label, "none")},
		{"base", wordOr(p.Base, "the default branch")},
		{"partial", coded(p.Hold, "hold", "commit")},
		{"commits", coded(p.Push, "push", "verified")},
		{"line_endings", coded(p.LineFeeds, "lf", "keep")},
		{"protected", builtInAnd(p.Protected)},
		{"ignore", builtInAnd(p.Ignore)},
		{"instructions", instructionSizes(p.Instructions)},
		{"autofix", markdown.CellCode(roundsWord(p.Autofix))},
		{"limits.files", humanize.Comma(int64(p.Bounds.Files))},
		{"limits.blocks", humanize.Comma(int64(p.Bounds.Blocks))},
		{"limits.tokens", humanize.Comma(p.Bounds.Tokens)},
		{"budget.user.commands", humanize.Comma(p.Budget.UserCommands) + " a day"},
		{"budget.repository.commands", humanize.Comma(p.Budget.RepositoryCommands) + " a day"},
		{"budget.repository.tokens", humanize.Comma(p.Budget.RepositoryTokens) + " a day"},
		{"budget.organisation.tokens", humanize.Comma(p.Budget.OwnerTokens) + " a month"},
	}
}

func coded(first bool, a, b string) string {
	if first {
		return markdown.CellCode(a)
	}
	return markdown.CellCode(b)
}

func wordOr(word, none string) string {
	if word == "" {
		return none
	}
	return markdown.CellCode(markdown.Clip(word, 100))
}

// wordsOr lists words; nil is what the second argument says, and an empty list is none.
func WordsOr(words []string, all string) string {
	switch {
	case words == nil:
		return all
	case len(words) == 0:
		return "none"
	}
	var parts []string
	for _, w := range words[:min(len(words), markdown.MaxListed)] {
		parts = append(parts, markdown.CellCode(markdown.Clip(w, 100)))
	}
	if n := len(words) - markdown.MaxListed; n > 0 {
		parts = append(parts, fmt.Sprintf("… and %d more", n))
	}
	return strings.Join(parts, ", ")
}

func builtInAnd(globs []string) string {
	if len(globs) == 0 {
		return "the built-in ones"
	}
	return "the built-in ones, " + WordsOr(globs, "")
}

func instructionSizes(list []Instruction) string {
	if len(list) == 0 {
		return "none"
	}
	n := 0
	for _, i := range list {
		n += len(strings.Fields(i.Text))
	}
	return fmt.Sprintf("%d %s", n, english.PluralWord(n, "word", ""))
}

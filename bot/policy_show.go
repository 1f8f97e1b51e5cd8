package bot

import (
	"fmt"
	"strings"
)

// shownSetting is a row of the table of settings.
type shownSetting struct{ key, value string }

// shown are all settings as people read them, in the order of policyKeys.
func (p Policy) shown() []shownSetting {
	return []shownSetting{
		{"enabled", either(p.Disabled, "false", "true")},
		{"verbs", wordsOr(p.Verbs, "all")},
		{"who", either(true, string(p.Who), "")},
		{"models", wordsOr(p.Models, "all that the server has")},
		{"model", wordOr(p.Model, "the first that is allowed")},
		{"format", wordOr(p.Format, "what suits the model")},
		{"label", wordOr(p.Label, "none")},
		{"base", wordOr(p.Base, "the default branch")},
		{"partial", either(p.Hold, "hold", "commit")},
		{"commits", either(p.Push, "push", "verified")},
		{"line_endings", either(p.LineFeeds, "lf", "keep")},
		{"protected", builtInAnd(p.Protected)},
		{"ignore", builtInAnd(p.Ignore)},
		{"instructions", instructionSizes(p.Instructions)},
		{"autofix", cellCode(roundsWord(p.Autofix))},
		{"limits.files", grouped(int64(p.Bounds.Files))},
		{"limits.blocks", grouped(int64(p.Bounds.Blocks))},
		{"limits.tokens", grouped(p.Bounds.Tokens)},
		{"budget.user.commands", grouped(p.Budget.UserCommands) + " a day"},
		{"budget.repository.commands", grouped(p.Budget.RepositoryCommands) + " a day"},
		{"budget.repository.tokens", grouped(p.Budget.RepositoryTokens) + " a day"},
		{"budget.organisation.tokens", grouped(p.Budget.OwnerTokens) + " a month"},
	}
}

func either(first bool, a, b string) string {
	if first {
		return cellCode(a)
	}
	return cellCode(b)
}

func wordOr(word, none string) string {
	if word == "" {
		return none
	}
	return cellCode(clip(word, 100))
}

// wordsOr lists words; nil is what the second argument says, and an empty list is none.
func wordsOr(words []string, all string) string {
	switch {
	case words == nil:
		return all
	case len(words) == 0:
		return "none"
	}
	var parts []string
	for _, w := range words[:min(len(words), maxListed)] {
		parts = append(parts, cellCode(clip(w, 100)))
	}
	if n := len(words) - maxListed; n > 0 {
		parts = append(parts, fmt.Sprintf("… and %d more", n))
	}
	return strings.Join(parts, ", ")
}

func builtInAnd(globs []string) string {
	if len(globs) == 0 {
		return "the built-in ones"
	}
	return "the built-in ones, " + wordsOr(globs, "")
}

func instructionSizes(list []Instruction) string {
	if len(list) == 0 {
		return "none"
	}
	n := 0
	for _, i := range list {
		n += len(strings.Fields(i.Text))
	}
	return fmt.Sprintf("%d %s", n, plural(n, "word"))
}

package bot

import (
	"context"
	"fmt"
	"strings"
)

// maxShownProblems is how many problems of the settings one answer lists.
const maxShownProblems = 20

// runConfig answers with the settings that hold here, and where each comes from.
func runConfig(ctx context.Context, s *session) error {
	return s.reply(ctx, s.configText())
}

func (s *session) configText() string {
	return joinSections([]string{
		fmt.Sprintf("**The settings that hold in %s**", codeSpan(s.ev.Repo.String())),
		s.settingsTable(),
		s.settingsProblems(),
		s.unreadSettings(),
		fmt.Sprintf("<sub>A repository's own settings are in `%s` on its default branch; they can restrict what its organisation's and the server's allow.</sub>", settingsPath),
	})
}

func (s *session) settingsTable() string {
	var b strings.Builder
	b.WriteString("| setting | value | from |\n|---|---|---|")
	for _, row := range s.policy.shown() {
		fmt.Fprintf(&b, "\n| `%s` | %s | %s |", row.key, row.value, s.originWords(row.key))
	}
	return b.String()
}

func (s *session) settingsProblems() string {
	list := s.policy.Problems
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("**Problems in the settings**\n")
	for _, p := range list[:min(len(list), maxShownProblems)] {
		fmt.Fprintf(&b, "\n- %s", s.problemWords(p))
	}
	if n := len(list) - maxShownProblems; n > 0 {
		fmt.Fprintf(&b, "\n- … and %d more", n)
	}
	if _, closed := s.policy.closed(); closed {
		b.WriteString("\n\nA restriction may be lost in these, so tenon does nothing else here until they are mended.")
	}
	return b.String()
}

func (s *session) unreadSettings() string {
	if s.policy.Unread == "" {
		return ""
	}
	return "**Not read**\n\n" + s.policy.Unread
}

// problemWords is a problem with a link to its line.
func (s *session) problemWords(p Problem) string {
	return s.markWords(Mark{p.Source, p.Line}, true) + ": " + plain(clip(p.Text, maxCell), "")
}

// originWords says where a value comes from.
func (s *session) originWords(key string) string {
	var parts []string
	for _, m := range s.policy.Marks[key] {
		parts = append(parts, s.markWords(m, false))
	}
	if len(parts) == 0 {
		return "default"
	}
	return strings.Join(parts, ", ")
}

// markWords names a place in the settings, with a link where there is a file to see.
func (s *session) markWords(m Mark, full bool) string {
	file, ok := s.policy.Files[m.Origin]
	if !ok {
		return "the " + string(m.Origin)
	}
	text := "the " + string(m.Origin)
	if full {
		text = fmt.Sprintf("`%s` of %s", settingsPath, codeSpan(file.Repo.String()))
	}
	link := fmt.Sprintf("%s/%s/%s/blob/%s/%s", s.siteURL(), file.Repo.Owner, file.Repo.Name, file.SHA, settingsPath)
	if m.Line > 0 {
		text += fmt.Sprintf(", line %d", m.Line)
		link += fmt.Sprintf("#L%d", m.Line)
	}
	return fmt.Sprintf("[%s](%s)", text, link)
}

// siteURL is where repositories have their pages.
func (s *session) siteURL() string {
	base := s.repoURL()
	for range 2 {
		base = base[:max(0, strings.LastIndexByte(base, '/'))]
	}
	return base
}

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

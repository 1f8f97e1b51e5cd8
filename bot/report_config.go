package bot

import (
	"fmt"
	"strings"
)

// maxShownProblems is how many problems of the settings one answer lists.
const maxShownProblems = 20

// settingsReport tells of settings.
type settingsReport struct {
	policy Policy
	// repoURL is the page of a repository on the same GitHub.
	repoURL string
}

// body is the answer to config.
func (s settingsReport) body(repo RepoRef) string {
	return joinSections([]string{
		fmt.Sprintf("**The settings that hold in %s**", codeSpan(repo.String())),
		s.table(),
		s.problems(),
		s.unread(),
		fmt.Sprintf("<sub>A repository's own settings are in `%s` on its default branch; they can restrict what its organisation's and the server's allow.</sub>", SettingsPath),
	})
}

func (s settingsReport) table() string {
	var b strings.Builder
	b.WriteString("| setting | value | from |\n|---|---|---|")
	for _, row := range s.policy.shown() {
		fmt.Fprintf(&b, "\n| `%s` | %s | %s |", row.key, row.value, s.originWords(row.key))
	}
	return b.String()
}

func (s settingsReport) problems() string {
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

func (s settingsReport) unread() string {
	if s.policy.Unread == "" {
		return ""
	}
	return "**Not read**\n\n" + s.policy.Unread
}

// problemWords is a problem with a link to its line.
func (s settingsReport) problemWords(p Problem) string {
	return s.markWords(Mark{p.Source, p.Line}, true) + ": " + plain(clip(p.Text, maxCell), "")
}

// originWords says where a value comes from.
func (s settingsReport) originWords(key string) string {
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
func (s settingsReport) markWords(m Mark, full bool) string {
	file, ok := s.policy.Files[m.Origin]
	if !ok {
		return "the " + string(m.Origin)
	}
	text := "the " + string(m.Origin)
	if full {
		text = fmt.Sprintf("`%s` of %s", SettingsPath, codeSpan(file.Repo.String()))
	}
	link := fmt.Sprintf("%s/%s/%s/blob/%s/%s", s.siteURL(), file.Repo.Owner, file.Repo.Name, file.SHA, SettingsPath)
	if m.Line > 0 {
		text += fmt.Sprintf(", line %d", m.Line)
		link += fmt.Sprintf("#L%d", m.Line)
	}
	return fmt.Sprintf("[%s](%s)", text, link)
}

// siteURL is where repositories have their pages.
func (s settingsReport) siteURL() string {
	base := s.repoURL
	for range 2 {
		base = base[:max(0, strings.LastIndexByte(base, '/'))]
	}
	return base
}

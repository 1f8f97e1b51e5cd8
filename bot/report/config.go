package report

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
)

// maxShownProblems is how many problems of the settings one answer lists.
const maxShownProblems = 20

// settingsReport tells of settings.
type Settings struct {
	Policy policy.Policy
	// repoURL is the page of a repository on the same GitHub.
	RepoURL string
}

// body is the answer to config.
func (s Settings) Body(repo port.RepoRef) string {
	return markdown.JoinSections([]string{
		fmt.Sprintf("**The settings that hold in %s**", markdown.Code(repo.String())),
		s.table(),
		s.problems(),
		s.unread(),
		fmt.Sprintf("<sub>A repository's own settings are in `%s` on its default branch; they can restrict what its organisation's and the server's allow.</sub>", policy.SettingsPath),
	})
}

func (s Settings) table() string {
	var b strings.Builder
	b.WriteString("| setting | value | from |\n|---|---|---|")
	for _, row := range s.Policy.Shown() {
		fmt.Fprintf(&b, "\n| `%s` | %s | %s |", row.Key, row.Value, s.OriginWords(row.Key))
	}
	return b.String()
}

func (s Settings) problems() string {
	list := s.Policy.Problems
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("**Problems in the settings**\n")
	for _, p := range list[:min(len(list), maxShownProblems)] {
		fmt.Fprintf(&b, "\n- %s", s.ProblemWords(p))
	}
	if n := len(list) - maxShownProblems; n > 0 {
		fmt.Fprintf(&b, "\n- … and %d more", n)
	}
	if _, closed := s.Policy.Closed(); closed {
		b.WriteString("\n\nA restriction may be lost in these, so tenon does nothing else here until they are mended.")
	}
	return b.String()
}

func (s Settings) unread() string {
	if s.Policy.Unread == "" {
		return ""
	}
	return "**Not read**\n\n" + s.Policy.Unread
}

// problemWords is a problem with a link to its line.
func (s Settings) ProblemWords(p policy.Problem) string {
	return s.markWords(policy.Mark{Origin: p.Source, Line: p.Line}, true) + ": " + markdown.Plain(markdown.Clip(p.Text, markdown.MaxCell), "")
}

// originWords says where a value comes from.
func (s Settings) OriginWords(key string) string {
	var parts []string
	for _, m := range s.Policy.Marks[key] {
		parts = append(parts, s.markWords(m, false))
	}
	if len(parts) == 0 {
		return "default"
	}
	return strings.Join(parts, ", ")
}

// markWords names a place in the settings, with a link where there is a file to see.
func (s Settings) markWords(m policy.Mark, full bool) string {
	file, ok := s.Policy.Files[m.Origin]
	if !ok {
		return "the " + string(m.Origin)
	}
	text := "the " + string(m.Origin)
	if full {
		text = fmt.Sprintf("`%s` of %s", policy.SettingsPath, markdown.Code(file.Repo.String()))
	}
	link := fmt.Sprintf("%s/%s/%s/blob/%s/%s", s.siteURL(), file.Repo.Owner, file.Repo.Name, file.SHA, policy.SettingsPath)
	if m.Line > 0 {
		text += fmt.Sprintf(", line %d", m.Line)
		link += fmt.Sprintf("#L%d", m.Line)
	}
	return fmt.Sprintf("[%s](%s)", text, link)
}

// siteURL is where repositories have their pages.
func (s Settings) siteURL() string {
	base := s.RepoURL
	for range 2 {
		base = base[:max(0, strings.LastIndexByte(base, '/'))]
	}
	return base
}

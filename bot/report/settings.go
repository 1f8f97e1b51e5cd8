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

// Settings shows the settings of a repository.
type Settings struct {
	Policy policy.Policy
	// RepoURL is the page of any repository on the same GitHub.
	RepoURL string
}

// Body returns the answer to config.
func (s Settings) Body(repo port.RepoRef) string {
	return markdown.JoinSections([]string{
		fmt.Sprintf("**The settings in effect in %s**", markdown.Code(repo.String())),
		s.table(),
		s.problems(),
		s.unread(),
		fmt.Sprintf("<sub>A repository's own settings are in `%s` on its default branch; they can restrict what its "+
			"organisation's and the server's allow.</sub>", policy.SettingsPath),
	})
}

func (s Settings) table() string {
	var b strings.Builder
	b.WriteString("| setting | value | from |\n|---|---|---|")
	for _, row := range s.Policy.Shown() {
		fmt.Fprintf(&b, "\n| `%s` | %s | %s |", row.Key, row.Value, s.Sources(row.Key))
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
		b.WriteString("\n- " + s.Problem(p))
	}
	b.WriteString(andMore(len(list), maxShownProblems))
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

// Problem describes a problem, with a link to its line.
func (s Settings) Problem(p policy.Problem) string {
	place := "the " + string(p.Source)
	if file, ok := s.Policy.Files[p.Source]; ok {
		place = fmt.Sprintf("`%s` of %s", policy.SettingsPath, markdown.Code(file.Repo.String()))
	}
	text := markdown.Plain(markdown.Clip(p.Text, markdown.MaxCell), "")
	return s.link(policy.Mark{Origin: p.Source, Line: p.Line}, place) + ": " + text
}

// Sources says where the value of a setting is from, with links to the lines.
func (s Settings) Sources(key string) string {
	var parts []string
	for _, m := range s.Policy.Marks[key] {
		parts = append(parts, s.link(m, "the "+string(m.Origin)))
	}
	if len(parts) == 0 {
		return "default"
	}
	return strings.Join(parts, ", ")
}

// link makes a name of a file of settings a link to a line of it, if there is a file.
func (s Settings) link(m policy.Mark, name string) string {
	file, ok := s.Policy.Files[m.Origin]
	if !ok {
		return name
	}
	url := fmt.Sprintf("%s/%s/%s/blob/%s/%s", s.siteURL(), file.Repo.Owner, file.Repo.Name, file.SHA, policy.SettingsPath)
	if m.Line > 0 {
		name += fmt.Sprintf(", line %d", m.Line)
		url += fmt.Sprintf("#L%d", m.Line)
	}
	return fmt.Sprintf("[%s](%s)", name, url)
}

// siteURL returns the address below which repositories have their pages.
func (s Settings) siteURL() string {
	base := s.RepoURL
	for range 2 {
		base = base[:max(0, strings.LastIndexByte(base, '/'))]
	}
	return base
}

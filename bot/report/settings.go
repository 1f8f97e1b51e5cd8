package report

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
)

// maxShownProblems is how many problems of the settings one answer lists.
const maxShownProblems = 20

// Settings shows the settings of a repository.
type Settings struct {
	Policy policy.Policy
	// Links are those of any repository on the same GitHub.
	Links port.Links
}

// Body returns the answer to config: what is wrong, and what differs from the defaults; the rest is folded.
func (s Settings) Body(repo port.RepoRef) string {
	var changed, others []string
	for _, row := range s.Policy.Shown() {
		line := fmt.Sprintf("- `%s`: %s", row.Key, row.Value)
		switch from := s.sources(row.Key, ""); {
		case !row.Changed:
			others = append(others, line)
		case from == fromDefault:
			changed = append(changed, line+" · the server")
		default:
			changed = append(changed, line+" · "+from)
		}
	}
	title := english.Plural(len(others), "setting has its default value", "settings have their default values")
	return markdown.JoinSections([]string{
		fmt.Sprintf("**Settings of %s**", markdown.Code(repo.String())),
		s.problems(),
		s.unread(),
		changedList(changed),
		markdown.Fold(title, strings.Join(others, "\n")),
		fmt.Sprintf("<sub>A repository's own settings are in `%s` on its default branch; they can restrict what its "+
			"organisation's and the server's allow. [All settings](%s/configuration.md)</sub>", policy.SettingsPath, docsURL),
	})
}

func changedList(lines []string) string {
	if len(lines) == 0 {
		return "All settings have their default values."
	}
	return fmt.Sprintf("**%s from the defaults**\n\n%s",
		english.Plural(len(lines), "setting differs", "settings differ"), strings.Join(lines, "\n"))
}

func (s Settings) problems() string {
	list := s.Policy.Problems
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "⚠️ **%s in the settings**\n", english.Plural(len(list), "problem", ""))
	for _, p := range list[:min(len(list), maxShownProblems)] {
		b.WriteString("\n- " + s.Problem(p))
	}
	b.WriteString(andMore(len(list), maxShownProblems))
	if _, closed := s.Policy.Closed(); closed {
		b.WriteString("\n\nThese lines may hide a restriction: until they are fixed, only `help`, `status`, `config` and " +
			"`cancel` work here.")
	}
	return b.String()
}

func (s Settings) unread() string {
	if s.Policy.Unread == "" {
		return ""
	}
	return "⚠️ **Not read**: " + s.Policy.Unread
}

// Problem describes a problem, with a link to its line.
func (s Settings) Problem(p policy.Problem) string {
	place := "the " + string(p.Source)
	if file, ok := s.Policy.Files[p.Source]; ok {
		place = fmt.Sprintf("`%s` of %s", policy.SettingsPath, markdown.Code(file.Repo.String()))
	}
	text := markdown.Spans(markdown.Clip(p.Text, markdown.MaxCell))
	return s.link(policy.Mark{Origin: p.Source, Line: p.Line}, place) + ": " + text
}

// fromDefault is the source of what nobody set.
const fromDefault = "default"

// Sources names the settings that a value is from in a sentence, with links to the lines.
func (s Settings) Sources(key string) string { return s.sources(key, "'s settings") }

// sources says where the value of a setting is from, with links to the lines. Suffix is behind the name of each place.
func (s Settings) sources(key, suffix string) string {
	var parts []string
	for _, m := range s.Policy.Marks[key] {
		parts = append(parts, s.link(m, "the "+string(m.Origin)+suffix))
	}
	if len(parts) == 0 {
		return fromDefault
	}
	return strings.Join(parts, ", ")
}

// link makes a name of a file of settings a link to a line of it, if there is a file.
func (s Settings) link(m policy.Mark, name string) string {
	file, ok := s.Policy.Files[m.Origin]
	if !ok || s.Links == nil {
		return name
	}
	if m.Line > 0 {
		name += fmt.Sprintf(", line %d", m.Line)
	}
	page := s.Links.Of(file.Repo.String()).File(file.SHA, policy.SettingsPath, m.Line, m.Line)
	return fmt.Sprintf("[%s](%s)", name, page)
}

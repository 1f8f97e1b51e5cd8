package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/message"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
)

// The markers around tenon's own section of the description of a pull request. Only what is between them is replaced.
const (
	sectionBegins = "<!-- tenon:description -->"
	sectionEnds   = "<!-- tenon:description end -->"
)

// Bounds on the section, and on a template, in characters.
const (
	maxExplained = 3000
	maxMade      = 20
	maxTemplate  = 20_000
)

// Made is a commit that a command made on the branch of an issue.
type Made struct {
	record.Commit
	Event port.Event
	// Verb is the command's.
	Verb string
	// Explanation is the model's, as Markdown.
	Explanation string
	Results     []record.Result
	Cautions    []record.Caution
	// Undone reports whether a later command reverted it.
	Undone bool
}

// stays reports whether what the commit changed is on the branch because of it: it is not reverted and reverts nothing.
func (m Made) stays() bool { return !m.Undone && m.Undoes == "" }

// Description is what tenon says in the description of the pull request of an issue.
type Description struct {
	Issue int
	Links port.Links
	// Made are the commits of commands on the branch, oldest first.
	Made []Made
}

// Body returns the description of a new pull request: what closes the issue, and the template of the repository with
// tenon's section below its heading for a description, or behind it. What closes the issue is outside of the section,
// because people may want another word for it.
func (d Description) Body(template string) string {
	closing := fmt.Sprintf("Fixes #%d", d.Issue)
	template = strings.TrimSpace(message.Template(template))
	if utf8.RuneCountInString(template) > maxTemplate || strings.Contains(template, "<!-- tenon:") {
		template = ""
	}
	at := placeIn(template)
	return markdown.JoinSections([]string{
		closing, strings.TrimSpace(template[:at]), d.section(), strings.TrimSpace(template[at:]),
	})
}

// Update returns the description of a pull request, in which tenon's section is replaced and nothing else is changed.
// ok is false if there is no section, or more than one: people have taken the description over. It is also false if
// the section would not fit.
func (d Description) Update(body string) (updated string, ok bool) {
	begin, end := strings.Index(body, sectionBegins), strings.Index(body, sectionEnds)
	if begin < 0 || end < begin || strings.Count(body, sectionBegins) > 1 || strings.Count(body, sectionEnds) > 1 {
		return "", false
	}
	updated = body[:begin] + d.section() + body[end+len(sectionEnds):]
	return updated, utf8.RuneCountInString(updated) <= markdown.MaxBody
}

// section returns tenon's section with its markers.
func (d Description) section() string {
	return markdown.JoinSections([]string{
		sectionBegins, d.caution(), d.why(), d.first(), d.checked(), d.commands(),
		"<sub>Later commands, here or in the issue, commit to the same branch. tenon updates this section after each and " +
			"leaves the rest of the description alone.</sub>",
		sectionEnds,
	})
}

// why says what the model said of the changes that are on the branch.
func (d Description) why() string {
	var parts []string
	room := maxExplained
	for _, m := range d.Made {
		text, _ := explanation(message.Words(m.Explanation))
		text = message.Text(text)
		if !m.stays() || text == "" || slices.Contains(parts, text) {
			continue
		}
		if room -= size(text); room < 0 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, text)
	}
	return markdown.JoinSections(parts)
}

// A touched file is one that commits on the branch changed.
type touched struct {
	path           string
	added, removed int
	// problems are what is wrong with the file now, marks what of it a reader does not see.
	problems []record.Problem
	marks    bool
	// unchecked is why the newest commit's file was not checked for syntax.
	unchecked string
	// sha is the newest commit that changed it, and isGone reports that this commit removed or renamed it.
	sha    string
	isGone bool
}

// touched returns the files that were changed and not reverted, in the order of their paths.
func (d Description) touched() (files []touched) {
	for _, m := range d.Made {
		if !m.stays() || m.Merges { // a merge changes what other branches are reviewed for
			continue
		}
		last := map[string]record.Result{}
		for _, row := range m.Results {
			if row.Status.Applied() {
				last[row.Path] = row // all of a file have the same
			}
		}
		for _, path := range m.Changed {
			i := slices.IndexFunc(files, func(f touched) bool { return f.path == path })
			if i < 0 {
				i = len(files)
				files = append(files, touched{path: path})
			}
			files[i].sha, files[i].problems, files[i].unchecked = m.SHA, last[path].Problems, last[path].Unchecked
			row, edited := last[path]
			files[i].isGone = !edited || row.Line == 0 && row.Added == 0 && row.Removed > 0
		}
		for _, row := range m.Results {
			if i := slices.IndexFunc(files, func(f touched) bool { return f.path == row.Path }); i >= 0 && row.Status.Applied() {
				files[i].added += row.Added
				files[i].removed += row.Removed
				files[i].marks = files[i].marks || len(row.Marks) > 0
			}
		}
	}
	slices.SortFunc(files, func(a, b touched) int { return cmp.Compare(a.path, b.path) })
	return files
}

// first says which file to review first, and why that: one that does not parse, one that has what a reader does not
// see, or the one with the most changed lines.
func (d Description) first() string {
	files := d.touched()
	if len(files) == 0 {
		return ""
	}
	rank := func(f touched) int {
		switch {
		case len(f.problems) > 0:
			return 2
		case f.marks:
			return 1
		}
		return 0
	}
	f := slices.MaxFunc(files, func(a, b touched) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.added+a.removed, b.added+b.removed))
	})
	why := "most of the changed lines are there"
	switch {
	case len(f.problems) > 0:
		why = "it " + wrongWith(f.problems)
	case f.marks:
		why = "it adds text that readers cannot see"
	case len(files) == 1:
		why = ""
	}
	link := pathInWords(f.path)
	if !f.isGone {
		link = fileLink(link, d.Links, f.sha, f.path, 0)
	}
	if why == "" {
		return fmt.Sprintf("**Review:** %s (+%d −%d), the only file that changes.", link, f.added, f.removed)
	}
	return fmt.Sprintf("**Review first:** %s (+%d −%d), because %s.", link, f.added, f.removed, why)
}

// pathInWords shows a path that a model may have chosen: a squash merge takes the description for the commit's message.
func pathInWords(path string) string {
	return markdown.Code(markdown.Clip(message.Text(secret.Path(path)), markdown.MaxCell))
}

// wrongWith says what is wrong with a file.
func wrongWith(problems []record.Problem) string {
	if problems[0].Syntax {
		return "does not parse"
	}
	return "has a problem"
}

// checked says how the changes were checked.
func (d Description) checked() string {
	var wrong []string
	var left []record.Result
	for _, f := range d.touched() {
		if len(f.problems) > 0 {
			wrong = append(wrong, pathInWords(f.path)+" "+wrongWith(f.problems))
		}
		left = append(left, record.Result{Path: message.Text(secret.Path(f.path)), Status: record.StatusApplied,
			Unchecked: f.unchecked})
	}
	parsed := "tenon's parsers found no syntax error in the changed files"
	if n := len(wrong); n > 0 {
		parsed = "⚠️ " + english.OxfordWordSeries(wrong[:min(n, maxBroken)], "and")
		if n > maxBroken {
			parsed += fmt.Sprintf(", and so on in %d more", n-maxBroken)
		}
	}
	if len(d.touched()) == 0 {
		return ""
	}
	if files := uncheckedFiles(left, edit.BeyondBounds); files != "" {
		parsed += ". Not checked: " + strings.TrimSuffix(files, ".")
	}
	return "**Checked:** " + parsed + ". No tests were run."
}

// commands lists the commands that were committed, with their commits.
func (d Description) commands() string {
	var b strings.Builder
	b.WriteString("**Commands**\n")
	list := d.Made[max(0, len(d.Made)-maxMade):]
	if n := len(d.Made) - len(list); n > 0 {
		fmt.Fprintf(&b, "\n- … and %d before these:", n)
	}
	for _, m := range list {
		n := record.Count(m.Results).Applied
		b.WriteString("\n- " + CommitLink(d.Links, m.SHA))
		if m.Subject != "" && message.Text(m.Subject) == m.Subject { // tenon's own names the issue
			b.WriteString(" " + markdown.Plain(markdown.Clip(m.Subject, markdown.MaxCell), ""))
		}
		b.WriteString(" · " + m.command())
		if all := len(m.Results); n < all {
			fmt.Fprintf(&b, " · %d of %s", n, english.Plural(all, "edit", ""))
		}
		if m.Undone {
			b.WriteString(" · reverted")
		}
	}
	return b.String()
}

// command names the command, with a link to it. The link is not right behind the verb: a word that closes issues before
// the address of one means something to those who read the description as the message of a commit.
func (m Made) command() string {
	verb := "a command"
	if m.Verb != "" {
		verb = fmt.Sprintf("`/tenon %s`", m.Verb)
	}
	text := verb + " by " + markdown.PlainLogin(markdown.Clip(m.Event.Sender.Login, maxSigned))
	if m.Event.Comment.URL != "" {
		text += " ([request](" + m.Event.Comment.URL + "))"
	}
	return text
}

// describes matches the heading of a template below which people describe a change.
var describes = regexp.MustCompile(
	`(?im)^#{1,6}[ \t]+\W{0,4}(?:description|summary|overview|what|changes?|purpose)\b[^\n]*$`)

// placeIn returns the offset in a template at which the section goes: below its first such heading, else its end.
func placeIn(template string) int {
	for _, at := range describes.FindAllStringIndex(template, -1) {
		before := template[:at[0]]
		if strings.Count(before, "<!--") == strings.Count(before, "-->") && strings.Count(before, "```")%2 == 0 &&
			strings.Count(before, "~~~")%2 == 0 {
			return at[1]
		}
	}
	return len(template)
}

package backport

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/message"
	"github.com/tenon-bot/tenon/bot/port"
)

// maxMessage bounds the message of a commit that is repeated, in characters.
const maxMessage = 10_000

// own matches the trailers of tenon's, by which it knows its commits.
var own = regexp.MustCompile(`(?mi)^[ \t]*tenon-[a-z]+[ \t]*:.*(?:\n|$)`)

// cleaned returns the message of a commit as another one has it: nothing is left of what skips CI or closes issues, of
// what a reader cannot see, and of tenon's trailers. There is no line feed at the end.
func cleaned(text string) string {
	text = markdown.Clip(text, maxMessage) // what follows takes time
	text = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && markdown.Invisible(r) {
			return -1
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))
	text = own.ReplaceAllString(text, "")
	return strings.TrimSpace(markdown.Clip(message.Shown(strings.TrimSpace(text)), maxMessage))
}

// messageOf returns the message of a commit as that of the new one, which has a subject in any case.
func messageOf(c port.LoggedCommit) string {
	return cmp.Or(cleaned(c.Message), fmt.Sprintf("Backport of %.7s", c.SHA))
}

// Title returns the title of a pull request as titles and subjects repeat it, on one line.
func Title(title string) string { return cleaned(markdown.OneLine(title)) }

// PullTitle returns the title of the pull request of a backport to a branch, for that of the original. A squash makes
// it the subject of a commit, so a name that CI or a release tool takes for an order in brackets, such as "release", is
// not in brackets.
func PullTitle(to, title string) string {
	before := "[" + to + "]"
	whole := Title(before + " " + title)
	if strings.HasPrefix(whole, before) && message.Text(before) != before {
		return Title(title + " (backport to " + to + ")")
	}
	return whole
}

// Subject returns the first line of the message of a commit as others repeat it.
func Subject(text string) string { return subject(cleaned(text)) }

func subject(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// pickedFrom is how git says where a commit was picked from.
func pickedFrom(sha string) string { return "(cherry picked from commit " + sha + ")" }

// FullMessage returns the message of the new commit, which says where it was picked from as git does. trailers are
// further ones; those that the message has already are left out.
func (c Commit) FullMessage(trailers ...string) string {
	var lines []string
	for _, sha := range c.Picked {
		lines = append(lines, pickedFrom(sha))
	}
	for _, t := range trailers {
		if !strings.Contains(c.Message+"\n", t+"\n") {
			lines = append(lines, t)
		}
	}
	between := "\n\n"
	if endsInTrailers(c.Message) {
		between = "\n"
	}
	return strings.TrimLeft(c.Message+between+strings.Join(lines, "\n")+"\n", "\n")
}

// CoAuthor returns the trailer by which GitHub shows an author without an account as an author, too, by the address
// that the commit shows. It is empty if the name or the address cannot be in one, or if a program might act on them.
func CoAuthor(a port.Author) string {
	for _, text := range []string{a.Name, a.Email} {
		if text == "" || len(text) > maxAuthor || strings.ContainsAny(text, "<>\n") ||
			strings.ContainsFunc(text, markdown.Invisible) || message.Shown(text) != text {
			return ""
		}
	}
	if message.Text(a.Name) != a.Name {
		return ""
	}
	return "Co-authored-by: " + a.Name + " <" + a.Email + ">"
}

// maxAuthor bounds the name and the address of an author, in bytes.
const maxAuthor = 200

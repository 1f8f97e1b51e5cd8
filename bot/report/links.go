package report

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// maxLink is the longest address that is worth a link, in bytes.
const maxLink = 500

// RepoURL returns the page of the repository of a thread, without a slash at its end.
func RepoURL(t port.Thread) string {
	base := t.URL
	for _, part := range []string{"/pull/", "/issues/"} {
		if i := strings.LastIndex(base, part); i >= 0 {
			base = base[:i]
		}
	}
	return base
}

// CommitLink returns a link to a commit.
func CommitLink(repoURL, sha string) string {
	return fmt.Sprintf("[`%.7s`](%s/commit/%s)", sha, repoURL, sha)
}

// CompareURL returns the page that shows what changed from one commit to another.
func CompareURL(repoURL, from, to string) string {
	return fmt.Sprintf("%s/compare/%s...%s", repoURL, from, to)
}

// CommandLink names the command of an event, with a link to it. An empty verb is one that is not known.
func CommandLink(verb string, ev port.Event) string {
	words := "a command"
	if verb != "" {
		words = fmt.Sprintf("`/tenon %s`", verb)
	}
	if ev.Comment.URL != "" {
		words = fmt.Sprintf("[%s](%s)", words, ev.Comment.URL)
	}
	return words + " by " + markdown.PlainLogin(ev.Sender.Login)
}

// RunNote returns the line by which whoever operates tenon finds a run in its records.
func RunNote(run string, pages Pages) string { return "<sub>run " + pages.Link(run) + "</sub>" }

// fileLink makes shown a link to a file at a commit, and to a line of it unless line is 0.
func fileLink(shown, repoURL, sha, name string, line int) string {
	link := FileURL(repoURL, sha, name, line, line)
	if link == "" {
		return shown
	}
	return fmt.Sprintf("[%s](%s)", shown, link)
}

// FileURL returns the page of a file at a commit, at some of its lines unless from is 0; empty if it would be too long
// for a link.
func FileURL(repoURL, sha, name string, from, to int) string {
	link := fmt.Sprintf("%s/blob/%s/%s", repoURL, sha, escapePath(name))
	if from > 0 {
		link += fmt.Sprintf("#L%d", from)
	}
	if to > from {
		link += fmt.Sprintf("-L%d", to)
	}
	if len(link) > maxLink {
		return ""
	}
	return link
}

// escapePath escapes a path for a link in Markdown, which nothing in it can end.
func escapePath(name string) string {
	markup := strings.NewReplacer("(", "%28", ")", "%29", "'", "%27", "|", "%7C")
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = markup.Replace(url.PathEscape(p))
	}
	return strings.Join(parts, "/")
}

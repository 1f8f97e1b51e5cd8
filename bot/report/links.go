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

// CommandLink names the command of an event, with a link to it. An empty verb is one that is not known.
func CommandLink(verb string, ev port.Event) string {
	words := "a command"
	if verb != "" {
		words = fmt.Sprintf("`/tenon %s`", verb)
	}
	if ev.Comment.URL != "" {
		words = fmt.Sprintf("[%s](%s)", words, ev.Comment.URL)
	}
	return words + " of " + markdown.PlainLogin(ev.Sender.Login)
}

// RunNote returns the line by which whoever operates tenon finds a run in its records.
func RunNote(run string) string { return "<sub>run " + run + "</sub>" }

// fileLink makes shown a link to a file at a commit, and to a line of it unless line is 0.
func fileLink(shown, repoURL, sha, name string, line int) string {
	link := fmt.Sprintf("%s/blob/%s/%s", repoURL, sha, escapePath(name))
	if line > 0 {
		link += fmt.Sprintf("#L%d", line)
	}
	if len(link) > maxLink {
		return shown
	}
	return fmt.Sprintf("[%s](%s)", shown, link)
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

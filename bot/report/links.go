package report

import (
	"fmt"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// maxLink is the longest address that is worth a link, in bytes.
const maxLink = 500

// CommitLink returns a link to a commit; without the links of its repository, its SHA alone.
func CommitLink(repo port.Links, sha string) string {
	short := fmt.Sprintf("`%.7s`", sha)
	if repo == nil {
		return short
	}
	return fmt.Sprintf("[%s](%s)", short, repo.Commit(sha))
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
func fileLink(shown string, repo port.Links, sha, name string, line int) string {
	link := FileURL(repo, sha, name, line, line)
	if link == "" {
		return shown
	}
	return fmt.Sprintf("[%s](%s)", shown, link)
}

// FileURL returns the page of a file at a commit, at some of its lines unless from is 0; empty if there is none, or its
// address would be too long for a link.
func FileURL(repo port.Links, sha, name string, from, to int) string {
	if repo == nil {
		return ""
	}
	if link := repo.File(sha, name, from, to); len(link) <= maxLink {
		return link
	}
	return ""
}

package report

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// Subject is the command that an answer is about.
type Subject struct {
	Event   port.Event
	Command command.Command
	// Text is what the command says behind its verb.
	Text string
	// Run is the id of its run.
	Run string
	// Offers reports whether a command may be given here; nil means that none may.
	Offers func(verb string) bool
}

func (s Subject) offers(verb string) bool { return s.Offers != nil && s.Offers(verb) }

// RepoURL returns the page of the repository, from the thread's own link.
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

// RunNote is the line by which somebody who runs the app finds a run in its records.
func RunNote(run string) string { return "<sub>run " + run + "</sub>" }

// CommandWords names the command of an event, with a link to it; an empty verb is one that is not known.
func CommandWords(verb string, ev port.Event) string {
	words := "a command"
	if verb != "" {
		words = fmt.Sprintf("`/tenon %s`", verb)
	}
	if ev.Comment.URL != "" {
		words = fmt.Sprintf("[%s](%s)", words, ev.Comment.URL)
	}
	return words + " of " + markdown.PlainLogin(ev.Sender.Login)
}

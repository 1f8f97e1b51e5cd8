package bot

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
)

// maxSubject is the length of a commit's first line at which tools begin to cut it.
const maxSubject = 72

var (
	subjectShape = regexp.MustCompile(`^[a-z]+(\([A-Za-z0-9_./-]+\))?!?: [^\s].*$`)
	// subjectTraps are what GitHub acts on in a commit message: mentions, references (with closing words), links, words
	// that keep its CI from running.
	subjectTraps = regexp.MustCompile(
		`(?i)@|#\d|\bGH-\d|://|\[(skip ci|ci skip|no ci|skip actions|actions skip)\]|\*\*\*NO_CI\*\*\*|skip-checks`)
)

// messages writes the messages of a run's commits. They are the same for every attempt of the run on the same results.
type messages struct {
	slug    string
	ev      port.Event
	run     string
	started time.Time
}

// trailer is how a resumed run knows its own commit.
func (m messages) trailer() string { return "Tenon-Run: " + m.run }

// request is the same for every attempt of a run on the same results: nothing in it depends on the time of the push.
func (m messages) request(t record.Target, message string) repo.CommitRequest {
	tenon := repo.Signature{Name: m.slug + "[bot]", Email: m.slug + "[bot]@users.noreply.github.com", When: m.started}
	return repo.CommitRequest{Branch: t.Branch, Message: message, Author: tenon, Committer: tenon, Fork: t.Fork}
}

// ofEdits is the message of a commit of a reply's edits.
func (m messages) ofEdits(c conversation.Conversation, a record.Application) string {
	n := record.Count(a.Results)
	done := fmt.Sprintf("Applied %d, failed %d, skipped %d of %d edits.", n.Applied, n.Failed, n.Skipped, len(a.Results))
	return m.of(m.subject(c.Prose()), done)
}

// of is a message: the subject, who asked for the commit and where, what was done, and the trailers.
func (m messages) of(subject, done string, trailers ...string) string {
	where := ""
	if m.ev.Comment.URL != "" { // a pressed button has none
		where = " in " + m.ev.Comment.URL
	}
	login := m.ev.Sender.Login
	author := fmt.Sprintf("Co-authored-by: %s <%d+%s@users.noreply.github.com>", login, m.ev.Sender.ID, login)
	trailers = append([]string{author, m.trailer()}, trailers...)
	return fmt.Sprintf("%s\n\nRequested by %s%s\n%s\n\n%s\n", subject, login, where, done, strings.Join(trailers, "\n"))
}

// subject is the model's COMMIT line, if it is one that only says what was done.
func (m messages) subject(prose string) string {
	for line := range strings.Lines(prose) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "COMMIT:")
		if !ok {
			continue
		}
		text = strings.TrimSpace(text)
		if len(text) <= maxSubject && text == markdown.Printable(text, false) && subjectShape.MatchString(text) &&
			!subjectTraps.MatchString(text) {
			return text
		}
	}
	return fmt.Sprintf("chore: apply edits from #%d", m.ev.Thread.Number)
}

// subjectOf returns the first line of a message.
func subjectOf(message string) string {
	subject, _, _ := strings.Cut(message, "\n")
	return subject
}

package bot

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/message"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
)

// messages writes the messages of a run's commits. They are the same for every attempt of the run on the same results.
type messages struct {
	own     port.User // as whom the bot commits
	ev      port.Event
	run     string
	started time.Time
}

// trailer is how a resumed run knows its own commit.
func (m messages) trailer() string { return "Tenon-Run: " + m.run }

// request is the same for every attempt of a run on the same results: nothing in it depends on the time of the push.
func (m messages) request(t record.Target, text string) repo.CommitRequest {
	address := message.Address(m.own.Login, m.own.ID, m.ev.Thread.URL)
	tenon := repo.Signature{Name: m.own.Login, Email: address, When: m.started}
	return repo.CommitRequest{Branch: t.Branch, Message: text, Author: tenon, Committer: tenon, Fork: t.Fork}
}

// ofEdits is the message of a commit of a reply's edits. why is the model's explanation, as Markdown; without one, what
// it says that the edits are for has to do.
func (m messages) ofEdits(c conversation.Conversation, why string, a record.Application) string {
	return m.of(m.subject(c.Prose()), cmp.Or(why, record.Purposes(a.Results)), "Applied "+applied(a.Results, "edit")+".")
}

// applied says how many parts of a change were made, of how many unless it is all of them.
func applied(results []record.Result, noun string) string {
	n, all := record.Count(results).Applied, len(results)
	if n == all {
		return english.Plural(all, noun, "")
	}
	return fmt.Sprintf("%d of %s", n, english.Plural(all, noun, ""))
}

// of is a message: the subject, why the change was made, who asked for the commit and where, what was done, and the
// trailers.
func (m messages) of(subject, why, done string, trailers ...string) string {
	where := ""
	if m.ev.Comment.URL != "" { // a pressed button has none
		where = " in " + m.ev.Comment.URL
	}
	login := m.ev.Sender.Login
	author := message.CoAuthor(login, m.ev.Sender.ID, m.ev.Thread.URL)
	trailers = append([]string{author, m.trailer()}, trailers...)
	return markdown.JoinSections([]string{
		subject, message.Body(why), "Requested by " + login + where + "\n" + done, strings.Join(trailers, "\n"),
	}) + "\n"
}

// subject is the model's COMMIT line, if it is one that only says what was done.
func (m messages) subject(prose string) string {
	return cmp.Or(proposedSubject(prose), fmt.Sprintf("chore: apply edits from #%d", m.ev.Thread.Number))
}

// proposedSubject returns the first COMMIT line of a model that only says what was done; empty if there is none.
func proposedSubject(prose string) string {
	for line := range strings.Lines(prose) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "COMMIT:")
		if !ok {
			continue
		}
		if text = strings.TrimSpace(text); message.IsSubject(text) {
			return text
		}
	}
	return ""
}

// subjectOf returns the first line of a message.
func subjectOf(message string) string {
	subject, _, _ := strings.Cut(message, "\n")
	return subject
}

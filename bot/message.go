package bot

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
)

// maxSubject is the length of a commit's first line at which tools begin to cut it.
const maxSubject = 72

var (
	subjectShape = regexp.MustCompile(`^[a-z]+(\([A-Za-z0-9_./-]+\))?!?: [^\s].*$`)
	// subjectTraps are what GitHub acts on in a commit message: mentions, references (with closing words), links, words that
	// keep its CI from running.
	subjectTraps = regexp.MustCompile(`(?i)@|#\d|\bGH-\d|://|\[(skip ci|ci skip|no ci|skip actions|actions skip)\]|\*\*\*NO_CI\*\*\*|skip-checks`)
)

func (s *session) trailer() string { return "Tenon-Run: " + s.Run.ID }

// commitRequest is the same for every attempt of a run on the same results: nothing in it depends on the hour of the push.
func (s *session) commitRequest(head record.Target, message string) repo.CommitRequest {
	tenon := repo.Signature{Name: s.Slug + "[bot]", Email: s.Slug + "[bot]@users.noreply.github.com", When: s.Run.Started}
	return repo.CommitRequest{Branch: head.Branch, Message: message, Author: tenon, Committer: tenon}
}

func (s *session) message(t conversation.Conversation, a record.Application) string {
	n := record.Count(a.Results)
	return s.messageOf(s.subjectLine(t.Prose()), fmt.Sprintf("Applied %d, failed %d, skipped %d of %d edits.", n.Applied, n.Failed, n.Skipped, len(a.Results)))
}

// messageOf is a commit's message: the subject, who asked for it and where, what was done, and the trailers.
func (s *session) messageOf(subject, done string, trailers ...string) string {
	where := ""
	if s.ev.Comment.URL != "" { // a pressed button has none
		where = " in " + s.ev.Comment.URL
	}
	author := fmt.Sprintf("Co-authored-by: %s <%d+%s@users.noreply.github.com>", s.ev.Sender.Login, s.ev.Sender.ID, s.ev.Sender.Login)
	trailers = append([]string{author, s.trailer()}, trailers...)
	return fmt.Sprintf("%s\n\nRequested by %s%s\n%s\n\n%s\n", subject, s.ev.Sender.Login, where, done, strings.Join(trailers, "\n"))
}

// subjectOf is the first line of a message.
func subjectOf(message string) string {
	subject, _, _ := strings.Cut(message, "\n")
	return subject
}

// subjectLine is the model's COMMIT line, if it is one that does nothing but say what was done.
func (s *session) subjectLine(prose string) string {
	for line := range strings.Lines(prose) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "COMMIT:")
		if !ok {
			continue
		}
		text = strings.TrimSpace(text)
		if len(text) <= maxSubject && text == markdown.Printable(text, false) && subjectShape.MatchString(text) && !subjectTraps.MatchString(text) {
			return text
		}
	}
	return fmt.Sprintf("chore: apply edits from #%d", s.ev.Thread.Number)
}

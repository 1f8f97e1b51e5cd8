package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// clockSkew is how far GitHub's clock may be behind ours when comments since a moment are asked for.
const clockSkew = 10 * time.Minute

// thread is the review comment whose thread is answered in, nil in a conversation.
func (s *session) thread() *port.Comment {
	if s.ev.Comment.Kind != port.ReviewComment {
		return nil
	}
	first := s.ev.Comment
	if first.InReplyTo != 0 {
		first.ID = first.InReplyTo
	}
	return &first
}

// besides is where short answers stand, such as help and refusals: where the command was given.
func (s *session) replyPlace() port.Place {
	if to := s.thread(); to != nil {
		return port.Place{Number: s.ev.Thread.Number, Kind: port.ReviewComment, To: to}
	}
	return s.conversation()
}

func (s *session) conversation() port.Place {
	return port.Place{Number: s.ev.Thread.Number, Kind: port.IssueComment}
}

// place is where the answer of a run stands. Of a run on a pull request it is a review, unless the run was asked for in the
// thread of a line. A preview has boxes, which can be ticked in the conversation alone.
func (s *session) answerPlace() port.Place {
	switch at := s.replyPlace(); {
	case s.inv.Command.Verb == "preview":
		return s.conversation()
	case at.Kind == port.IssueComment && s.ev.Thread.Pull:
		return port.Place{Number: at.Number, Kind: port.Review}
	default:
		return at
	}
}

// say makes the one answer of the run, which is edited from then on; fresh is false when it stands already.
func (s *session) makeAnswer(ctx context.Context, at port.Place, body string) (said record.AnswerComment, fresh bool, err error) {
	said, err = record.Do(ctx, s.Journal, "answer", func() (record.AnswerComment, error) {
		if s.resumed() || s.ev.Notified {
			if c, stands, err := s.find(ctx); err != nil || stands {
				return c, err
			}
		}
		fresh = true
		return s.post(ctx, at, body)
	})
	return said, fresh, err
}

// answer puts the last word into the answer of the run, or makes it: once, also when the run is resumed.
func (s *session) answer(ctx context.Context, at port.Place, body string) (record.AnswerComment, error) {
	return record.Do(ctx, s.Journal, "report", func() (record.AnswerComment, error) {
		now := s.Now()
		said, err := s.finishAnswer(ctx, at, body)
		said.At = now
		return said, err
	})
}

func (s *session) finishAnswer(ctx context.Context, at port.Place, body string) (record.AnswerComment, error) {
	said, fresh, err := s.makeAnswer(ctx, at, body)
	if fresh || err != nil {
		return said, err
	}
	err = s.editAnswer(ctx, said, body)
	if errors.Is(err, port.ErrNotFound) { // somebody deleted it; what was done has to be told all the same
		return s.post(ctx, at, body)
	}
	if err != nil {
		return record.AnswerComment{}, fmt.Errorf("editing the answer: %w", err)
	}
	return said, nil
}

// rewrite puts another text into the answer, also where the issue was transferred with all its comments.
func (s *session) editAnswer(ctx context.Context, said record.AnswerComment, body string) error {
	err := s.GitHub.Edit(ctx, s.ev.Repo, s.ev.Thread.Number, said.Ref(), s.marked(body))
	if errors.Is(err, port.ErrNotFound) {
		if repo, number, moved := s.transferredTo(ctx); moved {
			return s.GitHub.Edit(ctx, repo, number, said.Ref(), s.marked(body))
		}
	}
	return err
}

// reply is a short answer.
func (s *session) reply(ctx context.Context, body string) error {
	_, err := s.answer(ctx, s.replyPlace(), body)
	return err
}

// marker is how a resumed run knows its own comment. It counts only in comments whose author is the app.
func (s *session) marker() string { return runMarker(s.Run.ID) }

func runMarker(run string) string { return fmt.Sprintf("<!-- tenon:run=%s -->", run) }

func (s *session) marked(body string) string { return markedBy(body, s.Run.ID) }

func markedBy(body, run string) string { return body + "\n\n" + runMarker(run) }

// post makes the comment; in the conversation when the place is gone, such as the thread of a comment that was deleted.
func (s *session) post(ctx context.Context, at port.Place, body string) (record.AnswerComment, error) {
	c, err := s.GitHub.Post(ctx, s.ev.Repo, at, s.marked(body))
	if errors.Is(err, port.ErrNotFound) && at.Kind == port.ReviewComment {
		c, err = s.GitHub.Post(ctx, s.ev.Repo, s.conversation(), s.marked(body))
	}
	if errors.Is(err, port.ErrNotFound) {
		c, err = s.postTransferred(ctx, s.marked(body), err)
	}
	if err != nil {
		return record.AnswerComment{}, fmt.Errorf("answering: %w", err)
	}
	return record.AnswerComment{Kind: c.Kind, Comment: c.ID, URL: c.URL}, nil
}

// find looks for the answer that an earlier attempt made, in all places where it may have.
func (s *session) find(ctx context.Context) (record.AnswerComment, bool, error) {
	looked := map[port.EventKind]bool{}
	for _, at := range []port.Place{s.answerPlace(), s.replyPlace(), s.conversation()} {
		if looked[at.Kind] {
			continue
		}
		looked[at.Kind] = true
		c, stands, err := s.GitHub.FindComment(ctx, s.ev.Repo, at, s.marker(), s.ev.Received.Add(-clockSkew))
		if err != nil && !errors.Is(err, port.ErrNotFound) {
			return record.AnswerComment{}, false, fmt.Errorf("looking for the answer: %w", err)
		}
		if stands {
			return record.AnswerComment{Kind: c.Kind, Comment: c.ID, URL: c.URL}, true, nil
		}
	}
	return record.AnswerComment{}, false, nil
}

// refuse answers that nothing was done, and why.
func (s *session) refuse(ctx context.Context, text string) error {
	return s.end(ctx, text, "failure")
}

// end closes a run that made nothing, with a sentence; and with its id where it got so far that there is more to find of it.
func (s *session) end(ctx context.Context, text, conclusion string) error {
	body := text
	if record.Has(s.Run, "context") {
		body += "\n\n" + report.RunNote(s.Run.ID)
	}
	if err := s.reply(ctx, body); err != nil {
		return err
	}
	s.endCheck(ctx, text, conclusion)
	s.react(ctx, port.ReactionConfused)
	s.tryUntick(ctx, s.ev)
	return nil
}

// surrender answers that the run will not be tried again. It is no report: a redelivery may still bring the run to its end.
func (s *session) deadLetter(ctx context.Context, text string) error {
	if _, done := s.Run.Steps["report"]; done {
		return nil
	}
	body := text + "\n\n" + report.RunNote(s.Run.ID)
	said, fresh, err := s.makeAnswer(ctx, s.replyPlace(), body)
	if err == nil && !fresh {
		err = s.editAnswer(ctx, said, body)
		if errors.Is(err, port.ErrNotFound) {
			_, err = s.post(ctx, s.replyPlace(), body)
		}
	}
	if err != nil {
		return fmt.Errorf("telling that the run was given up: %w", err)
	}
	s.endCheck(ctx, text, "failure")
	s.react(ctx, port.ReactionConfused)
	return nil
}

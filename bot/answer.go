package bot

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// clockSkew is how far GitHub's clock may be behind ours when comments since a moment are asked for.
const clockSkew = 10 * time.Minute

// posted is the record of an answer that stands.
type posted struct {
	// Kind is the comment's; empty in the records of older versions, whose answers were never edited.
	Kind    EventKind `json:"kind,omitempty"`
	Comment int64     `json:"comment"`
	URL     string    `json:"url,omitempty"`
	// At is when the last word was said; zero before that, and in older records.
	At time.Time `json:"at,omitzero"`
}

// after says that the last word was not there yet when an event came: whoever sent that cannot have read it.
func (p posted) after(ev Event) bool { return p.At.After(ev.Received) }

func (p posted) ref() Comment { return Comment{Kind: p.Kind, ID: p.Comment, URL: p.URL} }

// thread is the review comment whose thread is answered in, nil in a conversation.
func (s *session) thread() *Comment {
	if s.ev.Comment.Kind != ReviewComment {
		return nil
	}
	first := s.ev.Comment
	if first.InReplyTo != 0 {
		first.ID = first.InReplyTo
	}
	return &first
}

// besides is where short answers stand, such as help and refusals: where the command was given.
func (s *session) besides() Place {
	if to := s.thread(); to != nil {
		return Place{Number: s.ev.Thread.Number, Kind: ReviewComment, To: to}
	}
	return s.conversation()
}

func (s *session) conversation() Place {
	return Place{Number: s.ev.Thread.Number, Kind: IssueComment}
}

// place is where the answer of a run stands. Of a run on a pull request it is a review, unless the run was asked for in the
// thread of a line. A preview has boxes, which can be ticked in the conversation alone.
func (s *session) place() Place {
	switch at := s.besides(); {
	case s.inv.command.Verb == "preview":
		return s.conversation()
	case at.Kind == IssueComment && s.ev.Thread.Pull:
		return Place{Number: at.Number, Kind: Review}
	default:
		return at
	}
}

// say makes the one answer of the run, which is edited from then on; fresh is false when it stands already.
func (s *session) say(ctx context.Context, at Place, body string) (said posted, fresh bool, err error) {
	said, err = step(ctx, s.journal, "answer", func() (posted, error) {
		if s.resumed() || s.ev.Waited {
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
func (s *session) answer(ctx context.Context, at Place, body string) (posted, error) {
	return step(ctx, s.journal, "report", func() (posted, error) {
		now := s.Now()
		said, err := s.lastWord(ctx, at, body)
		said.At = now
		return said, err
	})
}

func (s *session) lastWord(ctx context.Context, at Place, body string) (posted, error) {
	said, fresh, err := s.say(ctx, at, body)
	if fresh || err != nil {
		return said, err
	}
	err = s.rewrite(ctx, said, body)
	if errors.Is(err, ErrNotFound) { // somebody deleted it; what was done has to be told all the same
		return s.post(ctx, at, body)
	}
	if err != nil {
		return posted{}, fmt.Errorf("editing the answer: %w", err)
	}
	return said, nil
}

// rewrite puts another text into the answer, also where the issue was transferred with all its comments.
func (s *session) rewrite(ctx context.Context, said posted, body string) error {
	err := s.GitHub.Edit(ctx, s.ev.Repo, s.ev.Thread.Number, said.ref(), s.marked(body))
	if errors.Is(err, ErrNotFound) {
		if repo, number, moved := s.movedTo(ctx); moved {
			return s.GitHub.Edit(ctx, repo, number, said.ref(), s.marked(body))
		}
	}
	return err
}

// reply is a short answer.
func (s *session) reply(ctx context.Context, body string) error {
	_, err := s.answer(ctx, s.besides(), body)
	return err
}

// marker is how a resumed run knows its own comment. It counts only in comments whose author is the app.
func (s *session) marker() string { return runMarker(s.run.ID) }

func runMarker(run string) string { return fmt.Sprintf("<!-- tenon:run=%s -->", run) }

func (s *session) marked(body string) string { return markedBy(body, s.run.ID) }

func markedBy(body, run string) string { return body + "\n\n" + runMarker(run) }

// post makes the comment; in the conversation when the place is gone, such as the thread of a comment that was deleted.
func (s *session) post(ctx context.Context, at Place, body string) (posted, error) {
	c, err := s.GitHub.Post(ctx, s.ev.Repo, at, s.marked(body))
	if errors.Is(err, ErrNotFound) && at.Kind == ReviewComment {
		c, err = s.GitHub.Post(ctx, s.ev.Repo, s.conversation(), s.marked(body))
	}
	if errors.Is(err, ErrNotFound) {
		c, err = s.postBeyond(ctx, s.marked(body), err)
	}
	if err != nil {
		return posted{}, fmt.Errorf("answering: %w", err)
	}
	return posted{Kind: c.Kind, Comment: c.ID, URL: c.URL}, nil
}

// find looks for the answer that an earlier attempt made, in all places where it may have.
func (s *session) find(ctx context.Context) (posted, bool, error) {
	looked := map[EventKind]bool{}
	for _, at := range []Place{s.place(), s.besides(), s.conversation()} {
		if looked[at.Kind] {
			continue
		}
		looked[at.Kind] = true
		c, stands, err := s.GitHub.FindAnswer(ctx, s.ev.Repo, at, s.marker(), s.ev.Received.Add(-clockSkew))
		if err != nil && !errors.Is(err, ErrNotFound) {
			return posted{}, false, fmt.Errorf("looking for the answer: %w", err)
		}
		if stands {
			return posted{Kind: c.Kind, Comment: c.ID, URL: c.URL}, true, nil
		}
	}
	return posted{}, false, nil
}

// refuse answers that nothing was done, and why.
func (s *session) refuse(ctx context.Context, text string) error {
	return s.end(ctx, text, "failure")
}

// end closes a run that made nothing, with a sentence; and with its id where it got so far that there is more to find of it.
func (s *session) end(ctx context.Context, text, conclusion string) error {
	body := text
	if has(s.run, "context") {
		body += "\n\n" + RunNote(s.run.ID)
	}
	if err := s.reply(ctx, body); err != nil {
		return err
	}
	s.endCheck(ctx, text, conclusion)
	s.react(ctx, ReactionConfused)
	s.tryUntick(ctx, s.ev)
	return nil
}

// surrender answers that the run will not be tried again. It is no report: a redelivery may still bring the run to its end.
func (s *session) surrender(ctx context.Context, text string) error {
	if _, done := s.run.Steps["report"]; done {
		return nil
	}
	body := text + "\n\n" + RunNote(s.run.ID)
	said, fresh, err := s.say(ctx, s.besides(), body)
	if err == nil && !fresh {
		err = s.rewrite(ctx, said, body)
		if errors.Is(err, ErrNotFound) {
			_, err = s.post(ctx, s.besides(), body)
		}
	}
	if err != nil {
		return fmt.Errorf("telling that the run was given up: %w", err)
	}
	s.endCheck(ctx, text, "failure")
	s.react(ctx, ReactionConfused)
	return nil
}

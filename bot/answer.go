package bot

import (
	"context"
	"fmt"
	"time"
)

// maxBody is how many characters GitHub takes in a comment (422 beyond: "body is too long (maximum is 65536 characters)").
const maxBody = 65536

// clockSkew is how far GitHub's clock may be behind ours when comments since a moment are asked for.
const clockSkew = 10 * time.Minute

// posted is the record of an answer that stands.
type posted struct {
	Comment int64  `json:"comment"`
	URL     string `json:"url,omitempty"`
}

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

// answer posts the one comment of the run, once: also when the run is resumed.
func (s *session) answer(ctx context.Context, body string) (posted, error) {
	return step(ctx, s, "report", func() (posted, error) { return s.post(ctx, s.marker("run"), body) })
}

// marker is how a resumed run knows its own comment. It counts only in comments whose author is the app.
func (s *session) marker(kind string) string {
	return fmt.Sprintf("<!-- tenon:%s=%s -->", kind, s.run.ID)
}

// post makes a comment with a marker, or finds the one that an earlier attempt made.
func (s *session) post(ctx context.Context, marker, body string) (posted, error) {
	if s.resumed() {
		if c, stands, err := s.find(ctx, marker); err != nil || stands {
			return c, err
		}
	}
	c, err := s.GitHub.Comment(ctx, s.ev.Repo, s.ev.Thread.Number, s.thread(), body+"\n\n"+marker)
	if err != nil {
		return posted{}, fmt.Errorf("answering: %w", err)
	}
	return posted{Comment: c.ID, URL: c.URL}, nil
}

func (s *session) find(ctx context.Context, marker string) (posted, bool, error) {
	c, stands, err := s.GitHub.FindComment(ctx, s.ev.Repo, s.ev.Thread.Number, s.thread(), marker, s.ev.Received.Add(-clockSkew))
	if err != nil {
		return posted{}, false, fmt.Errorf("looking for the answer: %w", err)
	}
	return posted{Comment: c.ID, URL: c.URL}, stands, nil
}

// refuse answers that nothing was done, and why.
func (s *session) refuse(ctx context.Context, text string) error {
	if _, err := s.answer(ctx, text+"\n\n"+s.runNote()); err != nil {
		return err
	}
	s.react(ctx, ReactionConfused)
	return nil
}

// surrender answers that the run will not be tried again. It is no report: a redelivery may still bring the run to its end.
func (s *session) surrender(ctx context.Context, text string) error {
	if _, stands, err := s.find(ctx, s.marker("run")); err != nil || stands {
		return err
	}
	_, err := step(ctx, s, "gave-up", func() (posted, error) { return s.post(ctx, s.marker("gave-up"), text+"\n\n"+s.runNote()) })
	if err != nil {
		return err
	}
	s.react(ctx, ReactionConfused)
	return nil
}

// runNote is the line by which somebody who runs the app finds the run in its records.
func (s *session) runNote() string { return "<sub>run " + s.run.ID + "</sub>" }

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

// answer posts the one comment of the run. A resumed run first looks whether it stands already: its marker, in a comment of
// the app's own, says so.
func (s *session) answer(ctx context.Context, body string) (posted, error) {
	return step(ctx, s, "report", func() (posted, error) {
		marker := fmt.Sprintf("<!-- tenon:run=%s -->", s.run.ID)
		if s.resumed() {
			c, stands, err := s.GitHub.FindComment(ctx, s.ev.Repo, s.ev.Thread.Number, s.thread(), marker, s.ev.Received.Add(-clockSkew))
			if err != nil {
				return posted{}, fmt.Errorf("looking for the answer: %w", err)
			}
			if stands {
				return posted{Comment: c.ID, URL: c.URL}, nil
			}
		}
		c, err := s.GitHub.Comment(ctx, s.ev.Repo, s.ev.Thread.Number, s.thread(), body+"\n\n"+marker)
		if err != nil {
			return posted{}, fmt.Errorf("answering: %w", err)
		}
		return posted{Comment: c.ID, URL: c.URL}, nil
	})
}

// refuse answers that nothing was done, and why.
func (s *session) refuse(ctx context.Context, text string) error {
	if _, err := s.answer(ctx, text+"\n\n"+s.runNote()); err != nil {
		return err
	}
	s.react(ctx, ReactionConfused)
	return nil
}

// runNote is the line by which somebody who runs the app finds the run in its records.
func (s *session) runNote() string { return "<sub>run " + s.run.ID + "</sub>" }

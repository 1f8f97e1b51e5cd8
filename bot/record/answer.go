package record

import (
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// AnswerComment is a comment in which a run answers.
type AnswerComment struct {
	// Kind is the comment's; empty in records of older versions, which never edited their answers.
	Kind port.EventKind `json:"kind,omitempty"`
	// Comment is its id, 0 if none was made.
	Comment int64  `json:"comment"`
	URL     string `json:"url,omitempty"`
	// At is when the answer got its final form; zero before that, and in older records.
	At time.Time `json:"at,omitzero"`
}

// AnswerOf returns the record of a comment.
func AnswerOf(c port.Comment) AnswerComment {
	return AnswerComment{Kind: c.Kind, Comment: c.ID, URL: c.URL}
}

// After reports whether the answer got its final form after an event: its sender cannot have read it.
func (a AnswerComment) After(ev port.Event) bool { return a.At.After(ev.Received) }

// Ref returns the comment, as far as GitHub needs it to find it.
func (a AnswerComment) Ref() port.Comment {
	return port.Comment{Kind: a.Kind, ID: a.Comment, URL: a.URL}
}

package record

import (
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// posted is the record of an answer that stands.
type AnswerComment struct {
	// Kind is the comment's; empty in the records of older versions, whose answers were never edited.
	Kind    port.EventKind `json:"kind,omitempty"`
	Comment int64          `json:"comment"`
	URL     string         `json:"url,omitempty"`
	// At is when the last word was said; zero before that, and in older records.
	At time.Time `json:"at,omitzero"`
}

// after says that the last word was not there yet when an event came: whoever sent that cannot have read it.
func (p AnswerComment) After(ev port.Event) bool { return p.At.After(ev.Received) }

func (p AnswerComment) Ref() port.Comment {
	return port.Comment{Kind: p.Kind, ID: p.Comment, URL: p.URL}
}

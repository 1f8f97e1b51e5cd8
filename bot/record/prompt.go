package record

import (
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// reviewThread is a thread that the model was asked to settle.
type ReviewThread struct {
	// Number is how the reply names it, from 1.
	Number int `json:"number"`
	// Comment is its first comment.
	Comment int64  `json:"comment"`
	URL     string `json:"url,omitempty"`
	Path    string `json:"path"`
	// Line is 0 where the thread is outdated, or about the whole file.
	Line int `json:"line,omitempty"`
}

func (q Prompt) user() string { return q.Request.Messages[0].Text }

// why is the reason for which a file was left out; empty when it was not.
func (q Prompt) why(name string) string {
	i := slices.IndexFunc(q.LeftOut, func(l retrieve.LeftOut) bool { return l.Path == name })
	if i < 0 {
		return ""
	}
	return q.LeftOut[i].Why
}

// question is what the model is asked, and what it was shown for it.
type Prompt struct {
	Request port.Request `json:"request"`
	// Format is the edit format that the model was asked for.
	Format string `json:"format,omitempty"`
	// Kind is what the model is asked for; empty means edits.
	Kind TurnKind `json:"kind,omitempty"`
	// Base is the commit whose files were shown.
	Base string `json:"base"`
	retrieve.Selection
	// Reviews are the threads that the model was asked to settle, MoreReviews how many there are beside those.
	Reviews     []ReviewThread `json:"reviews,omitempty"`
	MoreReviews int            `json:"more_reviews,omitempty"`
}

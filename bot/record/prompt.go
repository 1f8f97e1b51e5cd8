package record

import (
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// Prompt is what the model is asked first, and what it was shown for it.
type Prompt struct {
	Request port.Request `json:"request"`
	// Format is the edit format that the model was asked for.
	Format string `json:"format,omitempty"`
	// Kind is what the model is asked for; empty means edits.
	Kind TurnKind `json:"kind,omitempty"`
	// Key is in the delimiters around what the model is shown; empty if it is the run's id, as it once was.
	Key string `json:"key,omitempty"`
	// Base is the commit whose files were shown.
	Base string `json:"base"`
	retrieve.Selection
	// Reviews are the review threads that the model was asked to address. MoreReviews counts those beside them.
	Reviews     []ReviewThread `json:"reviews,omitempty"`
	MoreReviews int            `json:"more_reviews,omitempty"`
	// CI is what CI reports of the branch; nil if it reports no failure.
	CI *CI `json:"ci,omitempty"`
}

// ReviewThread is a review thread that the model was asked to address.
type ReviewThread struct {
	// Number is how the reply names it, from 1.
	Number int `json:"number"`
	// Comment is its first comment.
	Comment int64  `json:"comment"`
	URL     string `json:"url,omitempty"`
	Path    string `json:"path"`
	// Line is 0 for an outdated thread and for one about the whole file.
	Line int `json:"line,omitempty"`
}

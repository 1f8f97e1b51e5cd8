package port

import (
	"context"
	"strings"
	"time"
)

// ModelInfo describes a model.
type ModelInfo struct {
	// Name is what people write after --model.
	Name string
	// Format is the edit format to ask for; empty means the default for models of this name.
	Format string
	// AutoFormat means that another is asked for if more of the model's edits were applied in that.
	AutoFormat bool
	// ContextTokens is how many tokens the model reads and writes in one call; 0 means that it is not known.
	ContextTokens int
	// MaxTokens bounds the reply of one call, in tokens; 0 means that only the provider does.
	MaxTokens int
	// CodeTokens bounds the code in a prompt, in tokens; 0 means no bound of the model's own.
	CodeTokens int
	// Repositories are those in which it may be used: "owner/name" or "owner/*", in lower case; empty means all.
	Repositories []string
	// Price is zero if it is not known.
	Price Price
}

// Price is the price of a million tokens, in US dollars: of new input, of input from the provider's cache, and of
// output.
type Price struct{ Input, Cached, Output float64 }

// Of returns the cost of tokens, in US dollars.
func (p Price) Of(u Usage) float64 {
	return (float64(u.In-u.Cached)*p.Input + float64(u.Cached)*p.Cached + float64(u.Out)*p.Output) / 1e6
}

// Allows reports whether the model may be used in a repository.
func (m ModelInfo) Allows(repo RepoRef) bool {
	full := strings.ToLower(repo.String())
	owner, _, _ := strings.Cut(full, "/")
	for _, r := range m.Repositories {
		if r == full || r == owner+"/*" {
			return true
		}
	}
	return len(m.Repositories) == 0
}

// maxReply is how many tokens a request leaves for the reply of a model at most, unless the model has a bound of its
// own.
const maxReply = 4_000

// ReplyTokens returns how many tokens of the model's context each request leaves for the reply: what the reply may have
// by the model's settings, at most half of the context; without such a setting an eighth of it, at most 4,000. It is 0
// for a context that is not known.
func (m ModelInfo) ReplyTokens() int {
	if m.MaxTokens > 0 {
		return min(m.MaxTokens, m.ContextTokens/2)
	}
	return min(m.ContextTokens/8, maxReply)
}

// Takes reports whether a request leaves room for the reply in the model's context, by the estimate of Request.Tokens.
// A context that is not known takes every request.
func (m ModelInfo) Takes(r Request) bool {
	return m.ContextTokens == 0 || r.Tokens()+int64(m.ReplyTokens()) <= int64(m.ContextTokens)
}

// Model is a language model. Safe for concurrent use.
type Model interface {
	// Complete returns an answer. It calls onText, unless nil, with each piece of the text as it arrives, in order and
	// from one goroutine. If a person can do something about an error, it is a *UserError.
	Complete(ctx context.Context, req Request, onText func(string)) (Answer, error)
}

// Request is a conversation with a model, up to the next answer.
type Request struct {
	// Model is the name of the model in the server's settings; empty means the default one.
	Model string `json:"model,omitempty"`
	// Only are the models that may answer, also in place of one that fails; nil means all.
	Only     []string  `json:"only,omitempty"`
	System   string    `json:"system"`
	Messages []Message `json:"messages"`
}

// Message is a message of a conversation.
type Message struct {
	// Role is "user" or "assistant".
	Role string `json:"role"`
	Text string `json:"text"`
}

// Answer is the answer of a model.
type Answer struct {
	Text string `json:"text"`
	// Model is the name of the model in the provider's response.
	Model string `json:"model"`
	// Name is the name, in the server's settings, of the model that answered. It need not be the one that was asked.
	Name string `json:"name,omitempty"`
	// Cut means that the answer ends before the model was done: at the limit of its length, or, if Broken is set, for
	// another reason. RetryAt is the earliest time at which to ask for the rest of an answer that an outage broke off;
	// zero if the response ended as it should, and only lacks the model's end.
	Cut     bool      `json:"cut,omitempty"`
	Broken  bool      `json:"broken,omitempty"`
	RetryAt time.Time `json:"retry_at,omitzero"`
	Usage   Usage     `json:"usage"`
}

// Outage reports whether the answer broke off because the connection broke or the provider failed.
func (a Answer) Outage() bool { return a.Broken && !a.RetryAt.IsZero() }

// Usage counts tokens as the provider reports them; zero if it does not.
type Usage struct {
	In     int `json:"in"`
	Cached int `json:"cached,omitempty"`
	Out    int `json:"out"`
}

// BytesPerToken is the estimated length of a token.
const BytesPerToken = 3

// Tokens estimates how many tokens the request has.
func (r Request) Tokens() int64 {
	n := len(r.System)
	for _, m := range r.Messages {
		n += len(m.Text)
	}
	return int64(n) / BytesPerToken
}

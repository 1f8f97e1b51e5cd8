package port

import (
	"context"
	"strings"
)

// ModelInfo is what the bot has to know of a model beside asking it.
type ModelInfo struct {
	// Name is what people write behind --model.
	Name string
	// Format is the edit format that it is asked for; empty means the default for models of its name.
	Format string
	// ContextTokens bounds what it is shown; 0 means the default.
	ContextTokens int
	// Repositories are where it may be used: "owner/name" or "owner/*", in lower case; empty means everywhere.
	Repositories []string
	// Price is zero where it is not known.
	Price Price
}

// Price is the price of a million tokens, in US dollars: of new input, of input from the provider's cache, and of
// output.
type Price struct{ Input, Cached, Output float64 }

// of is what tokens cost, in US dollars.
func (p Price) Of(u Usage) float64 {
	return (float64(u.In-u.Cached)*p.Input + float64(u.Cached)*p.Cached + float64(u.Out)*p.Output) / 1e6
}

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

// Model is a language model. Safe for concurrent use.
type Model interface {
	// Complete streams an answer; onText (which may be nil) gets each piece as it arrives, in order, from one goroutine.
	// An error that says what a person can do is a *UserError.
	Complete(ctx context.Context, req Request, onText func(string)) (Answer, error)
}

// Request is one question to a model.
type Request struct {
	// Model is the name of the model to ask, as the server's settings call it; empty means the default one.
	Model string `json:"model,omitempty"`
	// Only are the models that may answer, in the place of one that fails too; nil means all.
	Only     []string  `json:"only,omitempty"`
	System   string    `json:"system"`
	Messages []Message `json:"messages"`
}

// Message is one turn of a conversation.
type Message struct {
	// Role is "user" or "assistant".
	Role string `json:"role"`
	Text string `json:"text"`
}

// Answer is what a model said.
type Answer struct {
	Text string `json:"text"`
	// Model is the name the provider gave.
	Model string `json:"model"`
	// Name is what the server's settings call the model that answered, which may be another than the one that was asked.
	Name string `json:"name,omitempty"`
	// Cut says that the answer ended before the model was done.
	Cut   bool  `json:"cut,omitempty"`
	Usage Usage `json:"usage"`
}

// Usage counts tokens, as the provider reported them; zero when it did not.
type Usage struct {
	In     int `json:"in"`
	Cached int `json:"cached,omitempty"`
	Out    int `json:"out"`
}

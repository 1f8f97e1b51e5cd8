package llm

import (
	"context"

	"github.com/tenon-bot/tenon/bot/port"
)

// Probe asks a model for a single token, once, to see whether it can be reached with these options and knows them. What
// it answers, or that one token is not enough for an answer, does not matter. The error is that of Client.Complete.
func Probe(ctx context.Context, opts Options) error {
	opts.MaxTokens = 1
	c, err := New(opts)
	if err != nil {
		return err
	}
	request := port.Request{Messages: []port.Message{{Role: "user", Text: "Answer with the word yes."}}}
	_, got, failed := c.attempt(ctx, request, nil)
	if failed == nil {
		return nil
	}
	switch failed.kind {
	case outOfTokens, noText, filtered, declined:
		return nil
	}
	return failed.final(c.name, 1, got.usage)
}

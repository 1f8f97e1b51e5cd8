package llm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"unicode"

	"github.com/tenon-bot/tenon/bot/port"
)

// reply collects an answer from the parts that a provider sends.
type reply struct {
	model  string
	onText func(string)
	ended  func() // called at the end of the text, after which only usage figures may follow

	text    strings.Builder
	finish  string
	arrived bool // the provider has sent all that it wanted to
	refused bool
	got     received
}

// take adds one event of a stream; done reports whether it is the last.
func (r *reply) take(ev event) (done bool, err error) {
	if bytes.HasPrefix(ev.data, []byte("[DONE]")) {
		r.arrived = true
		return true, nil
	}
	if failed, ok := faultIn(ev.data, ev.kind == "error"); ok {
		return false, failed
	}
	doc, err := decode(ev.data)
	if err != nil {
		return false, &fault{kind: cutOff}
	}
	size := 0
	for _, choice := range doc.Choices {
		size += choice.Delta.size()
	}
	r.got.add(doc, size)
	r.named(doc.Model)
	for _, choice := range doc.Choices {
		if choice.Index != 0 {
			continue
		}
		r.refused = r.refused || choice.Delta.refuses()
		if err := r.add(choice.Delta.text()); err != nil {
			return false, err
		}
		r.finished(choice.FinishReason)
	}
	return false, nil
}

// whole reads an answer that is one JSON document.
func (r *reply) whole(in io.Reader) error {
	data, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	if len(data) > maxWhole {
		return errTooLarge
	}
	if failed, ok := faultIn(data, false); ok {
		return failed
	}
	doc, err := decode(data)
	if err != nil {
		return &fault{kind: cutOff}
	}
	r.named(doc.Model)
	if len(doc.Choices) == 0 {
		return &fault{kind: notAModel}
	}
	choice := doc.Choices[0]
	r.arrived = true
	r.got.add(doc, choice.Message.size())
	r.refused = choice.Message.refuses()
	err = r.add(choice.Message.text())
	r.finished(choice.FinishReason)
	return err
}

// add adds text, and passes it to onText.
func (r *reply) add(text string) error {
	if text == "" {
		return nil
	}
	if r.text.Len()+len(text) > maxReply {
		return errTooLarge
	}
	r.finish = "" // more text follows the end
	r.text.WriteString(text)
	if r.onText != nil {
		r.onText(text)
	}
	return nil
}

func (r *reply) finished(reason string) {
	if reason == "" {
		return
	}
	r.finish = reason
	r.ended()
}

// named keeps the provider's name of the model, without characters that cannot be shown.
func (r *reply) named(name string) {
	name = strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) {
			return c
		}
		return -1
	}, name)
	if name != "" && len(name) <= 200 {
		r.model = name
	}
}

// verdict returns the fault of a reply whose reading ended with err, or nil. A reply with text is an answer, even when
// it was cut off, unless the provider withdrew it.
func (r *reply) verdict(ctx context.Context, err error) *fault {
	reason, bad := finishes[r.finish]
	switch {
	case errors.Is(err, errTooLarge):
		return &fault{kind: tooLarge}
	case reason == filtered:
		return &fault{kind: filtered}
	case strings.TrimSpace(r.text.String()) != "":
		return nil
	case r.refused:
		return &fault{kind: declined}
	case bad:
		return &fault{kind: reason}
	case r.finish != "":
		return &fault{kind: noText}
	case err != nil:
		return faultOf(ctx, err)
	}
	return &fault{kind: empty}
}

// broke returns why a reply that has text ended before the model was done and before its limit. err is how its reading
// ended.
func (r *reply) broke(ctx context.Context, err error) *fault {
	if reason, bad := finishes[r.finish]; bad {
		return &fault{kind: reason}
	}
	if err == nil {
		err = io.ErrUnexpectedEOF
	}
	return faultOf(ctx, err)
}

// answer returns the reply as the bot gets it. A stream whose last event came is cut off at a limit, if at all.
func (r *reply) answer() port.Answer {
	reason, bad := finishes[r.finish]
	return port.Answer{
		Text: r.text.String(), Model: r.model, Usage: r.got.usage,
		Cut: r.finish == "" || bad, Broken: r.finish == "" && !r.arrived || bad && reason != outOfTokens,
	}
}

// finishes are the finish reasons of incomplete answers, by their names at different providers.
var finishes = map[string]kind{
	"length":                       outOfTokens,
	"max_tokens":                   outOfTokens,
	"MAX_TOKENS":                   outOfTokens,
	"model_length":                 outOfTokens, // Mistral: the context is full
	"error":                        unavailable,
	"insufficient_system_resource": unavailable, // DeepSeek
	"content_filter":               filtered,
	"SAFETY":                       filtered,
	"safety":                       filtered,
	"refusal":                      filtered,
}

// Bounds on an answer, in bytes.
const (
	maxReply = 2 << 20  // the text of an answer
	maxWhole = 16 << 20 // an answer that is one JSON document
)

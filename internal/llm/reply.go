package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode"

	"github.com/openai/openai-go/v3"

	"github.com/tenon-bot/tenon/bot/port"
)

// reply collects an answer from the parts that a provider sends.
type reply struct {
	model  string
	onText func(string)
	ended  func() // called at the end of the text, after which only usage figures may follow

	text    strings.Builder
	finish  string
	refused bool
	usage   port.Usage
}

// take adds one event of a stream; done reports whether it is the last.
func (r *reply) take(ev event) (done bool, err error) {
	if bytes.HasPrefix(ev.data, []byte("[DONE]")) {
		return true, nil
	}
	if failed, ok := faultIn(ev.data, ev.kind == "error"); ok {
		return false, failed
	}
	var chunk openai.ChatCompletionChunk
	if err := json.Unmarshal(ev.data, &chunk); err != nil {
		return false, &fault{kind: cutOff}
	}
	r.named(chunk.Model)
	r.count(chunk.Usage)
	for _, choice := range chunk.Choices {
		if choice.Index != 0 {
			continue
		}
		r.refused = r.refused || choice.Delta.Refusal != ""
		if err := r.add(textOf(choice.Delta.Content, choice.Delta.JSON.Content.Raw())); err != nil {
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
	var doc openai.ChatCompletion
	if err := json.Unmarshal(data, &doc); err != nil {
		return &fault{kind: cutOff}
	}
	r.named(doc.Model)
	r.count(doc.Usage)
	if len(doc.Choices) == 0 {
		return &fault{kind: notAModel}
	}
	choice := doc.Choices[0]
	r.refused = choice.Message.Refusal != ""
	err = r.add(textOf(choice.Message.Content, choice.Message.JSON.Content.Raw()))
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

// count keeps the last figures that are not zero: some providers send running totals, others zeros in between.
func (r *reply) count(u openai.CompletionUsage) {
	if u.PromptTokens == 0 && u.CompletionTokens == 0 {
		return
	}
	r.usage = port.Usage{
		In: tokens(u.PromptTokens), Cached: tokens(u.PromptTokensDetails.CachedTokens), Out: tokens(u.CompletionTokens),
	}
}

// tokens limits a provider's figure to the range of a number of tokens.
func tokens(n int64) int { return int(min(max(n, 0), 1e9)) }

// textOf returns the text of a content field: a string, or a list of parts, which Mistral's reasoning models send.
func textOf(text, raw string) string {
	if !strings.HasPrefix(raw, "[") {
		return text
	}
	var parts []struct{ Type, Text string }
	_ = json.Unmarshal([]byte(raw), &parts) // valid JSON, as the document around it was decoded
	var b strings.Builder
	for _, part := range parts {
		if part.Type == "text" {
			b.WriteString(part.Text)
		}
	}
	return b.String()
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

// answer returns the reply as the bot gets it.
func (r *reply) answer() port.Answer {
	_, bad := finishes[r.finish]
	return port.Answer{Text: r.text.String(), Model: r.model, Usage: r.usage, Cut: r.finish == "" || bad}
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

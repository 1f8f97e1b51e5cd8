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

// reply gathers an answer from what a provider sends.
type reply struct {
	model  string
	onText func(string)
	ended  func() // called when the model has ended and only figures may follow

	text    strings.Builder
	finish  string
	refused bool
	usage   port.Usage
}

// take adds one event of a stream; done says that nothing follows.
func (r *reply) take(ev event) (done bool, err error) {
	if bytes.HasPrefix(ev.data, []byte("[DONE]")) {
		return true, nil
	}
	if failed, ok := failureIn(ev.data, ev.kind == "error"); ok {
		return false, failed
	}
	var chunk openai.ChatCompletionChunk
	if err := json.Unmarshal(ev.data, &chunk); err != nil {
		return false, &fault{kind: cutEarly}
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

// whole takes an answer that came as one JSON document.
func (r *reply) whole(in io.Reader) error {
	data, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	if len(data) > maxWhole {
		return errTooLarge
	}
	if failed, ok := failureIn(data, false); ok {
		return failed
	}
	var doc openai.ChatCompletion
	if err := json.Unmarshal(data, &doc); err != nil {
		return &fault{kind: cutEarly}
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

// add hands text on.
func (r *reply) add(text string) error {
	if text == "" {
		return nil
	}
	if r.text.Len()+len(text) > maxReply {
		return errTooLarge
	}
	r.finish = "" // a model that goes on has not ended
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

// named keeps the provider's name of the model, made fit to be shown.
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

// count keeps the last figures that say something; some providers send running totals, others zeros in between.
func (r *reply) count(u openai.CompletionUsage) {
	if u.PromptTokens == 0 && u.CompletionTokens == 0 {
		return
	}
	r.usage = port.Usage{In: tokens(u.PromptTokens), Cached: tokens(u.PromptTokensDetails.CachedTokens), Out: tokens(u.CompletionTokens)}
}

// tokens keeps a provider's figure within what a count of tokens can be.
func tokens(n int64) int { return int(min(max(n, 0), 1e9)) }

// textOf returns the text of a content field: a string, or, as Mistral's reasoning models send it, a list of parts.
func textOf(text, raw string) string {
	if !strings.HasPrefix(raw, "[") {
		return text
	}
	var parts []struct{ Type, Text string }
	_ = json.Unmarshal([]byte(raw), &parts) // the document that it stands in has been read already
	var b strings.Builder
	for _, part := range parts {
		if part.Type == "text" {
			b.WriteString(part.Text)
		}
	}
	return b.String()
}

// verdict says what is wrong with the reply, now that reading it has ended with err. Once there is text it is an answer,
// even when it was cut, unless the provider took it back.
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
		return &fault{kind: silent}
	case err != nil:
		return faultOf(ctx, err)
	}
	return &fault{kind: empty}
}

// answer is the reply as the bot gets it.
func (r *reply) answer() port.Answer {
	_, bad := finishes[r.finish]
	return port.Answer{Text: r.text.String(), Model: r.model, Usage: r.usage, Cut: r.finish == "" || bad}
}

// finishes are the reasons to finish that are not a good end, by their names at different providers.
var finishes = map[string]kind{
	"length":                       spent,
	"max_tokens":                   spent,
	"MAX_TOKENS":                   spent,
	"model_length":                 spent, // Mistral: the context is full
	"error":                        unavailable,
	"insufficient_system_resource": unavailable, // DeepSeek
	"content_filter":               filtered,
	"SAFETY":                       filtered,
	"safety":                       filtered,
	"refusal":                      filtered,
}

package llm

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// document is what is needed of an event of a stream, and of an answer that is one JSON document. The library's types
// take several times as long to decode, which counts when each event has one letter.
type document struct {
	Model   string
	Choices []choice
	Usage   struct {
		In      float64 `json:"prompt_tokens"`
		Out     float64 `json:"completion_tokens"`
		Details struct {
			Cached float64 `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	}
}

// choice has its text in Delta as a part of a stream, and in Message as a whole answer.
type choice struct {
	Index          int
	FinishReason   string `json:"finish_reason"`
	Delta, Message message
}

// message is text, or a list of parts, which Mistral's reasoning models send. Providers name the reasoning differently,
// and some send it under two names.
type message struct {
	Content          any
	Refusal          any
	ReasoningContent any `json:"reasoning_content"`
	Reasoning        any
	ReasoningDetails any `json:"reasoning_details"`
	Thinking         any
}

// decode returns the document in data. What has another type than it should is left out.
func decode(data []byte) (document, error) {
	var doc document
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(data, &doc); err != nil && !errors.As(err, &wrong) {
		return document{}, err
	}
	return doc, nil
}

// text returns what is meant for the reader.
func (m message) text() string {
	switch content := m.Content.(type) {
	case string:
		return content
	case []any:
		var text strings.Builder
		for _, part := range content {
			if part, ok := part.(map[string]any); ok && part["type"] == "text" {
				said, _ := part["text"].(string)
				text.WriteString(said)
			}
		}
		return text.String()
	}
	return ""
}

// refuses reports whether the model says that it does not answer.
func (m message) refuses() bool { return m.Refusal != nil && m.Refusal != "" }

// size returns how many bytes the model wrote: text, a refusal and reasoning.
func (m message) size() int {
	reasoning := max(sizeOf(m.ReasoningContent), sizeOf(m.Reasoning), sizeOf(m.ReasoningDetails), sizeOf(m.Thinking))
	return sizeOf(m.Content) + sizeOf(m.Refusal) + reasoning
}

// sizeOf returns the length of all text in a value, without the types of its parts.
func sizeOf(value any) int {
	size := 0
	switch value := value.(type) {
	case string:
		return len(value)
	case []any:
		for _, part := range value {
			size += sizeOf(part)
		}
	case map[string]any:
		for name, part := range value {
			if name != "type" {
				size += sizeOf(part)
			}
		}
	}
	return size
}

// received is the result of an answer.
type received struct {
	// bytes is how much the model wrote, reasoning included.
	bytes int
	// usage are the provider's last figures, zero if none came.
	usage port.Usage
	// outdated is true if the model wrote more behind these figures.
	outdated bool
}

// add counts what a part of an answer has.
func (r *received) add(doc document, size int) {
	if size > 0 {
		r.bytes, r.outdated = r.bytes+size, true
	}
	// Some providers send running totals, others zeros in between.
	if u := doc.Usage; u.In != 0 || u.Out != 0 {
		r.usage = port.Usage{In: tokens(u.In), Cached: tokens(u.Details.Cached), Out: tokens(u.Out)}
		r.outdated = false
	}
}

// tokens limits a provider's figure to the range of a number of tokens.
func tokens(n float64) int { return int(min(max(n, 0), 1e9)) }

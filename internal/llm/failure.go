package llm

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// failure is what the body of an error says, in whatever shape: {"error":{"code","type","message"}}, {"error":"text"},
// [{"error":{…}}], {"object":"error",…}, {"type":"error","error":{…}}, {"detail":[{"msg"}]}, "text". It never leaves the
// package: what it says is looked up in tables, not repeated.
type failure struct {
	status   int
	codes    []string
	messages []string
}

// codes are what providers call a fault, all in lower case. The first row that one of the codes of a failure names counts:
// a failure has several, and the rarer one says more.
var codes = []struct {
	kind  kind
	names []string
}{
	{outOfQuota, []string{"insufficient_quota", "insufficient_balance", "billing_hard_limit_reached", "billing_not_active", "billing_error"}},
	{contextLength, []string{"context_length_exceeded", "exceed_context_size_error", "string_above_max_length", "request_too_large"}},
	{filtered, []string{"content_filter", "content_policy_violation", "responsibleaipolicyviolation"}},
	{unauthorized, []string{"invalid_api_key", "api_key_invalid", "authentication_error"}},
	{forbidden, []string{"permission_error", "permission_denied"}},
	{notFound, []string{"model_not_found", "not_found_error", "deploymentnotfound"}},
	{rateLimited, []string{"rate_limit_exceeded", "rate_limit_error", "resource_exhausted"}},
	{unavailable, []string{"overloaded_error"}},
}

// phrases are what providers write where they have no code for it. All lower case; the first that is found counts.
var phrases = []struct {
	text string
	kind kind
}{
	{"maximum context length", contextLength},
	{"context length", contextLength},
	{"context window", contextLength},
	{"context size", contextLength},
	{"prompt is too long", contextLength},
	{"input is too long", contextLength},
	{"input token count", contextLength},
	{"too many tokens", contextLength},
	{"reduce the length", contextLength},
	{"content management policy", filtered},
	{"content filter", filtered},
	{"input was flagged", filtered},
	{"credit balance", outOfQuota},
	{"insufficient credit", outOfQuota},
	{"insufficient balance", outOfQuota},
}

// refusal is the fault behind a response that is not a 200. It closes the body.
func refusal(resp *http.Response) *fault {
	defer func() { _ = resp.Body.Close() }()
	// What can be read tells more than the status alone; that it cannot be read tells nothing.
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxError))
	var said failure
	var doc any
	if json.Unmarshal(body, &doc) == nil {
		said.walk(doc, "message", 0)
	}
	f := &fault{kind: said.kind(resp.StatusCode), status: resp.StatusCode}
	if at := retryAfter(resp.Header, time.Now()); faults[f.kind].again && at.After(time.Now()) {
		f.after = at
	}
	return f
}

// failureIn finds an error in what came with a 200: in the stream, or instead of it.
func failureIn(data []byte, surely bool) (*fault, bool) {
	// Most events are chunks of an answer, which need not be read twice.
	if !surely && bytes.HasPrefix(data, []byte("{")) && !bytes.Contains(data, []byte(`"error"`)) && bytes.Contains(data, []byte(`"choices"`)) {
		return nil, false
	}
	var doc any
	if json.Unmarshal(data, &doc) != nil {
		return &fault{kind: unavailable}, surely
	}
	if !surely && !isFailure(doc) {
		return nil, false
	}
	var said failure
	said.walk(doc, "message", 0)
	return &fault{kind: said.kind(said.status), status: said.status}, true
}

// isFailure reports whether a document is an error and not a part of an answer. Some providers send "error": null with
// every part, and some a comment of theirs in other fields.
func isFailure(doc any) bool {
	switch doc := doc.(type) {
	case []any:
		return len(doc) > 0
	case string:
		return true
	case map[string]any:
		switch inner := doc["error"].(type) {
		case string:
			return inner != ""
		case map[string]any:
			return len(inner) > 0
		case []any:
			return len(inner) > 0
		}
		_, answers := doc["choices"]
		_, details := doc["detail"]
		return doc["object"] == "error" || doc["type"] == "error" || details && !answers
	}
	return false
}

// walk collects codes and messages from a document. key is the one that the value stands under.
func (f *failure) walk(value any, key string, depth int) {
	if depth > 8 {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			f.walk(inner, strings.ToLower(name), depth+1)
		}
	case []any:
		for _, inner := range value[:min(len(value), 16)] {
			f.walk(inner, key, depth+1)
		}
	case float64:
		if (key == "code" || key == "status" || key == "status_code") && value >= 400 && value < 600 {
			f.status = int(value)
		}
	case string:
		switch key {
		case "code", "type", "status", "reason":
			f.codes = append(f.codes, strings.ToLower(value))
		case "message", "detail", "error", "msg", "error_description":
			f.messages = append(f.messages, strings.ToLower(value))
		}
	}
}

// kind decides what a failure is. Whether it is worth asking again, the status alone decides, where there is one.
func (f *failure) kind(status int) kind {
	plain := kindOfStatus(status, slices.Contains(f.codes, "invalid_request_error"))
	if told, ok := f.told(status); ok && (faults[plain].again || !faults[told].again) {
		return told
	}
	return plain
}

// told is what a failure says itself, by its codes, then by its words.
func (f *failure) told(status int) (kind, bool) {
	for _, row := range codes {
		if slices.ContainsFunc(row.names, func(name string) bool { return slices.Contains(f.codes, name) }) {
			return row.kind, true
		}
	}
	switch status {
	case http.StatusUnauthorized, http.StatusNotFound, http.StatusTooManyRequests:
		return 0, false // clear enough, and their words may speak of anything
	}
	for _, row := range phrases {
		if slices.ContainsFunc(f.messages, func(text string) bool { return strings.Contains(text, row.text) }) {
			return row.kind, true
		}
	}
	return 0, false
}

// kindOfStatus is the fault behind a bare HTTP status; 0 is an error inside a stream that does not give one.
func kindOfStatus(status int, invalid bool) kind {
	switch status {
	case http.StatusUnauthorized:
		return unauthorized
	case http.StatusPaymentRequired:
		return outOfQuota
	case http.StatusForbidden:
		return forbidden
	case http.StatusNotFound:
		return notFound
	case http.StatusRequestEntityTooLarge:
		return contextLength
	case http.StatusTooManyRequests:
		return rateLimited
	case http.StatusRequestTimeout, http.StatusConflict:
		return unavailable
	}
	switch {
	case status >= 500, status == 0 && !invalid:
		return unavailable
	case status >= 300 && status < 400:
		return redirected
	case status >= 200 && status < 300:
		return notAModel
	}
	return badRequest
}

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

// errorBody is the content of an error's body, in any of the shapes {"error":{"code","type","message"}},
// {"error":"text"}, [{"error":{…}}], {"object":"error",…}, {"type":"error","error":{…}}, {"detail":[{"msg"}]} and
// "text". It is looked up in tables and never repeated, so that it does not leave the package.
type errorBody struct {
	status   int
	codes    []string
	messages []string
}

// kindsByCode are the codes of faults at different providers, in lower case. A body has several codes: the first row
// with one of them counts, because the less common ones say more.
var kindsByCode = []struct {
	kind  kind
	names []string
}{
	{outOfQuota, []string{"insufficient_quota", "insufficient_balance",
		"billing_hard_limit_reached", "billing_not_active", "billing_error"}},
	{contextLength, []string{"context_length_exceeded", "exceed_context_size_error",
		"string_above_max_length", "request_too_large"}},
	{filtered, []string{"content_filter", "content_policy_violation", "responsibleaipolicyviolation"}},
	{unauthorized, []string{"invalid_api_key", "api_key_invalid", "authentication_error"}},
	{forbidden, []string{"permission_error", "permission_denied"}},
	{notFound, []string{"model_not_found", "not_found_error", "deploymentnotfound"}},
	{rateLimited, []string{"rate_limit_exceeded", "rate_limit_error", "resource_exhausted"}},
	{unavailable, []string{"overloaded_error"}},
}

// kindsByPhrase are the words of providers that have no code for a fault, in lower case. The first that is found
// counts.
var kindsByPhrase = []struct {
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
	{"context limit", contextLength},                // Anthropic: input length and `max_tokens` exceed context limit
	{"maximum prompt length", contextLength},        // xAI
	{"maximum model length", contextLength},         // vLLM: Prompt length of 9000 is longer than that
	{"must be at least 1, got -", contextLength},    // vLLM, of max_tokens: what the prompt leaves of the context
	{"`max_new_tokens` must be", contextLength},     // Text Generation Inference, of the sum with the tokens of `inputs`
	{"`inputs` must have less than", contextLength}, // Text Generation Inference
	{"reduce the length", contextLength},
	{"content management policy", filtered},
	{"content filter", filtered},
	{"input was flagged", filtered},
	{"credit balance", outOfQuota},
	{"insufficient credit", outOfQuota},
	{"insufficient balance", outOfQuota},
	{"max_tokens or model output limit was reached", outOfTokens}, // OpenAI, of a model that reasons first
}

// faultOfResponse returns the fault of a response that is not a 200. It closes the body.
func faultOfResponse(resp *http.Response) *fault {
	defer func() { _ = resp.Body.Close() }()
	// An error of reading the body is ignored: the status remains.
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxError))
	var said errorBody
	var doc any
	if json.Unmarshal(body, &doc) == nil {
		said.walk(doc, "message", 0)
	}
	f := &fault{kind: said.kind(resp.StatusCode), status: resp.StatusCode, refused: isRefusal(resp.StatusCode)}
	if at := retryAfter(resp.Header, time.Now()); faults[f.kind].retryable && at.After(time.Now()) {
		f.retryAt = at
	}
	return f
}

// faultIn returns the fault in a part of a 200 response: an event of the stream, or the document instead of it. isError
// says that the data must be an error.
func faultIn(data []byte, isError bool) (*fault, bool) {
	// Most events are chunks of an answer, which need not be decoded twice.
	isChunk := bytes.HasPrefix(data, []byte("{")) && bytes.Contains(data, []byte(`"choices"`)) &&
		!bytes.Contains(data, []byte(`"error"`))
	if !isError && isChunk {
		return nil, false
	}
	var doc any
	if json.Unmarshal(data, &doc) != nil {
		return &fault{kind: unavailable}, isError
	}
	if !isError && !isErrorBody(doc) {
		return nil, false
	}
	var said errorBody
	said.walk(doc, "message", 0)
	return &fault{kind: said.kind(said.status), status: said.status}, true
}

// isErrorBody reports whether a document is an error and not a part of an answer. Some providers send "error": null
// with every part, and some a remark in other fields.
func isErrorBody(doc any) bool {
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

// walk collects codes and messages from a document. key is the key of the value.
func (b *errorBody) walk(value any, key string, depth int) {
	if depth > 8 {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			b.walk(inner, strings.ToLower(name), depth+1)
		}
	case []any:
		for _, inner := range value[:min(len(value), 16)] {
			b.walk(inner, key, depth+1)
		}
	case float64:
		if (key == "code" || key == "status" || key == "status_code") && value >= 400 && value < 600 {
			b.status = int(value)
		}
	case string:
		switch key {
		case "code", "type", "status", "reason":
			b.codes = append(b.codes, strings.ToLower(value))
		case "message", "detail", "error", "msg", "error_description":
			b.messages = append(b.messages, strings.ToLower(value))
		}
	}
}

// kind returns the kind of fault. The body cannot make a fault retryable whose status is not.
func (b *errorBody) kind(status int) kind {
	byStatus := kindOfStatus(status, slices.Contains(b.codes, "invalid_request_error"))
	if byText, ok := b.kindOfText(status); ok && (faults[byStatus].retryable || !faults[byText].retryable) {
		return byText
	}
	return byStatus
}

// kindOfText returns the kind that the body's codes name, or else its messages.
func (b *errorBody) kindOfText(status int) (kind, bool) {
	for _, row := range kindsByCode {
		if slices.ContainsFunc(row.names, func(name string) bool { return slices.Contains(b.codes, name) }) {
			return row.kind, true
		}
	}
	switch status {
	case http.StatusUnauthorized, http.StatusNotFound, http.StatusTooManyRequests:
		return 0, false // the status is clear, and the messages may contain any word
	}
	for _, row := range kindsByPhrase {
		if slices.ContainsFunc(b.messages, func(text string) bool { return strings.Contains(text, row.text) }) {
			return row.kind, true
		}
	}
	return 0, false
}

// kindOfStatus returns the kind of a bare HTTP status. 0 is an error inside a stream, without a status.
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

// maxError is how many bytes of the body of an error are read.
const maxError = 64 << 10

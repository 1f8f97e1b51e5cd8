package llm_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/llm"
)

// What each provider asks of a request, by its documentation. A provider that is not here takes the protocol as it is.
var rules = map[string]struct {
	base       string // the documented address; empty where everybody has one of their own
	keyHeader  string
	tokenField string
	forbids    string
}{
	// Its reasoning models.
	"openai":     {base: "https://api.openai.com/v1/", tokenField: "max_completion_tokens", forbids: "max_tokens"},
	"azure":      {keyHeader: "Api-Key", tokenField: "max_completion_tokens", forbids: "max_tokens"},
	"anthropic":  {base: "https://api.anthropic.com/v1/"},
	"gemini":     {base: "https://generativelanguage.googleapis.com/v1beta/openai/"},
	"mistral":    {base: "https://api.mistral.ai/v1/", forbids: "stream_options"}, // 422, extra_forbidden
	"openrouter": {base: "https://openrouter.ai/api/v1/"},
	"ollama":     {base: "http://127.0.0.1:11434/v1/"},
	"llama.cpp":  {base: "http://127.0.0.1:8080/v1/"},
}

// The contract that every row of the table keeps.
func TestEveryProvider(t *testing.T) {
	t.Parallel()
	for _, name := range append(llm.Providers(), "") {
		rule := rules[name]
		rule.keyHeader = orElse(rule.keyHeader, "Authorization")
		rule.tokenField = orElse(rule.tokenField, "max_tokens")
		opts := llm.Options{Provider: name, MaxTokens: 77}

		bubble(t, name+" gets the request it takes", func(t *testing.T) {
			out := ask(t.Context(), t, opts, nil, func(_ int, w http.ResponseWriter, _ *http.Request) { well(w) })
			require.NoError(t, out.err)
			require.Equal(t, port.Usage{In: 12, Cached: 8, Out: 3}, out.answer.Usage)
			r := out.requests[0]
			require.Equal(t, "/v1/chat/completions", r.URL.Path)
			require.Equal(t, key, strings.TrimPrefix(r.Header.Get(rule.keyHeader), "Bearer "))
			r.Header.Del(rule.keyHeader)
			require.NotContains(t, r.Header.Values("Authorization"), key)
			require.Equal(t, 77.0, r.body[rule.tokenField])
			require.Equal(t, true, r.body["stream"])
			require.NotContains(t, r.body, "temperature")
			if rule.forbids != "" {
				require.NotContains(t, r.body, rule.forbids)
			}
			if rule.forbids != "stream_options" {
				require.Contains(t, r.body, "stream_options")
			}
		})
		bubble(t, name+" is asked again when it fails", func(t *testing.T) {
			out := ask(t.Context(), t, opts, nil, func(n int, w http.ResponseWriter, _ *http.Request) {
				if n == 1 {
					refuse(w, 503, spilled)
					return
				}
				well(w)
			})
			require.NoError(t, out.err)
			require.Len(t, out.requests, 2)
			require.Equal(t, out.requests[0].body, out.requests[1].body)
		})
		bubble(t, name+" may refuse the key", func(t *testing.T) {
			out := ask(t.Context(), t, opts, nil, status(401, spilled))
			require.Contains(t, out.userText(t), "did not accept the key")
		})
		t.Run(name+" has its address", func(t *testing.T) {
			t.Parallel()
			var asked string
			opts := llm.Options{Provider: name, Model: "m",
				HTTP: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
					asked = r.URL.String()
					return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(chunk("x") + finish("stop"))),
						Header: http.Header{}, Request: r}, nil
				})}}
			client, err := llm.New(opts)
			if name == "" {
				rule.base = rules["openai"].base
			}
			if rule.base == "" {
				require.ErrorContains(t, err, "needs a base URL")
				return
			}
			require.NoError(t, err)
			_, err = client.Complete(t.Context(), question, nil)
			require.NoError(t, err)
			require.Equal(t, rule.base+"chat/completions", asked)
		})
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestWhatTheSettingsSayGoesBeforeTheProvidersRow(t *testing.T) {
	t.Parallel()
	bubble(t, "overrides", func(t *testing.T) {
		out := ask(t.Context(), t, llm.Options{Provider: "openai", MaxTokens: 5, TokenField: "num_predict",
			Headers: map[string]string{"Authorization": "Basic x"}}, nil,
			func(_ int, w http.ResponseWriter, _ *http.Request) { well(w) })
		require.NoError(t, out.err)
		require.Equal(t, 5.0, out.requests[0].body["num_predict"])
		require.NotContains(t, out.requests[0].body, "max_completion_tokens")
		require.Equal(t, []string{"Basic x"}, out.requests[0].Header.Values("Authorization"))
	})
}

func TestAConversationKeepsItsTurns(t *testing.T) {
	t.Parallel()
	var body string
	client, err := llm.New(llm.Options{Model: "m", BaseURL: "http://" + host,
		HTTP: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			data, _ := io.ReadAll(r.Body)
			body = string(data)
			require.Empty(t, r.Header.Values("Authorization"), "no key, no header")
			require.Equal(t, "/chat/completions", r.URL.Path)
			return nil, errors.New("dial tcp " + host + ": refused")
		})}})
	require.NoError(t, err)
	ctx := deadlineNow(t)
	_, err = client.Complete(ctx, port.Request{Messages: []port.Message{{Role: "user", Text: "<a> & b"},
		{Role: "assistant", Text: "b"}, {Role: "user", Text: "c"}}}, nil)
	require.EqualError(t, err, "asking the model m: unreachable: connection broken, attempt 1")
	require.Contains(t, body,
		`"messages":[{"content":"<a> & b","role":"user"},{"content":"b","role":"assistant"},{"content":"c","role":"user"}]`)
}

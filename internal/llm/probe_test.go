package llm_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/llm"
)

// A single token shows that a model is there, whether or not that is enough for an answer.
func TestAProbeAsksForOneToken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		body   string
		says   string
	}{
		"an answer":                  {200, `{"choices":[{"message":{"content":"yes"},"finish_reason":"length"}]}`, ""},
		"a model that reasons first": {200, `{"choices":[{"message":{"content":""},"finish_reason":"length"}]}`, ""},
		"one that refuses so few tokens": {400, `{"error":{"type":"invalid_request_error","message":"Could not finish the ` +
			`message because max_tokens or model output limit was reached."}}`, ""},
		"no such model": {404, `{"error":{"code":"model_not_found"}}`, "does not know the model"},
		"a wrong key":   {401, `{}`, "did not accept the key"},
		"a site":        {200, `<html>`, "did not answer like a model"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked []map[string]any
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var in map[string]any
				_ = json.NewDecoder(r.Body).Decode(&in)
				asked = append(asked, in)
				w.WriteHeader(c.status)
				_, _ = fmt.Fprint(w, c.body)
			}))
			t.Cleanup(server.Close)
			err := llm.Probe(t.Context(), llm.Options{Model: "gpt", BaseURL: server.URL + "/v1", APIKey: key, MaxTokens: 9000,
				TokenField: "max_tokens"})
			require.Len(t, asked, 1, "it is not repeated")
			require.EqualValues(t, 1, asked[0]["max_tokens"])
			if c.says == "" {
				require.NoError(t, err)
				return
			}
			var user *port.UserError
			require.True(t, errors.As(err, &user))
			require.Contains(t, user.Text, c.says)
		})
	}
}

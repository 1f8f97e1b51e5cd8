package llm_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/llm"
)

// deadlineNow leaves time for one attempt, however long that takes, and none for a wait.
func deadlineNow(t *testing.T) context.Context { return alwaysLate{t.Context()} }

// alwaysLate is a context that says that it has ended, and has not.
type alwaysLate struct{ context.Context }

// Deadline returns a time that has passed.
func (alwaysLate) Deadline() (time.Time, bool) { return time.Unix(1, 0), true }

// The library's own client would take keys and addresses from here. Not parallel: the environment is everybody's.
func TestTheEnvironmentSaysNothingToTheClient(t *testing.T) {
	t.Setenv("OPENAI_BASE_URL", "http://elsewhere.example")
	t.Setenv("OPENAI_API_KEY", "sk-other")
	t.Setenv("OPENAI_ORG_ID", "org")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Other: 1")
	var got *http.Request
	client, err := llm.New(llm.Options{Model: "m", BaseURL: "http://" + host,
		HTTP: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			got = r
			return nil, context.DeadlineExceeded
		})}})
	require.NoError(t, err)
	_, err = client.Complete(deadlineNow(t), question, nil)
	require.Error(t, err)
	require.Equal(t, host, got.URL.Host)
	require.Empty(t, got.Header.Values("Authorization"))
	require.Empty(t, got.Header.Values("OpenAI-Organization"))
	require.Empty(t, got.Header.Values("X-Other"))
}

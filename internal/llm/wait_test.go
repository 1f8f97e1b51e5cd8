package llm_test

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/llm"
)

// What passes by itself is waited for; what somebody has to put right is told at once, and so is what may have cost as
// much as an answer.
func TestWhatIsWaitedForAndWhatIsTold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play handler
		want port.WaitReason // empty if it is told
	}{
		"429":              {func(_ int, w http.ResponseWriter, _ *http.Request) { refuse(w, 429, "") }, port.ModelLimit},
		"no quota is left": {func(_ int, w http.ResponseWriter, _ *http.Request) { refuse(w, 402, "") }, port.ModelLimit},
		"a quota in a 429": {func(_ int, w http.ResponseWriter, _ *http.Request) {
			refuse(w, 429, `{"error":{"code":"insufficient_quota"}}`)
		}, port.ModelLimit},
		"503":                 {func(_ int, w http.ResponseWriter, _ *http.Request) { refuse(w, 503, "") }, port.ModelOutage},
		"a broken connection": {func(_ int, w http.ResponseWriter, _ *http.Request) { reset(w) }, port.ModelOutage},
		"a wrong key":         {func(_ int, w http.ResponseWriter, _ *http.Request) { refuse(w, 401, "") }, ""},
		"a model not allowed": {func(_ int, w http.ResponseWriter, _ *http.Request) { refuse(w, 403, "") }, ""},
		"an unknown model":    {func(_ int, w http.ResponseWriter, _ *http.Request) { refuse(w, 404, "") }, ""},
		"a bad request":       {func(_ int, w http.ResponseWriter, _ *http.Request) { refuse(w, 400, "") }, ""},
		"a redirect":          {func(_ int, w http.ResponseWriter, _ *http.Request) { refuse(w, 302, "") }, ""},
		"a long prompt":       {func(_ int, w http.ResponseWriter, _ *http.Request) { refuse(w, 413, "") }, ""},
		"a stall":             {func(_ int, _ http.ResponseWriter, r *http.Request) { hang(r) }, ""},
		"an empty answer":     {func(_ int, w http.ResponseWriter, _ *http.Request) { say(w, done) }, ""},
	} {
		bubble(t, name, func(t *testing.T) {
			out := ask(t.Context(), t, llm.Options{}, nil, c.play)
			var wait *port.WaitError
			if c.want == "" {
				require.NotErrorAs(t, out.err, &wait)
				require.NotEmpty(t, out.userText(t))
				return
			}
			require.ErrorAs(t, out.err, &wait)
			require.Equal(t, c.want, wait.For)
			require.Zero(t, wait.After)
			require.NotEmpty(t, out.userText(t))
		})
	}
}

func TestAWaitIsAsLongAsTheProviderAsks(t *testing.T) {
	t.Parallel()
	bubble(t, "Retry-After", func(t *testing.T) {
		out := ask(t.Context(), t, llm.Options{}, nil, func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7200")
			refuse(w, 429, "")
		})
		var wait *port.WaitError
		require.ErrorAs(t, out.err, &wait)
		require.Equal(t, port.ModelLimit, wait.For)
		require.InDelta(t, 2*time.Hour, wait.After, float64(time.Second))
		require.Len(t, out.requests, 1, "it is not asked again before")
	})
}

func TestAnUntrustedCertificateIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err   error
		waits bool
	}{
		"an untrusted certificate": {x509.UnknownAuthorityError{}, false},
		"no such host":             {&net.DNSError{Err: "no such host", Name: host, IsNotFound: true}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dial := func(context.Context, string, string) (net.Conn, error) { return nil, c.err }
			client, err := llm.New(llm.Options{Model: "gpt", BaseURL: "http://" + host + "/v1/",
				HTTP: &http.Client{Transport: &http.Transport{DialContext: dial}}})
			require.NoError(t, err)
			_, err = client.Complete(deadlineNow(t), question, nil)
			var wait *port.WaitError
			require.Equal(t, c.waits, errors.As(err, &wait), "%v", err)
		})
	}
}

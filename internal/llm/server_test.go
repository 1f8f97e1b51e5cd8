package llm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/llm"
)

// What no error and no log line may contain.
const (
	key     = "sk-KEYKEYKEY"
	host    = "provider.example"
	spilled = "RAWRAWRAW"
)

// pipes is a network of one server, in memory, so that a test can run on the fake clock of testing/synctest.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.conns <- server:
		return client, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// seen is a request as the server saw it.
type seen struct {
	*http.Request
	body map[string]any
}

// handler plays the provider; n counts the requests from 1.
type handler func(n int, w http.ResponseWriter, r *http.Request)

// outcome is the result of one Complete.
type outcome struct {
	answer   port.Answer
	err      error
	streamed []string
	took     time.Duration
	requests []seen
	log      string
}

// userText is what the person reads.
func (o outcome) userText(t *testing.T) string {
	t.Helper()
	var user *port.UserError
	require.ErrorAs(t, o.err, &user)
	return user.Text
}

var question = port.Request{System: "be brief", Messages: []port.Message{{Role: "user", Text: "why?"}}}

// ask sends question to a client of h, inside a bubble. Whatever happens, nothing of the provider's may be in its
// words.
func ask(ctx context.Context, t *testing.T, opts llm.Options, onText func(string), h handler) (out outcome) {
	t.Helper()
	network := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s := seen{Request: r}
			_ = json.NewDecoder(r.Body).Decode(&s.body)
			out.requests = append(out.requests, s)
			h(len(out.requests), w, r)
		}),
		ErrorLog: log.New(io.Discard, "", 0),
	}
	go func() { _ = server.Serve(network) }()
	transport := &http.Transport{DialContext: network.dial}
	defer func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		synctest.Wait()
	}()

	var logged bytes.Buffer
	opts.HTTP = &http.Client{Transport: transport}
	opts.Log = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	opts.BaseURL = orElse(opts.BaseURL, "http://"+host+"/v1/")
	opts.APIKey = orElse(opts.APIKey, key)
	opts.Model = orElse(opts.Model, "gpt")
	client, err := llm.New(opts)
	require.NoError(t, err)

	started := time.Now()
	out.answer, out.err = client.Complete(ctx, question, func(s string) {
		out.streamed = append(out.streamed, s)
		if onText != nil {
			onText(s)
		}
	})
	out.took = time.Since(started)
	out.log = logged.String()

	words := out.log
	if out.err != nil {
		words += out.err.Error()
		var user *port.UserError
		if errors.As(out.err, &user) {
			words += user.Text
		}
		require.Empty(t, out.answer)
	} else {
		require.Equal(t, out.answer.Text, strings.Join(out.streamed, ""))
	}
	for _, secret := range []string{key, host, spilled} {
		require.NotContains(t, words, secret)
	}
	return out
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// bubble runs a story on the fake clock.
func bubble(t *testing.T, name string, story func(t *testing.T)) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, story)
	})
}

// say writes and flushes.
func say(w http.ResponseWriter, lines ...string) {
	for _, line := range lines {
		_, _ = io.WriteString(w, line)
		_ = http.NewResponseController(w).Flush()
	}
}

func data(v string) string { return "data: " + v + "\n\n" }

func chunk(text string) string {
	return data(fmt.Sprintf(`{"id":"1","object":"chat.completion.chunk","model":"gpt-0613","choices":[{"index":0,`+
		`"delta":{"content":%q},"finish_reason":null}]}`, text))
}

func finish(reason string) string {
	return data(fmt.Sprintf(`{"id":"1","model":"gpt-0613","choices":[{"index":0,"delta":{},"finish_reason":%q}]}`, reason))
}

func usage(in, cached, out int) string {
	return data(fmt.Sprintf(`{"id":"1","choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d,`+
		`"prompt_tokens_details":{"cached_tokens":%d}}}`, in, out, cached))
}

const done = "data: [DONE]\n\n"

// well is an answer as it should be.
func well(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	say(w, chunk("Because"), chunk(" so."), finish("stop"), usage(12, 8, 3), done)
}

// hang keeps the connection open until the client gives up.
func hang(r *http.Request) { <-r.Context().Done() }

// pause waits, unless the client gives up.
func pause(r *http.Request, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-r.Context().Done():
		return false
	}
}

// reset breaks the connection.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, status int, body string, headers ...string) {
	for i := 0; i < len(headers); i += 2 {
		w.Header().Set(headers[i], headers[i+1])
	}
	w.WriteHeader(status)
	say(w, body)
}

package llm_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/llm"
)

// failing is a model whose provider always does the same, without a network.
func failing(t *testing.T, name string, code int, body string) port.Model {
	t.Helper()
	client, err := llm.New(llm.Options{Name: name, Model: name, BaseURL: "http://" + host,
		HTTP: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			body := readCloser{strings.NewReader(body)}
			return &http.Response{StatusCode: code, Body: body, Header: http.Header{}, Request: r}, nil
		})}})
	require.NoError(t, err)
	return client
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

func TestARequestNamesItsModel(t *testing.T) {
	t.Parallel()
	models, err := llm.NewModels([]llm.Named{{Name: "fast", Model: llm.Script("f1", "f2")},
		{Name: "deep", Model: llm.Script("d1")}}, nil)
	require.NoError(t, err)
	for _, c := range []struct{ name, want string }{{"", "f1"}, {"deep", "d1"}, {"fast", "f2"}} {
		answer, err := models.Complete(t.Context(), port.Request{Model: c.name}, nil)
		require.NoError(t, err)
		require.Equal(t, c.want, answer.Text)
	}
	_, err = models.Complete(t.Context(), port.Request{Model: "x"}, nil)
	var user *port.UserError
	require.ErrorAs(t, err, &user)
	require.Equal(t, "There is no model of this name. Available: `fast`, `deep`.", user.Text)
}

func TestAFallbackAnswersWhenAProviderFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first port.Model
		want  string // the answer, or what the person reads
	}{
		"no quota":            {failing(t, "a", 402, spilled), "from b"},
		"a bad key":           {failing(t, "a", 401, spilled), "from b"},
		"a content filter":    {failing(t, "a", 400, `{"error":{"code":"content_filter"}}`), "content filter"},
		"a request too long":  {failing(t, "a", 413, spilled), "can read at once"},
		"interrupted halfway": {failing(t, "a", 200, chunk("x")+finish("content_filter")), "content filter"},
		"text, then too much": {failing(t, "a", 200, chunk("x")+chunk(strings.Repeat("x", 3<<20))), "2 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var logged strings.Builder
			models, err := llm.NewModels([]llm.Named{
				{Name: "a", Model: c.first, Fallback: "b"},
				{Name: "b", Model: llm.Script("from b")},
			}, slog.New(slog.NewTextHandler(&logged, nil)))
			require.NoError(t, err)
			answer, err := models.Complete(t.Context(), question, nil)
			if strings.HasPrefix(c.want, "from") {
				require.NoError(t, err)
				require.Equal(t, c.want, answer.Text)
				require.Contains(t, logged.String(), "asking the fallback model")
				require.NotContains(t, logged.String(), spilled)
				return
			}
			var user *port.UserError
			require.ErrorAs(t, err, &user)
			require.Contains(t, user.Text, c.want)
			require.Empty(t, logged.String())
		})
	}
}

func TestWhenAllFailTheFirstFaultIsTold(t *testing.T) {
	t.Parallel()
	models, err := llm.NewModels([]llm.Named{
		{Name: "a", Model: failing(t, "a", 402, spilled), Fallback: "b"},
		{Name: "b", Model: failing(t, "b", 401, spilled), Fallback: "a"}, // round and round, but each once
	}, nil)
	require.NoError(t, err)
	_, err = models.Complete(t.Context(), question, nil)
	require.EqualError(t, err, "asking the model a: out of quota (HTTP 402), attempt 1")
}

// A prompt is made for the model that is asked: a smaller one would refuse it, or read a part of it.
func TestAFallbackWithTooSmallAContextIsPassedOver(t *testing.T) {
	t.Parallel()
	var logged strings.Builder
	small := &llm.Scripted{Func: func(int, port.Request) (port.Answer, error) {
		return port.Answer{Text: "from small"}, nil
	}}
	models, err := llm.NewModels([]llm.Named{
		{Name: "a", Model: failing(t, "a", 402, spilled), Fallback: "small"},
		{Name: "small", Model: small, Fallback: "c", Takes: port.ModelInfo{ContextTokens: 8_000}.Takes},
		{Name: "c", Model: llm.Script("from c", "from c")},
	}, slog.New(slog.NewTextHandler(&logged, nil)))
	require.NoError(t, err)
	for n, want := range map[int]string{21_000: "from small", 21_003: "from c"} {
		answer, err := models.Complete(t.Context(), port.Request{System: strings.Repeat("x", n)}, nil)
		require.NoError(t, err)
		require.Equal(t, want, answer.Text, "%d bytes", n)
	}
	require.Contains(t, logged.String(), "too small a context")

	models, err = llm.NewModels([]llm.Named{
		{Name: "a", Model: failing(t, "a", 402, spilled), Fallback: "small"},
		{Name: "small", Model: small, Takes: func(port.Request) bool { return false }},
	}, nil)
	require.NoError(t, err)
	_, err = models.Complete(t.Context(), question, nil)
	require.EqualError(t, err, "asking the model a: out of quota (HTTP 402), attempt 1")
}

func TestAModelThatMayNotAnswerIsNoFallback(t *testing.T) {
	t.Parallel()
	models, err := llm.NewModels([]llm.Named{
		{Name: "a", Model: failing(t, "a", 402, spilled), Fallback: "b"},
		{Name: "b", Model: llm.Script("from b")},
	}, nil)
	require.NoError(t, err)
	for _, only := range [][]string{{"a"}, {}} {
		_, err = models.Complete(t.Context(), port.Request{Only: only}, nil)
		require.ErrorContains(t, err, "asking the model a: out of quota")
	}
	answer, err := models.Complete(t.Context(), port.Request{Only: []string{"a", "B"}}, nil)
	require.NoError(t, err)
	require.Equal(t, "from b", answer.Text)
}

func TestAnErrorThatIsNotAProvidersHasNoFallback(t *testing.T) {
	t.Parallel()
	models, err := llm.NewModels([]llm.Named{
		{Name: "a", Model: &llm.Scripted{Func: func(int, port.Request) (port.Answer, error) {
			return port.Answer{}, context.Canceled
		}}, Fallback: "b"},
		{Name: "b", Model: llm.Script("from b")},
	}, nil)
	require.NoError(t, err)
	_, err = models.Complete(t.Context(), question, nil)
	require.ErrorIs(t, err, context.Canceled)
}

func TestModelsThatCannotBeChosenAreRefused(t *testing.T) {
	t.Parallel()
	one := llm.Script()
	for want, list := range map[string][]llm.Named{
		"there are none":                    nil,
		`"a" is empty or there twice`:       {{Name: "a", Model: one}, {Name: "a", Model: one}},
		`"" is empty`:                       {{Model: one}},
		"a falls back to b, which is not o": {{Name: "a", Model: one, Fallback: "b"}},
	} {
		_, err := llm.NewModels(list, nil)
		require.ErrorContains(t, err, want)
	}
}

func TestARecordIsPlayedAgain(t *testing.T) {
	t.Parallel()
	list, err := llm.ReadExchanges(strings.NewReader(`
		{"request":{"system":"s","messages":[{"role":"user","text":"one"}]},
			"answer":{"text":"first","model":"gpt","usage":{"in":3,"out":1}}}
		{"request":{"system":"s","messages":[{"role":"user","text":"two"}]},
			"answer":{"text":"second","model":"gpt","cut":true,"usage":{}}}
		{"request":{"system":"s","messages":[{"role":"user","text":"three"}]},
			"answer":{"text":"third","model":"gpt","usage":{}}}`))
	require.NoError(t, err)
	model := llm.NewReplay(list)
	say := func(text string) (port.Answer, error) {
		return model.Complete(t.Context(), port.Request{System: "s", Messages: []port.Message{{Role: "user", Text: text}}},
			nil)
	}
	answer, err := say("two")
	require.NoError(t, err)
	require.Equal(t, port.Answer{Text: "second", Model: "gpt", Cut: true}, answer)
	require.Zero(t, model.Mismatches())

	answer, err = say("words that have changed since")
	require.NoError(t, err)
	require.Equal(t, port.Answer{Text: "first", Model: "gpt", Usage: port.Usage{In: 3, Out: 1}}, answer)
	require.Equal(t, 1, model.Mismatches())

	_, err = say("three")
	require.NoError(t, err)
	_, err = say("three")
	require.ErrorContains(t, err, "none left")

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = llm.NewReplay(list).Complete(ended, question, nil)
	require.ErrorIs(t, err, context.Canceled)

	_, err = llm.ReadExchanges(strings.NewReader(`{"request":{}} {"answer":`))
	require.ErrorContains(t, err, "reading recorded exchange 2")
}

func TestAModelsErrorCanBeToldApart(t *testing.T) {
	t.Parallel()
	_, err := failing(t, "a", 403, spilled).Complete(t.Context(), question, nil)
	var failed *llm.ProviderError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, "a", failed.Model)
	var user *port.UserError
	require.True(t, errors.As(err, &user))
}

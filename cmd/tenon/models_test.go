package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/config"
)

func TestAModelIsAskedForTheFormatItsProvidersNameSuggests(t *testing.T) {
	t.Parallel()
	infos := modelInfos([]config.Model{
		{Name: "fast", ID: "gpt-5-mini"}, {Name: "long", ID: "gemini-3-pro"},
		{Name: "exact", ID: "gemini-3-pro", Format: "v3"}, {Name: "learned", ID: "gemini-3-pro", Format: "auto"},
	})
	var formats []string
	for _, info := range infos {
		formats = append(formats, info.Format)
		require.Equal(t, info.Name == "learned", info.AutoFormat)
	}
	require.Equal(t, []string{"diff", "diff-fenced", "v3", "diff-fenced"}, formats)
}

func TestTheBoundsOfAModelReachTheBot(t *testing.T) {
	t.Parallel()
	info := modelInfo(config.Model{Name: "local", ContextTokens: 8_000, MaxTokens: 2_000, CodeTokens: 3_000})
	require.Equal(t, []int{8_000, 2_000, 3_000}, []int{info.ContextTokens, info.MaxTokens, info.CodeTokens})
}

func TestALocalModelIsAskedByFewAtATime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		model config.Model
		want  int
	}{
		{config.Model{}, 0},
		{config.Model{BaseURL: "https://models.example.com/v1"}, 0},
		{config.Model{BaseURL: "https://models.example.com/v1", Concurrency: 9}, 9},
		{config.Model{BaseURL: "http://ollama:11434/v1"}, 2},
		{config.Model{Provider: "ollama"}, 2},
		{config.Model{Provider: "ollama", Concurrency: 9}, 9},
	} {
		require.Equal(t, c.want, concurrency(c.model), c.model)
	}
}

func TestAFallbackIsAskedOnlyForWhatFitsIntoItsContext(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/small/") {
			asked.Add(1)
		}
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(server.Close)
	model, err := newModel([]config.Model{
		{Name: "strong", ID: "strong", BaseURL: server.URL + "/strong/", Fallback: "small"},
		{Name: "small", ID: "small", BaseURL: server.URL + "/small/", ContextTokens: 8_000},
	}, newObservation(), nil)
	require.NoError(t, err)
	for i, system := range []string{strings.Repeat("x", 30_000), "Hello."} {
		_, err = model.Complete(t.Context(), port.Request{System: system}, nil)
		require.ErrorContains(t, err, "asking the model strong: unauthorized")
		require.EqualValues(t, i, asked.Load())
	}
}

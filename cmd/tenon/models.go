package main

import (
	"cmp"
	"context"
	"log/slog"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/llm"
	"github.com/tenon-bot/tenon/prompts"
)

// modelInfos returns the configured models in the form that the bot needs.
func modelInfos(models []config.Model) []port.ModelInfo {
	var list []port.ModelInfo
	for _, m := range models {
		list = append(list, modelInfo(m))
	}
	return list
}

func modelInfo(m config.Model) port.ModelInfo {
	auto := m.Format == prompts.AutoFormat
	if auto || m.Format == "" {
		m.Format = prompts.FormatFor(m.ID)
	}
	return port.ModelInfo{
		Name: m.Name, Format: m.Format, AutoFormat: auto, ContextTokens: m.ContextTokens,
		MaxTokens: m.MaxTokens, CodeTokens: m.CodeTokens, Repositories: m.Repositories, Price: port.Price(m.Price),
	}
}

// newModel returns the configured models as one, of which the first is the default. Without models, it returns one that
// says so.
func newModel(models []config.Model, obs observation, log *slog.Logger) (port.Model, error) {
	if len(models) == 0 {
		return noModel{}, nil
	}
	var list []llm.Named
	for _, m := range models {
		opts := modelOptions(m, log)
		opts.HTTP = obs.provider()
		client, err := llm.New(opts)
		if err != nil {
			return nil, err
		}
		list = append(list, llm.Named{Name: m.Name, Fallback: m.Fallback, Takes: modelInfo(m).Takes,
			Model: obs.schedule.Model(m.Name, concurrency(m), obs.model(modelInfo(m), client))})
	}
	return llm.NewModels(list, log)
}

// concurrency returns how many calls of a model may be under way, 0 for any number.
func concurrency(m config.Model) int {
	return cmp.Or(m.Concurrency, llm.Concurrency(m.Provider, m.BaseURL))
}

func modelOptions(m config.Model, log *slog.Logger) llm.Options {
	return llm.Options{Name: m.Name, Model: m.ID, Provider: m.Provider, BaseURL: m.BaseURL, APIKey: m.APIKey.Reveal(),
		Headers: reveal(m.Headers), Query: reveal(m.Query), MaxTokens: m.MaxTokens, TokenField: m.TokenField, Log: log}
}

func reveal(secrets map[string]config.Secret) map[string]string {
	out := map[string]string{}
	for name, s := range secrets {
		out[name] = s.Reveal()
	}
	return out
}

type noModel struct{}

func (noModel) Complete(context.Context, port.Request, func(string)) (port.Answer, error) {
	return port.Answer{}, &port.UserError{Text: "No language model is configured, so tenon cannot work on this. " +
		"Whoever runs this app has to set `TENON_MODEL`."}
}

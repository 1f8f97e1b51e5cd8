package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/resolution"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/internal/config"
)

// askedModel is the model that settles conflicts.
type askedModel struct {
	name     string
	models   []config.Model
	model    port.Model
	progress *progress
}

// errCut is the error of a reply that ends before the model was done.
var errCut = errors.New("the model's reply was cut off; settle fewer conflicts at once by naming files")

// ask is a resolution.Model.
func (m askedModel) ask(ctx context.Context, system string, messages []port.Message) (string, error) {
	m.progress.Recorded("", promptStep)
	defer m.progress.end()
	answer, err := m.model.Complete(ctx, port.Request{Model: m.name, System: system, Messages: messages}, nil)
	switch {
	case err != nil:
		return "", err
	case answer.Cut:
		return "", errCut
	}
	return answer.Text, nil
}

func (m askedModel) options() resolution.Options {
	info := port.ModelInfo{}
	for _, i := range modelInfos(m.models) {
		if i.Name == cmp.Or(m.name, m.models[0].Name) {
			info = i
		}
	}
	return resolution.Options{
		Most:   retrieve.CodeBytes(info, policy.Bounds{}),
		Hidden: secret.FileName,
		Nonce:  func() string { return rand.Text()[:12] },
	}
}

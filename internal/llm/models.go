package llm

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// Named is one of several models.
type Named struct {
	// Name is what people call it here.
	Name  string
	Model port.Model
	// Fallback names the model that is asked when the provider of this one fails; empty means none.
	Fallback string
}

// Models is a bot.Model that asks the one which a request names. Safe for concurrent use.
type Models struct {
	list []Named
	log  *slog.Logger
}

// NewModels makes one model of several; the first is the default. The error says which name is missing, there twice, or falls
// back to one that does not exist. log gets a line for each fallback; nil means nowhere.
func NewModels(list []Named, log *slog.Logger) (*Models, error) {
	m := &Models{list: list, log: orDiscard(log)}
	if len(list) == 0 {
		return nil, errors.New("making a choice of models: there are none")
	}
	seen := map[string]bool{}
	for _, named := range list {
		if named.Name == "" || seen[named.Name] {
			return nil, fmt.Errorf("making a choice of models: the name %q is empty or there twice", named.Name)
		}
		seen[named.Name] = true
		if named.Fallback != "" {
			if _, ok := m.find(named.Fallback); !ok {
				return nil, fmt.Errorf("making a choice of models: %s falls back to %s, which is not one of them", named.Name, named.Fallback)
			}
		}
	}
	return m, nil
}

// Complete implements bot.Model. When a provider fails before anything of an answer was handed out, the model's fallback is
// asked, and that one's, each once, as long as the request allows it. If all fail, the error is the one of the model that was asked for.
func (m *Models) Complete(ctx context.Context, req port.Request, onText func(string)) (port.Answer, error) {
	named, ok := m.find(req.Model)
	if !ok {
		return port.Answer{}, &port.UserError{Text: fmt.Sprintf("There is no model of this name. The models here are %s.", m.names())}
	}
	started := false
	watch := func(text string) {
		started = true
		if onText != nil {
			onText(text)
		}
	}
	answer, first := named.Model.Complete(ctx, req, watch)
	tried := map[string]bool{named.Name: true}
	for err := first; err != nil; {
		next, ok := m.find(named.Fallback)
		if named.Fallback == "" || !ok || tried[next.Name] || !allowed(req, next.Name) || started || ctx.Err() != nil || !elsewhere(err) {
			return port.Answer{}, first
		}
		m.log.WarnContext(ctx, "asking the fallback model", "model", named.Name, "fallback", next.Name, "error", err)
		named, tried[next.Name] = next, true
		answer, err = named.Model.Complete(ctx, req, watch)
	}
	return answer, nil
}

// allowed reports whether a model may answer a request that names another.
func allowed(req port.Request, name string) bool {
	return req.Only == nil || slices.ContainsFunc(req.Only, func(n string) bool { return strings.EqualFold(n, name) })
}

// elsewhere reports whether an error is one that another model may not have.
func elsewhere(err error) bool {
	failed, ok := errors.AsType[*ProviderError](err)
	return ok && failed.Elsewhere
}

// find returns a model by its name; no name means the default.
func (m *Models) find(name string) (Named, bool) {
	if name == "" {
		return m.list[0], true
	}
	for _, named := range m.list {
		if named.Name == name {
			return named, true
		}
	}
	return Named{}, false
}

func (m *Models) names() string {
	var names []string
	for _, named := range m.list {
		names = append(names, quoted(named.Name))
	}
	return strings.Join(names, ", ")
}

// quoted makes a name Markdown that shows it as it is.
func quoted(name string) string { return "`" + strings.ReplaceAll(name, "`", "") + "`" }

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

// Named is a model with a name.
type Named struct {
	// Name is the model's name in this server's settings.
	Name  string
	Model port.Model
	// Fallback is the name of the model to ask when this one's provider fails; empty means none.
	Fallback string
	// Takes reports whether a request fits into the model's context; nil means that every request does.
	Takes func(port.Request) bool
}

// Models is a port.Model that asks the model that a request names. Safe for concurrent use.
type Models struct {
	list []Named
	log  *slog.Logger
}

// NewModels returns one model made of several; the first is the default. It returns an error for a name that is empty
// or used twice, and for a fallback that does not exist. log gets a line for each fallback; nil discards it.
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
				return nil, fmt.Errorf("making a choice of models: %s falls back to %s, which is not one of them",
					named.Name, named.Fallback)
			}
		}
	}
	return m, nil
}

// Complete implements port.Model. When a provider fails before any text was passed to onText, it asks the model's
// fallback, then that one's, each once, as far as the request allows them. A fallback whose context the request does
// not fit into is passed over. If all fail, it returns the error of the first model.
func (m *Models) Complete(ctx context.Context, req port.Request, onText func(string)) (port.Answer, error) {
	named, ok := m.find(req.Model)
	if !ok {
		text := fmt.Sprintf("There is no model of this name. Available: %s.", m.names())
		return port.Answer{}, &port.UserError{Text: text}
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
		usable := named.Fallback != "" && ok && !tried[next.Name] && allowed(req, next.Name)
		if !usable || started || ctx.Err() != nil || !fallbackMayHelp(err) {
			return port.Answer{}, first
		}
		previous := named.Name
		named, tried[next.Name] = next, true
		if next.Takes != nil && !next.Takes(req) {
			m.log.WarnContext(ctx, "passing over a fallback model with too small a context", "model", previous,
				"fallback", next.Name)
			continue
		}
		m.log.WarnContext(ctx, "asking the fallback model", "model", previous, "fallback", next.Name, "error", err)
		answer, err = named.Model.Complete(ctx, req, watch)
	}
	return answer, nil
}

// allowed reports whether a model may answer a request that names another.
func allowed(req port.Request, name string) bool {
	return req.Only == nil || slices.ContainsFunc(req.Only, func(n string) bool { return strings.EqualFold(n, name) })
}

// fallbackMayHelp reports whether another model may not have this error.
func fallbackMayHelp(err error) bool {
	failed, ok := errors.AsType[*ProviderError](err)
	return ok && failed.Fallback
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

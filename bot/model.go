package bot

import (
	"cmp"
	"fmt"
	"strings"
)

// ModelInfo is what the bot has to know of a model beside asking it.
type ModelInfo struct {
	// Name is what people write behind --model.
	Name string
	// Format is the edit format that it is asked for; empty means the default for models of its name.
	Format string
	// ContextTokens bounds what it is shown; 0 means the default.
	ContextTokens int
	// Repositories are where it may be used: "owner/name" or "owner/*", in lower case; empty means everywhere.
	Repositories []string
	// Price is zero where it is not known.
	Price Price
}

// Price is the price of a million tokens, in US dollars: of new input, of input from the provider's cache, and of output.
type Price struct{ Input, Cached, Output float64 }

// of is what tokens cost, in US dollars.
func (p Price) of(u Usage) float64 {
	return (float64(u.In-u.Cached)*p.Input + float64(u.Cached)*p.Cached + float64(u.Out)*p.Output) / 1e6
}

func (m ModelInfo) allows(repo RepoRef) bool {
	full := strings.ToLower(repo.String())
	owner, _, _ := strings.Cut(full, "/")
	for _, r := range m.Repositories {
		if r == full || r == owner+"/*" {
			return true
		}
	}
	return len(m.Repositories) == 0
}

// model is the one that the command names, or the settings, or the first that this repository may use. The zero ModelInfo, where no model
// is configured, leaves it to the port to say so.
func (s *session) model() (ModelInfo, error) {
	var names []string
	wanted := cmp.Or(s.inv.options.model, s.policy.Model)
	for _, m := range s.Models {
		if !m.allows(s.ev.Repo) || !s.policy.allowsModel(m.Name) {
			continue
		}
		if wanted == "" || strings.EqualFold(wanted, m.Name) {
			return m, nil
		}
		names = append(names, codeSpan(m.Name))
	}
	if len(s.Models) == 0 && wanted == "" {
		return ModelInfo{}, nil
	}
	if len(names) == 0 {
		return ModelInfo{}, &UserError{"No model may be used in this repository. `/tenon config` shows which setting leaves none."}
	}
	return ModelInfo{}, &UserError{fmt.Sprintf("There is no model %s for this repository. There are: %s.", codeSpan(clip(wanted, 64)), strings.Join(names, ", "))}
}

// cost is what the calls of a conversation cost by the configured prices; ok is false when the price of one is not known.
func (s *session) cost(t talk) (dollars float64, ok bool) {
	for _, turn := range t.turns {
		if turn.Fault != "" {
			continue
		}
		price := s.price(turn.Answer.Name)
		if price == (Price{}) {
			return 0, false
		}
		dollars += price.of(turn.Answer.Usage)
	}
	return dollars, len(t.turns) > 0
}

func (s *session) price(name string) Price {
	for _, m := range s.Models {
		if m.Name == name {
			return m.Price
		}
	}
	return Price{}
}

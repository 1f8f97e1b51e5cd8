package bot

import (
	"strings"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// models are those of the server, as a repository may use them.
type models struct {
	all    []port.ModelInfo
	repo   port.RepoRef
	policy policy.Policy
}

// choose returns the model of a name, or the first that the repository may use if the name is empty. Without any
// configured model it returns the zero ModelInfo, and leaves it to port.Model to say so.
func (m models) choose(name string) (port.ModelInfo, error) {
	var others []string
	for _, info := range m.all {
		if !info.Allows(m.repo) || !m.policy.AllowsModel(info.Name) {
			continue
		}
		if name == "" || strings.EqualFold(name, info.Name) {
			return info, nil
		}
		others = append(others, info.Name)
	}
	if len(m.all) == 0 && name == "" {
		return port.ModelInfo{}, nil
	}
	if len(others) == 0 {
		return port.ModelInfo{}, sentence.NoModelAllowed()
	}
	return port.ModelInfo{}, sentence.NoSuchModel(name, others)
}

// cost returns what the calls of a conversation cost by the configured prices, in US dollars; ok is false if the price
// of one is not known.
func (m models) cost(c conversation.Conversation) (dollars float64, ok bool) {
	calls := c.Calls()
	for _, turn := range calls {
		if turn.Fault != "" {
			continue
		}
		price := m.price(turn.Answer.Name)
		if price == (port.Price{}) {
			return 0, false
		}
		dollars += price.Of(turn.Answer.Usage)
	}
	return dollars, len(calls) > 0
}

func (m models) price(name string) port.Price { return m.named(name).Price }

// named returns the model of exactly this name, or the zero ModelInfo.
func (m models) named(name string) port.ModelInfo {
	for _, info := range m.all {
		if info.Name == name {
			return info
		}
	}
	return port.ModelInfo{}
}

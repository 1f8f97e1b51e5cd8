package bot

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

func TestAModelIsChosenAmongThoseThatTheRepositoryMayUse(t *testing.T) {
	t.Parallel()
	m := models{repo: fixEvent().Repo, all: []port.ModelInfo{
		{Name: "secret", Repositories: []string{"other/*"}}, {Name: "fast", Repositories: []string{"acme/lathe"}},
		{Name: "big", Repositories: []string{"acme/*"}},
	}}
	for name, want := range map[string]string{"": "fast", "BIG": "big"} {
		chosen, err := m.choose(name)
		require.NoError(t, err)
		require.Equal(t, want, chosen.Name)
	}
	_, err := m.choose("secret")
	require.EqualError(t, err, "There is no model `secret` for this repository. Available: `fast`, `big`.")
	m.repo.Owner = "nobody"
	_, err = m.choose("secret")
	require.ErrorContains(t, err, "No model may be used in this repository.")
	chosen, err := models{}.choose("")
	require.NoError(t, err)
	require.Empty(t, chosen.Name, "the port says that there is none")
}

func TestTheModelIsTheCommandsThenTheSettings(t *testing.T) {
	t.Parallel()
	all := []port.ModelInfo{{Name: "fast"}, {Name: "slow"}, {Name: "dear"}}
	for _, c := range []struct {
		command string
		policy  policy.Policy
		want    string
	}{
		{"", policy.Policy{}, "fast"},
		{"", policy.Policy{Model: "Slow"}, "slow"},
		{"dear", policy.Policy{Model: "slow"}, "dear"},
		{"", policy.Policy{Models: []string{"slow", "dear"}}, "slow"},
		{
			"fast", policy.Policy{Models: []string{"slow", "dear"}},
			"There is no model `fast` for this repository. Available: `slow`, `dear`.",
		},
		{
			"", policy.Policy{Models: []string{}},
			"No model may be used in this repository. `/tenon config` shows which setting excludes them all.",
		},
	} {
		r := runOf(t, &Bot{Models: all, Policy: c.policy}, fixEvent())
		chosen, err := r.models().choose(wantedModel(command.Options{Model: c.command}, r.policy))
		if err != nil {
			chosen.Name = err.Error()
		}
		require.Equal(t, c.want, chosen.Name)
	}
}

func TestCostIsToldWhereEveryPriceIsKnown(t *testing.T) {
	t.Parallel()
	m := models{all: []port.ModelInfo{{Name: "a", Price: port.Price{Input: 2, Cached: 1, Output: 10}}, {Name: "b"}}}
	call := func(name string) record.Turn {
		return record.Turn{Answer: port.Answer{Name: name, Usage: port.Usage{In: 1_000_000, Cached: 500_000, Out: 100_000}}}
	}
	dollars, ok := m.cost(conversation.Conversation{Turns: []record.Turn{call("a"), call("a"), {Fault: "x"}}})
	require.True(t, ok)
	require.InDelta(t, 2*(1+0.5+1), dollars, 1e-9)
	_, ok = m.cost(conversation.Conversation{Turns: []record.Turn{call("a"), call("b")}})
	require.False(t, ok)
}

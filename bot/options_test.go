package bot

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOptionsStandBetweenVerbAndText(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct{ body, model, text, problem string }{
		"none":                            {"/tenon fix it", "", "it", ""},
		"a word and its value":            {"/tenon fix --model fast it", "fast", "it", ""},
		"with an equals sign":             {"/tenon fix --model=fast it", "fast", "it", ""},
		"for a mention":                   {"@tenon --model fast rename it", "fast", "rename it", ""},
		"dashes within the text are text": {"/tenon fix the --model flag", "", "the --model flag", ""},
		"over lines":                      {"/tenon fix --model fast\nit", "fast", "it", ""},
		"an unknown one":                  {"/tenon fix --modle fast it", "", "", "There is no option `--modle`. There is: `--model NAME`."},
		"without a value":                 {"/tenon fix --model", "", "", "needs a value: `--model NAME`"},
		"another option for a value":      {"/tenon fix --model --model x", "", "", "needs a value"},
		"options alone":                   {"/tenon fix --model fast", "fast", "", "What should be fixed?"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			inv, ok := parseInvocation(c.body, "tenon")
			require.True(t, ok)
			require.Contains(t, inv.problem, c.problem)
			require.Equal(t, c.problem == "", inv.problem == "")
			require.Equal(t, c.model, inv.options.model)
			require.Equal(t, c.text, inv.text)
		})
	}
}

func TestAModelIsChosenAmongThoseThatTheRepositoryMayUse(t *testing.T) {
	t.Parallel()
	s := testSession()
	s.Models = []ModelInfo{{Name: "secret", Repositories: []string{"other/*"}}, {Name: "fast", Repositories: []string{"acme/lathe"}}, {Name: "big", Repositories: []string{"acme/*"}}}
	for asked, want := range map[string]string{"": "fast", "BIG": "big"} {
		s.inv.options.model = asked
		m, err := s.model()
		require.NoError(t, err)
		require.Equal(t, want, m.Name)
	}
	s.inv.options.model = "secret"
	_, err := s.model()
	require.EqualError(t, err, "There is no model `secret` for this repository. There are: `fast`, `big`.")
	s.ev.Repo.Owner = "nobody"
	_, err = s.model()
	require.ErrorContains(t, err, "No model may be used in this repository.")
	s.Models = nil
	s.inv.options.model = ""
	m, err := s.model()
	require.NoError(t, err)
	require.Empty(t, m.Name, "the port says that there is none")
}

func TestCostIsToldWhereEveryPriceIsKnown(t *testing.T) {
	t.Parallel()
	s := testSession()
	s.Models = []ModelInfo{{Name: "a", Price: Price{Input: 2, Cached: 1, Output: 10}}, {Name: "b"}}
	call := func(name string) turn {
		return turn{Answer: Answer{Name: name, Usage: Usage{In: 1_000_000, Cached: 500_000, Out: 100_000}}}
	}
	dollars, ok := s.cost(talk{turns: []turn{call("a"), call("a"), {Fault: "x"}}})
	require.True(t, ok)
	require.InDelta(t, 2*(1+0.5+1), dollars, 1e-9)
	_, ok = s.cost(talk{turns: []turn{call("a"), call("b")}})
	require.False(t, ok)
}

package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
)

// oneFolder is a Mirror whose repositories all have the same files.
type oneFolder struct {
	t     *testing.T
	files map[string]string
}

func (f oneFolder) Open(ref port.RepoRef, _ string) (repo.Checkout, error) {
	if ref.Name == "lost" {
		return nil, errors.New("the mirror lacks it")
	}
	return checkoutOf(f.t, f.files), nil
}

func (oneFolder) Close() error { return nil }

// pairsOf returns a pair about the file total.go of each of some repositories.
func pairsOf(repos ...string) (out []Pair) {
	for i, name := range repos {
		out = append(out, Pair{
			ID: fmt.Sprint(name, " ", i), Repo: "acme/" + name, Text: "The total is wrong\nSee total.go.",
			Gold: []string{"total.go"}, Lines: map[string][]int{"total.go": {3}},
		})
	}
	return out
}

func TestEachPairIsMeasuredWithEachBudget(t *testing.T) {
	t.Parallel()
	pairs := pairsOf("shop", "mill", "shop", "lathe", "mill")
	open := func() Mirror { return oneFolder{t, map[string]string{"total.go": numbered(9), "tax.go": numbered(9)}} }
	for _, jobs := range []int{0, 1, 3} {
		results, err := Run(t.Context(), pairs, open, Options{Budgets: []int{900, 20}, Jobs: jobs})
		require.NoError(t, err)
		var got []string
		for _, r := range results {
			got = append(got, fmt.Sprintf("%s with %d", r.ID, r.Budget))
			require.Equal(t, r.Budget == 900, r.LinesAll, "20 tokens are not enough")
			require.True(t, r.Solved)
			require.Equal(t, []string{}, r.Chosen)
		}
		require.Equal(t, []string{
			"shop 0 with 900", "shop 0 with 20", "mill 1 with 900", "mill 1 with 20", "shop 2 with 900", "shop 2 with 20",
			"lathe 3 with 900", "lathe 3 with 20", "mill 4 with 900", "mill 4 with 20",
		}, got)
	}
}

func TestAPairThatCannotBeMeasuredIsNamed(t *testing.T) {
	t.Parallel()
	open := func() Mirror { return oneFolder{t, map[string]string{"total.go": "x\n"}} }
	_, err := Run(t.Context(), pairsOf("shop", "lost"), open, Options{Budgets: []int{900}, Jobs: 1})
	require.EqualError(t, err, "pair lost 1: the mirror lacks it")
	pairs := pairsOf("shop")
	pairs[0].Gold = append(pairs[0].Gold, "later.go")
	_, err = Run(t.Context(), pairs, open, Options{Budgets: []int{900}, Jobs: 1})
	require.ErrorContains(t, err, " has no such file that the fix changed: later.go")
}

// measurementOf returns a measurement of an issue about total.go, in which the given files are offered.
func measurementOf(t *testing.T, choice Choice, offered offer) measurement {
	t.Helper()
	files := map[string]string{"total.go": numbered(90), "tax.go": numbered(90), "stock.go": numbered(90)}
	pair := pairsOf("shop")[0]
	return measurement{
		pair: pair, checkout: checkoutOf(t, files), query: issueQuery(pair, lexical.NewCache(1<<20)), choice: choice,
		offer: func(_ context.Context, _ repo.Checkout, q retrieve.Query, room retrieve.Room) (offer, error) {
			require.Nil(t, q.Chosen)
			require.Equal(t, 2000*port.BytesPerToken, room.Code+room.Names, "the whole budget")
			return offered, nil
		},
	}
}

func TestWhatAModelChoosesFromIsPartOfTheBudget(t *testing.T) {
	t.Parallel()
	offered := offerOf("total.go")
	offered.add("stock.go", 90, slices.Repeat([]string{"12: func Restock(items []Item) error"}, 150))
	m := measurementOf(t, choiceOf(t, "perfect"), offered)
	s, err := m.choose(t.Context(), 2000)
	require.NoError(t, err)
	require.Equal(t, []retrieve.Ask{{Path: "total.go"}}, s.query.Chosen)
	r, err := m.with(t.Context(), 2000)
	require.NoError(t, err)
	require.Equal(t, 2, r.Offered)
	require.Equal(t, []string{"total.go"}, r.Chosen)
	require.Greater(t, r.ChooseTokens, 1000)
	require.Positive(t, r.Tokens)
	require.LessOrEqual(t, r.Tokens+r.ChooseTokens, 2000)
	require.LessOrEqual(t, r.GoldTokens, r.FileTokens)
	require.LessOrEqual(t, r.FileTokens, r.Tokens)
}

func TestWhereNothingIsOfferedNothingIsChosen(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]measurement{
		"no model is asked":  measurementOf(t, Choice{}, offerOf("total.go")),
		"nothing is offered": measurementOf(t, choiceOf(t, "perfect"), offer{}),
	} {
		s, err := m.choose(t.Context(), 2000)
		require.NoError(t, err)
		require.Nil(t, s.query.Chosen, name)
		r, err := m.with(t.Context(), 2000)
		require.NoError(t, err)
		require.Zero(t, r.Offered+r.ChooseTokens, name)
	}
}

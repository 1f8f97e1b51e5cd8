package eval

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
)

// checkoutOf returns a checkout of a repository with files.
func checkoutOf(t *testing.T, files map[string]string) repo.Checkout {
	t.Helper()
	w := bottest.New(t)
	checkout, err := w.Repos.Open(t.Context(), w.GitHub.AddRepo("acme/shop", files).Ref(), "refs/heads/main", "")
	require.NoError(t, err)
	return checkout
}

// numbered returns lines "line 1" to "line n".
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

// script answers the replies of the oracle in turn, and keeps them.
type script struct {
	answers []response
	replies []string
}

func (s *script) respond(_ context.Context, reply string) (response, error) {
	s.replies = append(s.replies, reply)
	if len(s.replies) > len(s.answers) {
		return response{}, nil
	}
	return s.answers[len(s.replies)-1], nil
}

func TestTheOracleAsksForAFileUntilItsChangedLinesAreShown(t *testing.T) {
	t.Parallel()
	pair := Pair{Gold: []string{"total.go", "tax.go"}, Lines: map[string][]int{"total.go": {5, 100, 500}, "tax.go": {3}}}
	known := shown(View{"total.go", 510, []retrieve.Span{{From: 1, To: 10}}},
		View{"tax.go", 9, []retrieve.Span{{From: 1, To: 9}}})
	s := script{answers: []response{
		{text: "part", files: []View{{"total.go", 510, []retrieve.Span{{From: 80, To: 150}}}}},
		{text: "part", files: []View{{"total.go", 510, []retrieve.Span{{From: 480, To: 510}}}}},
	}}
	o := oracle{pair, known}
	rounds, err := o.solve(t.Context(), s.respond)
	require.NoError(t, err)
	require.Equal(t, []Round{
		{Asks: []string{"NEED: total.go"}, Tokens: 1, Unseen: 1}, {Asks: []string{"NEED: total.go"}, Tokens: 1},
	}, rounds, "it asks by the path alone, and for nothing of which all is shown")
	require.Zero(t, o.unseen())
}

func TestTheOracleAsksNothingIfAllIsShown(t *testing.T) {
	t.Parallel()
	pair := Pair{Gold: []string{"total.go"}, Lines: map[string][]int{"total.go": {3, 11}}}
	o := oracle{pair, shown(View{"total.go", 10, []retrieve.Span{{From: 1, To: 10}}})}
	rounds, err := o.solve(t.Context(), (&script{}).respond)
	require.NoError(t, err)
	require.Empty(t, rounds)
	require.Zero(t, o.unseen())
}

func TestTheOracleAsksOnlyForPathsThatItHasRead(t *testing.T) {
	t.Parallel()
	pair := Pair{Gold: []string{"shop/tax.go", "shop/total.go"},
		Lines: map[string][]int{"shop/tax.go": {30}, "shop/total.go": {4}}}
	s := script{answers: []response{
		{text: "// see shop/tax.go", files: []View{{"shop/total.go", 50, []retrieve.Span{{From: 1, To: 50}}}}},
		{files: []View{{"shop/tax.go", 50, []retrieve.Span{{From: 1, To: 50}}}}},
	}}
	o := oracle{pair, newSeen("The tax of shop/total.go is wrong.", retrieve.Found{})}
	rounds, err := o.solve(t.Context(), s.respond)
	require.NoError(t, err)
	require.Equal(t, []string{"NEED: shop/total.go", "NEED: shop/tax.go"}, s.replies)
	require.Len(t, rounds, 2)
	require.Zero(t, o.unseen())

	lost := oracle{pair, newSeen("The tax is wrong.", retrieve.Found{})}
	rounds, err = lost.solve(t.Context(), (&script{}).respond)
	require.NoError(t, err)
	require.Empty(t, rounds)
	require.Equal(t, 2, lost.unseen())
}

func TestTheOracleStopsAfterThreeRoundsOfFiveAsks(t *testing.T) {
	t.Parallel()
	var pair Pair
	issue := ""
	for i := range 7 {
		pair.Gold = append(pair.Gold, fmt.Sprintf("part%d.go", i))
		issue += " " + pair.Gold[i]
	}
	top := response{files: []View{{"top.go", 2, []retrieve.Span{{From: 1, To: 2}}}}}
	o := oracle{pair, newSeen(issue, retrieve.Found{})}
	s := script{answers: []response{top, top, top, top}}
	rounds, err := o.solve(t.Context(), s.respond)
	require.NoError(t, err)
	require.Len(t, rounds, retrieve.MaxRounds)
	for _, r := range rounds {
		require.Len(t, r.Asks, retrieve.MaxAsks)
		require.Equal(t, 7, r.Unseen)
	}
}

func TestTheOracleStopsIfItIsShownNothingMore(t *testing.T) {
	t.Parallel()
	o := oracle{Pair{Gold: []string{"total.go"}}, newSeen("total.go", retrieve.Found{})}
	rounds, err := o.solve(t.Context(), (&script{}).respond)
	require.NoError(t, err)
	require.Len(t, rounds, 1)
}

// What the bot shows of a file that is too long for one answer, it shows in the next ones.
func TestTheOracleIsShownFurtherPartsOfALongFile(t *testing.T) {
	t.Parallel()
	checkout := checkoutOf(t, map[string]string{"total.txt": numbered(4000)})
	pair := Pair{Repo: "acme/shop", Text: "See total.txt",
		Gold: []string{"total.txt"}, Lines: map[string][]int{"total.txt": {2500}}}
	query := issueQuery(pair, lexical.NewCache(1<<20))
	o := oracle{pair, newSeen(pair.Text, retrieve.Found{})}
	rounds, err := o.solve(t.Context(), answerer(checkout, query, retrieve.Selection{}))
	require.NoError(t, err)
	require.Len(t, rounds, 2)
	require.Zero(t, o.unseen())
}

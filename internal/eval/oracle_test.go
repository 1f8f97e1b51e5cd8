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
)

// checkoutOf returns a checkout of a repository with files.
func checkoutOf(t *testing.T, files map[string]string) repo.Checkout {
	t.Helper()
	w := bottest.New(t)
	checkout, err := w.Repos.Open(t.Context(), w.GitHub.AddRepo("acme/shop", files).Ref(), "refs/heads/main", "")
	require.NoError(t, err)
	return checkout
}

// numbered returns lines "line 1" to "line n", each with words behind it.
func numbered(n int, words map[int]string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d %s\n", i+1, words[i+1])
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

func oracleFor(t *testing.T, pair Pair, files map[string]string, known *Seen) *oracle {
	t.Helper()
	o, err := newOracle(t.Context(), pair, checkoutOf(t, files), known)
	require.NoError(t, err)
	return o
}

func TestTheOracleAsksForTheLinesThatItMisses(t *testing.T) {
	t.Parallel()
	pair := Pair{Gold: []string{"total.go"}, Lines: map[string][]int{"total.go": {5, 100, 130, 500}}}
	known := shown(View{"total.go", 510, []retrieve.Span{{From: 1, To: 10}}})
	o := oracleFor(t, pair, map[string]string{"total.go": numbered(510, nil)}, known)
	s := script{answers: []response{
		{text: "part", files: []View{{"total.go", 510, []retrieve.Span{{From: 80, To: 150}}}}},
		{text: "part", files: []View{{"total.go", 510, []retrieve.Span{{From: 480, To: 510}}}}},
	}}
	rounds, err := o.solve(t.Context(), s.respond)
	require.NoError(t, err)
	require.Equal(t, []Round{
		{Asks: []string{"NEED: total.go:80-150", "NEED: total.go:480-510"}, Tokens: 1, Unseen: 1},
		{Asks: []string{"NEED: total.go:480-510"}, Tokens: 1},
	}, rounds)
	require.Zero(t, o.unseen())
}

func TestTheOracleAsksNothingIfAllIsShown(t *testing.T) {
	t.Parallel()
	pair := Pair{Gold: []string{"total.go"}, Lines: map[string][]int{"total.go": {3, 11}}}
	known := shown(View{"total.go", 10, []retrieve.Span{{From: 1, To: 10}}})
	o := oracleFor(t, pair, map[string]string{"total.go": numbered(10, nil)}, known)
	rounds, err := o.solve(t.Context(), (&script{}).respond)
	require.NoError(t, err)
	require.Empty(t, rounds)
	require.Zero(t, o.unseen())
}

func TestTheOracleSearchesForThePathThatItMayNotKnow(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"total.go": numbered(50, map[int]string{7: "addTax", 9: "roundUp", 30: "hidden"}),
		"tax.go":   numbered(50, map[int]string{1: "addTax"}),
	}
	pair := Pair{Gold: []string{"total.go"}, Lines: map[string][]int{"total.go": {30}}}
	known := newSeen("The total of addTax is wrong, roundUp too, unlike elsewhere.", retrieve.Found{})
	o := oracleFor(t, pair, files, known)
	s := script{answers: []response{
		{text: "total.go:9: line 9 roundUp"},
		{files: []View{{"total.go", 50, []retrieve.Span{{From: 10, To: 50}}}}},
	}}
	rounds, err := o.solve(t.Context(), s.respond)
	require.NoError(t, err)
	require.Equal(t, []string{"FIND: roundUp\nFIND: addTax", "NEED: total.go:10-50"}, s.replies,
		"the rarest word first, none that is only in the file, or only in the issue; no path before it was read")
	require.Len(t, rounds, 2)
	require.Zero(t, o.unseen())
}

func TestTheOracleGivesUpWithoutAWordToSearchFor(t *testing.T) {
	t.Parallel()
	pair := Pair{Gold: []string{"total.go"}, Lines: map[string][]int{"total.go": {30}}}
	known := newSeen("It is wrong.", retrieve.Found{})
	o := oracleFor(t, pair, map[string]string{"total.go": numbered(50, nil)}, known)
	rounds, err := o.solve(t.Context(), (&script{}).respond)
	require.NoError(t, err)
	require.Empty(t, rounds)
	require.Equal(t, 1, o.unseen())
}

func TestTheOracleStopsAfterThreeRoundsOfFiveAsks(t *testing.T) {
	t.Parallel()
	pair := Pair{Gold: []string{"total.go"}, Lines: map[string][]int{"total.go": {}}}
	for line := 1000; line <= 9000; line += 1000 {
		pair.Lines["total.go"] = append(pair.Lines["total.go"], line)
	}
	known := newSeen("total.go", retrieve.Found{})
	o := oracleFor(t, pair, map[string]string{"total.go": numbered(9100, nil)}, known)
	s := script{}
	rounds, err := o.solve(t.Context(), s.respond)
	require.NoError(t, err)
	require.Len(t, rounds, 3)
	for _, r := range rounds {
		require.Len(t, r.Asks, 5)
		require.Equal(t, 9, r.Unseen)
	}
}

func TestNearRangesAreJoinedIfThereAreTooMany(t *testing.T) {
	t.Parallel()
	needs := needsFor("a.go", []int{100, 170, 240, 1000}, 2000)
	require.Equal(t, "[NEED: a.go:80-120 NEED: a.go:150-190 NEED: a.go:220-260 NEED: a.go:980-1020]", fmt.Sprint(needs))
	require.Equal(t, "[NEED: a.go:80-260 NEED: a.go:980-1020]", fmt.Sprint(joinNearest(needs, 1)),
		"no range is longer than an answer may be")
	other := append(needsFor("a.go", []int{100}, 2000), needsFor("b.go", []int{100}, 110)...)
	require.Equal(t, "[NEED: a.go:80-120 NEED: b.go:80-110]", fmt.Sprint(joinNearest(other, 1)), "each is of one file")
}

func TestALongChangeIsAskedForInParts(t *testing.T) {
	t.Parallel()
	var lines []int
	for line := range 700 {
		lines = append(lines, line+1)
	}
	needs := needsFor("a.go", lines, 700)
	require.Equal(t, "[NEED: a.go:1-301 NEED: a.go:302-602 NEED: a.go:603-700]", fmt.Sprint(needs))
}

func TestAFixOfAFileThatTheCommitLacksIsAnError(t *testing.T) {
	t.Parallel()
	pair := Pair{Gold: []string{"lost.go"}}
	_, err := newOracle(t.Context(), pair, checkoutOf(t, map[string]string{"total.go": "x\n"}), shown())
	require.ErrorContains(t, err, " has no such file that the fix changed: ")
	require.ErrorContains(t, err, "lost.go")
}

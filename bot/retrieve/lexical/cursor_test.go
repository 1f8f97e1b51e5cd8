package lexical

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCursorsMeetAtWhatBothHave(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		a, b := someTerms(r), someTerms(r)
		var want, got []Term
		for _, t := range a {
			if slices.Contains(b, t) {
				want = append(want, t)
			}
		}
		x, y := cursor{terms: a}, cursor{terms: b}
		for meet(&x, &y) {
			require.Equal(t, a[x.at], b[y.at])
			got = append(got, a[x.at])
			x.skip(1)
		}
		require.Equal(t, want, got)

		x, before := cursor{terms: a}, 0
		for _, term := range b {
			x.pass(term)
			at, found := slices.BinarySearch(a, term)
			require.Equal(t, max(at, before), x.at)
			n := x.take(term)
			require.Equal(t, found && at >= before, n > 0)
			before = x.at
		}
	}
}

// someTerms returns some terms in order, some of them more than once.
func someTerms(r *rand.Rand) []Term {
	terms := make([]Term, r.IntN(60))
	for i := range terms {
		terms[i] = Term(r.IntN(1 + r.IntN(100)))
	}
	slices.Sort(terms)
	return terms
}

package eval

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const aPair = `{"id": "shop-1", "repo": "acme/shop", "lang": "Go", "kind": "issue", ` +
	`"base": "0123456789012345678901234567890123456789", "text": "Wrong total\nThe total is off by one.", ` +
	`"gold": ["total.go"], "lines": {"total.go": [3, 4]}}`

func TestPairsAreReadLineByLine(t *testing.T) {
	t.Parallel()
	pairs, err := ReadPairs(strings.NewReader(aPair + "\n\n" + strings.Replace(aPair, "shop-1", "shop-2", 1)))
	require.NoError(t, err)
	require.Len(t, pairs, 2)
	require.Equal(t, Pair{
		ID: "shop-1", Repo: "acme/shop", Base: "0123456789012345678901234567890123456789", Lang: "Go", Kind: "issue",
		Text: "Wrong total\nThe total is off by one.", Gold: []string{"total.go"},
		Lines: map[string][]int{"total.go": {3, 4}},
	}, pairs[0])
	require.Equal(t, "shop-2", pairs[1].ID)
}

func TestALineThatIsNoPairIsNamed(t *testing.T) {
	t.Parallel()
	for want, change := range map[string][2]string{
		"line 2: no pair: invalid character":                    {`{"id"`, `id`},
		`line 2: a pair needs an "id"`:                          {`"shop-1"`, `""`},
		`line 2: "repo" must be "owner/name", not "shop"`:       {"acme/shop", "shop"},
		`line 2: "repo" must be "owner/name", not "../shop"`:    {"acme/shop", "../shop"},
		`line 2: "repo" must be "owner/name", not "acme/s/hop"`: {"acme/shop", "acme/s/hop"},
		`line 2: a pair needs a "base", `:                       {"0123456789012345678901234567890123456789", ""},
		`line 2: a pair needs "gold", `:                         {`["total.go"]`, `[]`},
		`line 2: "lines" has "sum.go", which is not in "gold"`:  {`{"total.go"`, `{"sum.go"`},
		`line 2: "lines" of "total.go" has a line -3`:           {`[3, 4]`, `[-3, 4]`},
	} {
		require.Contains(t, aPair, change[0])
		_, err := ReadPairs(strings.NewReader(aPair + "\n" + strings.Replace(aPair, change[0], change[1], 1)))
		require.ErrorContains(t, err, want)
	}
	_, err := ReadPairs(strings.NewReader(aPair + "\n" + strings.Repeat(" ", maxPairLine+1) + "\n"))
	require.ErrorContains(t, err, "line 2: bufio.Scanner: token too long")
}

func FuzzReadPairs(f *testing.F) {
	f.Add(aPair)
	f.Add(aPair + "\n" + aPair)
	f.Add("{}\n\nnull")
	f.Fuzz(func(t *testing.T, text string) {
		pairs, err := ReadPairs(strings.NewReader(text))
		if err != nil {
			require.Regexp(t, `^line \d+: `, err.Error())
			return
		}
		for _, p := range pairs {
			require.NotEmpty(t, p.Gold)
			require.NotContains(t, p.Repository().Owner+p.Repository().Name, "/", "it is one folder of a mirror")
			for _, name := range p.Gold {
				require.NotEmpty(t, p.changedLines(name))
			}
		}
	})
}

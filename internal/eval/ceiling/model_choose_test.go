package ceiling

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/prompts"
)

func TestTheModelChoosesWhatTheFixChanges(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 60 {
		files[fmt.Sprintf("shop/total%02d.py", i)] = numbered(fmt.Sprintf("total_of_rates_%02d_", i), 400)
	}
	after := with(files, "shop/total41.py", "total_of_rates_41_200 = 200", "total_of_rates_41_200 = 0")
	r := ceilingOf(t, "The total of the rates is wrong", 24_000, files, after)
	require.Equal(t, Solved, r.Outcome, r.Why)
}

func TestTheModelChoosesNothingWhereNothingThatItNeedsIsOffered(t *testing.T) {
	t.Parallel()
	m := newModel([]string{"a.go", "sub/b c.go"}, [][]byte{nil, nil}, [][]byte{nil, nil})
	ask := func(paths ...string) string {
		in := prompts.ChooseInput{Task: "fix it", Nonce: "k"}
		for i, p := range paths {
			in.Offered = append(in.Offered, prompts.Offered{Path: p, Lines: i + 1, Outline: []string{"1: a.go"}})
		}
		system, user := prompts.Choose(in)
		answer, err := m.Complete(t.Context(),
			port.Request{System: system, Messages: []port.Message{{Role: "user", Text: user}}}, nil)
		require.NoError(t, err)
		return answer.Text
	}
	require.Equal(t, "NEED: a.go\nNEED: \"sub/b c.go\"", ask("sub/b c.go", "c.go", "a.go"))
	require.Equal(t, "None of these files has to be changed.", ask("c.go", "d.go"))
}

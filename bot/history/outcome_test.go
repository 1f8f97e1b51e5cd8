package history

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

func TestTheLatestWordOnABlockCountsUntilItIsCommitted(t *testing.T) {
	t.Parallel()
	const sha = "0123456789abcdef0123456789abcdef01234567"
	all := map[int]BlockOutcome{}
	note := func(run string, block int, status record.Status, reason engine.Reason, made record.Committed) {
		made.Results = []record.Result{{Status: status, Reason: string(reason), Detail: "it did not fit"}}
		Note(record.Choice{Numbers: []int{block}}, all, run, made)
	}
	note("a", 4, record.StatusFailed, engine.NotFound, record.Committed{})
	require.Equal(t, BlockOutcome{Why: "it did not fit"}, all[4])
	note("b", 4, record.StatusApplied, "", record.Committed{Unpushed: "it is a fork"})
	require.Equal(t, BlockOutcome{Why: "it is a fork"}, all[4])
	note("b", 4, record.StatusApplied, "", record.Committed{Held: true})
	require.Contains(t, all[4].Why, "want all or none")
	note("c", 4, record.StatusApplied, "", record.Committed{SHA: sha})
	note("d", 4, record.StatusFailed, engine.NotFound, record.Committed{})
	require.Equal(t, BlockOutcome{SHA: sha, Run: "c"}, all[4])
	require.True(t, all[4].Done())
	note("e", 5, record.StatusSkipped, engine.AlreadyApplied, record.Committed{})
	require.True(t, all[5].Done())
}

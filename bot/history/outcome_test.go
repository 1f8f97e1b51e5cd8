package history

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/record"
)

func result(status record.Status, reason, detail string) record.Result {
	return record.Result{Path: "a.go", Status: status, Reason: reason, Detail: detail}
}

func TestABlockIsDoneOnceItIsCommittedOrInTheFile(t *testing.T) {
	t.Parallel()
	applied, failed := result(record.StatusApplied, "", ""), result(record.StatusFailed, "not-found", "it did not fit")
	take := func(r record.Result) record.Application { return record.Application{Results: []record.Result{r}} }
	all := BlockOutcomes{}
	four := record.Choice{Numbers: []int{4}}
	all.Add(four, "a", record.Committed{Application: take(failed)})
	require.Equal(t, BlockOutcome{Why: "it did not fit"}, all[4])
	all.Add(four, "b", record.Committed{Application: take(applied), Unpushed: "it is a fork"})
	require.Equal(t, BlockOutcome{Why: "it is a fork"}, all[4])
	all.Add(four, "c", record.Committed{Application: take(applied), Held: true})
	require.Contains(t, all[4].Why, "require that all fit")
	all.Add(four, "d", record.Committed{Application: take(applied)})
	require.Equal(t, BlockOutcome{Why: "nothing was committed"}, all[4])
	require.False(t, all[4].Done())
	all.Add(four, "e", record.Committed{Application: take(applied), SHA: someSHA})
	all.Add(four, "f", record.Committed{Application: take(failed)})
	require.Equal(t, BlockOutcome{SHA: someSHA, Run: "e"}, all[4])
	require.True(t, all[4].Done())

	for i, reason := range []string{"already-applied", "no-change"} {
		all.Add(record.Choice{Numbers: []int{i}}, "g",
			record.Committed{Application: take(result(record.StatusSkipped, reason, ""))})
		require.Equal(t, BlockOutcome{Present: true}, all[i])
		require.True(t, all[i].Done())
	}
	more := record.Application{Results: []record.Result{applied, applied}}
	all.Add(record.Choice{Numbers: []int{9}}, "h", record.Committed{Application: more, SHA: someSHA})
	require.Len(t, all, 4, "a result without a number is nobody's")
	require.Zero(t, all[10])
}

// apply is a run that committed blocks of the preview.
func apply(results []record.Result, numbers ...int) []outcome {
	return []outcome{
		did(record.Opened, onSpeed), did(record.Chosen, record.Choice{Run: "preview", Numbers: numbers}),
		did(record.CommitMade, committed(results...)),
		did(record.SumsTaken, map[string]string{"a.go": results[0].Detail}),
	}
}

func undo(run string) []outcome {
	return []outcome{
		did(record.Opened, onSpeed), did(record.UndoFound, record.Commit{Run: run}), did(record.CommitMade, committed()),
	}
}

func TestWhatWasCommittedOfAPreviewIsKnownUntilItIsUndone(t *testing.T) {
	t.Parallel()
	applied := func(sum string) []record.Result { return []record.Result{result(record.StatusApplied, "", sum)} }
	q := &queue{}
	q.add(t, "one", 12, "/tenon apply 1", apply(applied("first"), 1)...)
	q.add(t, "two", 12, "/tenon apply 2", apply(applied("second"), 2)...)
	q.add(t, "other", 12, "/tenon apply", did(record.Opened, onSpeed),
		did(record.Chosen, record.Choice{Run: "other preview", Numbers: []int{5}}),
		did(record.CommitMade, committed(applied("x")...)))
	q.add(t, "pasted", 12, "/tenon apply", did(record.Opened, onSpeed),
		did(record.Chosen, record.Choice{Numbers: []int{6}}),
		did(record.CommitMade, committed(applied("x")...)))
	q.add(t, "died", 12, "/tenon apply 3", did(record.Chosen, record.Choice{Run: "preview", Numbers: []int{3}}))
	h, skipped := q.thread()
	outcomes := func() (BlockOutcomes, map[string]string) {
		all, sums, err := h.BlockOutcomes(t.Context(), Preview{Run: "preview"}, onSpeed)
		require.NoError(t, err)
		require.Empty(t, *skipped)
		return all, sums
	}
	all, sums := outcomes()
	require.Equal(t, BlockOutcomes{1: {SHA: someSHA, Run: "one"}, 2: {SHA: someSHA, Run: "two"}}, all)
	require.Equal(t, map[string]string{"a.go": "second"}, sums, "the newest sum counts")

	q.add(t, "undo", 12, "/tenon undo", undo("two")...)
	all, sums = outcomes()
	require.Equal(t, BlockOutcomes{1: {SHA: someSHA, Run: "one"}}, all, "what was undone can be committed again")
	require.Equal(t, map[string]string{"a.go": "first"}, sums)

	q.add(t, "redo", 12, "/tenon undo undo", undo("undo")...)
	all, _ = outcomes()
	require.Equal(t, BlockOutcome{SHA: someSHA, Run: "two"}, all[2], "its undo was undone")
}

func TestAnUndoThatCannotBeReadLeavesItsBlocksDone(t *testing.T) {
	t.Parallel()
	q := &queue{}
	q.add(t, "one", 12, "/tenon apply 1", apply([]record.Result{result(record.StatusApplied, "", "")}, 1)...)
	q.add(t, "undo", 12, "/tenon undo", undo("one")...)
	q.damage("undo", "undo")
	h, skipped := q.thread()
	all, _, err := h.BlockOutcomes(t.Context(), Preview{Run: "preview"}, onSpeed)
	require.NoError(t, err)
	require.True(t, all[1].Done())
	require.Contains(t, *skipped, "undo")
}

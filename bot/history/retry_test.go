package history

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/prompts"
)

func commandOf(ev port.Event) (command.Command, bool) {
	inv, ok := command.FromEvent(ev, "tenon", "tenon")
	return inv.Command, ok
}

// recordOf is the record of a run that came to these results.
func recordOf(committed record.Committed) record.Record {
	return record.Record{
		ID: "abcdefghijkl", Applications: []record.Application{committed.Application}, Committed: &committed}
}

var mixedResults = []record.Result{
	{Path: "a.go", Status: record.StatusApplied, Line: 3},
	{Path: "b.go", Status: record.StatusFailed, Reason: "not-found", Detail: "Not there", Diff: "-x\n+y\n"},
	{Path: "b.go", Status: record.StatusSkipped, Reason: "earlier-failed", Detail: "Later"},
	{Path: "c.go", Status: record.StatusSkipped, Reason: "already-applied"},
	{Path: "d.go", Status: record.StatusSkipped, Reason: "no-change"},
	{Path: ".git/x", Status: record.StatusFailed, Reason: "unsafe-path"},
}

func TestWhatIsLeftOfARunIsWhatCouldStillBeMade(t *testing.T) {
	t.Parallel()
	e := EditsOf(recordOf(record.Committed{SHA: someSHA, Application: record.Application{Results: mixedResults}}))
	require.Equal(t, []prompts.MadeEdit{{Number: 1, Path: "a.go", Line: 3}, {Number: 4, Path: "c.go"}}, e.Made)
	require.Equal(t, []prompts.LostEdit{
		{Number: 2, Path: "b.go", Why: "Not there", Diff: "-x\n+y\n"}, {Number: 3, Path: "b.go", Why: "Later"},
	}, e.Failed)
	require.True(t, e.Unrepairable)
	require.Equal(t, []retrieve.TaskFile{{Path: "b.go"}}, e.Files())
}

func TestEditsThatWereHeldBackAreLeftToo(t *testing.T) {
	t.Parallel()
	e := EditsOf(recordOf(record.Committed{Held: true, Application: record.Application{Results: mixedResults[:2]}}))
	require.Empty(t, e.Made)
	require.Equal(t, "It fits, but nothing was committed", e.Failed[0].Why)
	require.Len(t, e.Failed, 2)
}

func TestWhatARetrySaysIsBounded(t *testing.T) {
	t.Parallel()
	var many []record.Result
	for range 300 {
		many = append(many, record.Result{
			Path: strings.Repeat("p", 4000), Status: record.StatusFailed, Reason: "not-found", Detail: "a\nb",
			Diff: strings.Repeat("-x\n", 1000),
		})
	}
	e := EditsOf(recordOf(record.Committed{SHA: someSHA, Application: record.Application{Results: many}}))
	_, ask := prompts.Fix(prompts.Input{Retry: e.Prompt(), Nonce: "n"})
	require.Less(t, len(ask), maxFailedDiffs+300*(markdown.MaxCell+100))
	require.Contains(t, ask, ": a b.")
	require.LessOrEqual(t, len(e.Files()), maxFailedFiles)
}

// ran is a run on the branch whose edits came to results, and were committed.
func ran(results ...record.Result) []outcome {
	return []outcome{
		did(record.Opened, onSpeed), did(record.Prompted, record.Prompt{Base: headSHA}), answer(record.TurnFix, "Done."),
		did(record.Applied(1), record.Application{Results: results}), did(record.CommitMade, committed(results...)),
	}
}

// unanswered is a run whose model never answered.
func unanswered() []outcome {
	return []outcome{did(record.Opened, onSpeed), did(record.Prompted, record.Prompt{Base: headSHA})}
}

func TestARetryTakesUpTheNewestRunWithSomethingLeft(t *testing.T) {
	t.Parallel()
	applied, failed, unsafe := mixedResults[0], mixedResults[1], mixedResults[5]
	retried := func(run string, outcomes []outcome) []outcome {
		return append(outcomes, did(record.RetryFound, record.Retry{Run: run, First: run}))
	}
	type past struct {
		id, command string
		outcomes    []outcome
	}
	for story, c := range map[string]struct {
		past  []past // oldest first
		name  string
		retry record.Retry
		err   string
	}{
		"nothing happened": {err: ErrNothingToRetry.Error()},
		"a failure":        {past: []past{{"a", "fix it", ran(failed)}}, retry: record.Retry{Run: "a", First: "a"}},
		"the newest of two failures": {
			past:  []past{{"a", "fix it", ran(failed)}, {"b", "address", ran(applied, failed)}},
			retry: record.Retry{Run: "b", First: "b"},
		},
		"an older failure that is named": {
			past: []past{{"a", "fix it", ran(failed)}, {"b", "fix it", ran(failed)}}, name: "a",
			retry: record.Retry{Run: "a", First: "a"},
		},
		"a failure behind a success": {
			past: []past{{"a", "fix it", ran(failed)}, {"b", "fix it", ran(applied)}}, retry: record.Retry{Run: "a", First: "a"},
		},
		"a failure that was tried again": {
			past: []past{{"a", "fix it", ran(failed)}, {"b", "retry", retried("a", ran(applied))}},
			err:  ErrNothingToRetry.Error(),
		},
		"a retry that failed": {
			past:  []past{{"a", "fix it", ran(failed)}, {"b", "retry", retried("a", ran(failed))}},
			retry: record.Retry{Run: "b", First: "a"},
		},
		"a retry that the model never answered": {
			past:  []past{{"a", "fix it", ran(failed)}, {"b", "retry", retried("a", unanswered())}},
			retry: record.Retry{Run: "a", First: "a"},
		},
		"an apply of a preview": {
			past:  []past{{"a", "apply 1", append(ran(failed), did(record.Chosen, record.Choice{Run: "p", Numbers: []int{1}}))}},
			retry: record.Retry{Run: "a", First: "p"},
		},
		"a command that the model never answered": {
			past: []past{{"a", "preview it", unanswered()}}, retry: record.Retry{Run: "a", First: "a", Whole: true},
		},
		"an older one that it never answered": {
			past: []past{{"a", "ask it", unanswered()}, {"b", "fix it", ran(applied)}}, err: ErrNothingToRetry.Error(),
		},
		"a preview, whatever fails in it": {past: []past{{"a", "preview it", ran(failed)}}, err: ErrNothingToRetry.Error()},
		"an undo that failed":             {past: []past{{"a", "undo", ran(failed)}}, err: ErrNothingToRetry.Error()},
		"no command any more":             {past: []past{{"a", "", unanswered()}}, err: ErrNothingToRetry.Error()},
		"what no words fix": {past: []past{{"a", "fix it", ran(unsafe)}},
			err: (&UnrepairableError{"a"}).Error()},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			q := &queue{}
			for _, p := range c.past {
				body := "/tenon " + p.command
				if p.command == "" {
					body = "Never mind."
				}
				q.add(t, p.id, 12, body, p.outcomes...)
			}
			h, skipped := q.thread()
			retry, err := h.Retry(t.Context(), onSpeed, c.name, commandOf)
			if c.err != "" {
				require.EqualError(t, err, c.err)
			} else {
				require.NoError(t, err)
			}
			require.Equal(t, c.retry, retry)
			require.Empty(t, *skipped)
		})
	}
}

func TestACommandBeforeARunThatCannotBeReadIsNotTheNewest(t *testing.T) {
	t.Parallel()
	q := &queue{}
	q.add(t, "older", 12, "/tenon ask it", unanswered()...)
	q.add(t, "newer", 12, "/tenon fix it", ran(mixedResults[0])...)
	q.damage("newer", "commit")
	h, skipped := q.thread()
	_, err := h.Retry(t.Context(), onSpeed, "", commandOf)
	require.ErrorIs(t, err, ErrNothingToRetry)
	require.Equal(t, []string{"newer"}, *skipped)
}

func TestWhatARetrySaysOfBrokenFilesIsBounded(t *testing.T) {
	t.Parallel()
	one := breaks("a.go")
	e := EditsOf(recordOf(record.Committed{Application: record.Application{Results: []record.Result{one, one}}}))
	require.Equal(t, []prompts.LostEdit{
		{Number: 1, Path: "a.go", Why: "It broke its file, so it was not applied", Problems: []string{"line 1: expected }"}},
		{Number: 2, Path: "a.go", Why: "It broke its file, so it was not applied"},
	}, e.Failed)
	var many []record.Result
	for n := range 200 {
		r := breaks(fmt.Sprintf("%d.go", n))
		r.Problems[0].Text = strings.Repeat("x", 300)
		many = append(many, r)
	}
	size := 0
	for _, lost := range EditsOf(recordOf(record.Committed{Application: record.Application{Results: many}})).Failed {
		for _, p := range lost.Problems {
			size += len(p)
		}
	}
	require.NotZero(t, size)
	require.LessOrEqual(t, size, maxFailedDiffs)
}

func TestWhatALaterRunCommittedIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	q := &queue{}
	q.add(t, "fix", 12, "/tenon fix it", append(broke(t, inReply(fits("a.go", 0), breaks("b.go"))...),
		did(record.Applied(1), record.Application{Results: inReply(fits("a.go", 0), breaks("b.go"))}))...)
	h, _ := q.thread()
	rec, err := record.Load(q.runs[0].Run)
	require.NoError(t, err)
	retry, err := h.Retry(t.Context(), onSpeed, "", commandOf)
	require.NoError(t, err)
	require.Equal(t, "fix", retry.Run)
	left, err := h.EditsLeft(t.Context(), rec)
	require.NoError(t, err)
	require.Len(t, left.Failed, 1)

	taken := fits("b.go", 0)
	taken.Number = 2
	made := committed(taken)
	made.SHA = someSHA
	q.add(t, "apply", 12, "/tenon apply 2", did(record.Opened, onSpeed),
		did(record.Chosen, record.Choice{Run: "fix", Numbers: []int{2}}),
		did(record.Applied(1), made.Application), did(record.CommitMade, made))
	_, err = h.Retry(t.Context(), onSpeed, "", commandOf)
	require.ErrorIs(t, err, ErrNothingToRetry)
	left, err = h.EditsLeft(t.Context(), rec)
	require.NoError(t, err)
	require.Empty(t, left.Failed)
	q.err = errBroken
	_, err = h.EditsLeft(t.Context(), rec)
	require.ErrorIs(t, err, errBroken)
}

package conversation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

func TestEditsAreCountedByTheFormatInWhichTheyWereWritten(t *testing.T) {
	t.Parallel()
	s := script{files: map[string]string{"a.go": "one\ntwo\n", "b.go": "b\n", "c.go": "c\n"}}
	results := func(c Conversation) []record.Result {
		return record.Results(engine.Outcome{Results: s.try(t, c)})
	}
	first := block("a.go", "eins", "1") + block("a.go", "two", "2") + block("b.go", "B", "b") + block("c.go", "c", "C")
	c := answered(t, record.TurnFix, port.Answer{Text: first, Name: "fast"})
	require.Equal(t, []port.FormatCount{{Model: "fast", Format: "diff", Blocks: 3, Applied: 1}}, c.Formats(results(c)),
		"that the second was skipped says nothing")

	correction := "### File: a.go\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n"
	c = then(t, c, record.TurnRepair, port.Answer{Text: correction, Name: "slow"}, s.try(t, c))
	require.Equal(t, []port.FormatCount{
		{Model: "fast", Format: "diff", Blocks: 4, Applied: 2}, {Model: "slow", Format: "section", Blocks: 1, Applied: 1},
	}, c.Formats(results(c)), "the edit that was corrected was not applied")
	require.Empty(t, c.Formats(results(c)[1:]), "those are of other edits")

	unknown := answered(t, record.TurnFix, port.Answer{Text: first})
	require.Empty(t, unknown.Formats(results(unknown)))
}

func TestAnEditThatIsRefusedWhateverItsWordsIsNotCounted(t *testing.T) {
	t.Parallel()
	c := answered(t, record.TurnFix, port.Answer{Text: block("../a.go", "a", "A"), Name: "fast"})
	require.Empty(t, c.Formats([]record.Result{{Status: record.StatusFailed, Reason: string(engine.UnsafePath)}}))
}

package conversation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

func paths(blocks []engine.Block) (out []string) {
	for _, b := range blocks {
		out = append(out, b.Path)
	}
	return out
}

func TestAllBlocksOfAPastedTextAreInThePlan(t *testing.T) {
	t.Parallel()
	c := Pasted("Two edits:\n\n" + block("a.go", "a", "b") + "\n" + block("b.go", "a", "b"))
	require.Equal(t, []string{"a.go", "b.go"}, paths(c.Blocks()))
	require.Equal(t, "Two edits:", c.Prose())
	require.False(t, c.IsQuestion())
	require.Empty(t, Pasted("None.").Blocks())
}

func TestARecordedConversationIsReadAgain(t *testing.T) {
	t.Parallel()
	rec := record.Record{ID: "k3v9x1p7q2m4", Turns: []record.Turn{
		{Kind: record.TurnFix, Answer: port.Answer{Text: block("a.go", "a", "b") + "\n" + block("b.go", "a", "b")},
			Plan: []record.BlockRef{{Turn: 0, Block: 0}, {Turn: 0, Block: 1}}},
		{Kind: record.TurnRepair, Ask: "Again.", Answer: port.Answer{Text: block("c.go", "a", "b")},
			Plan: []record.BlockRef{{Turn: 1, Block: 0}, {Turn: 0, Block: 1}}},
	}}
	c, err := Recorded(rec)
	require.NoError(t, err)
	require.Equal(t, []string{"c.go", "b.go"}, paths(c.Blocks()))

	c, err = Recorded(record.Record{})
	require.NoError(t, err)
	require.Empty(t, c.Blocks())
}

// The blocks of a record are numbers in replies that are parsed again: another version of the engine may find fewer.
func TestARecordedPlanOfBlocksThatAreNotThereIsAnErrorAndNoPanic(t *testing.T) {
	t.Parallel()
	for story, ref := range map[string]record.BlockRef{
		"fewer blocks":             {Turn: 0, Block: 1},
		"no block in that turn":    {Turn: 1, Block: 0},
		"a turn that never was":    {Turn: 2, Block: 0},
		"a block before the first": {Turn: 0, Block: -1},
		"a turn before the first":  {Turn: -1, Block: 0},
		"a number beyond all":      {Turn: 1 << 40, Block: 1 << 40},
	} {
		turns := []record.Turn{
			{Answer: port.Answer{Text: block("a.go", "a", "b")}, Plan: []record.BlockRef{{Turn: 0, Block: 0}}},
			{Answer: port.Answer{Text: "Sorry."}, Plan: []record.BlockRef{{Turn: 0, Block: 0}, ref}},
		}
		_, err := Recorded(record.Record{ID: "k3v9x1p7q2m4", Turns: turns})
		var plan *PlanError
		require.ErrorAs(t, err, &plan, story)
		require.Equal(t, PlanError{Turn: 1, Ref: ref}, *plan, story)
		require.ErrorContains(t, err, "run k3v9x1p7q2m4: the plan of turn 2 names block", story)
		require.True(t, plan.Permanent(), "it is the same in another attempt")

		c := Conversation{Turns: turns, Replies: []engine.Reply{engine.Parse(turns[0].Answer.Text, engine.ParseOptions{}),
			{}}}
		require.Equal(t, []string{"a.go"}, paths(c.Blocks()), story)
		outcomes := ThreadOutcomes(record.Prompt{Reviews: []record.ReviewThread{{Number: 1, Path: "a.go"}}}, c,
			make([]record.Result, 2))
		require.Len(t, outcomes[0].Results, 1, story)
	}
}

func TestAPlanMayNameAnEarlierTurnButNoLaterOne(t *testing.T) {
	t.Parallel()
	turns := []record.Turn{
		{Answer: port.Answer{Text: block("a.go", "a", "b")}, Plan: []record.BlockRef{{Turn: 1, Block: 0}}},
		{Answer: port.Answer{Text: block("b.go", "a", "b")}, Plan: []record.BlockRef{{Turn: 0, Block: 0}}},
	}
	_, err := Recorded(record.Record{Turns: turns})
	require.ErrorContains(t, err, "the plan of turn 1 names block 1 of turn 2, which does not exist")
	turns[0].Plan = nil
	_, err = Recorded(record.Record{Turns: turns})
	require.NoError(t, err)
}

func TestSomeEditsOfAPlanAreChosenByTheirNumbers(t *testing.T) {
	t.Parallel()
	all := Pasted(block("a.go", "a", "b") + "\n" + block("b.go", "a", "b") + "\n" + block("c.go", "a", "b"))
	some, err := all.Only([]int{1, 3})
	require.NoError(t, err)
	require.Equal(t, []string{"a.go", "c.go"}, paths(some.Blocks()))
	require.Equal(t, []string{"a.go", "b.go", "c.go"}, paths(all.Blocks()), "the whole conversation is as it was")

	none, err := all.Only(nil)
	require.NoError(t, err)
	require.Empty(t, none.Blocks())
}

func TestAnEditThatAPlanDoesNotHaveCannotBeChosen(t *testing.T) {
	t.Parallel()
	for _, n := range []int{-1, 0, 2, 1 << 40} {
		_, err := Pasted(block("a.go", "a", "b")).Only([]int{1, n})
		var user *port.UserError
		require.ErrorAs(t, err, &user, n)
		require.Contains(t, user.Text, "This version of tenon finds 1 edit there, and no edit")
	}
	_, err := Conversation{}.Only([]int{1})
	require.ErrorContains(t, err, "finds 0 edits there, and no edit 1")
	empty, err := Conversation{}.Only(nil)
	require.NoError(t, err)
	require.Empty(t, empty.Turns)
}

func TestOneMoreTurnLeavesTheConversationBeforeItAlone(t *testing.T) {
	t.Parallel()
	first := answered(t, record.TurnFix, port.Answer{Text: block("a.go", "a", "b")})
	one, err := first.With(record.Turn{Ask: "one"})
	require.NoError(t, err)
	other, err := first.With(record.Turn{Ask: "other"})
	require.NoError(t, err)
	require.Len(t, first.Turns, 1)
	require.Equal(t, "one", one.Turns[1].Ask)
	require.Equal(t, "other", other.Turns[1].Ask)
	require.Len(t, one.Replies, 2)
}

// What a reply suggests does not depend on the numbers of its edits.
func TestTheRepliesOfARunAreReadWithoutItsPlan(t *testing.T) {
	t.Parallel()
	rec := record.Record{Turns: []record.Turn{{
		Kind: record.TurnFix, Answer: port.Answer{Text: "```sh\ngit rm a.go\n```\n"},
		Plan: []record.BlockRef{{Turn: 0, Block: 7}},
	}}}
	_, err := Recorded(rec)
	require.Error(t, err)
	c := Replies(rec)
	require.Len(t, c.Suggestions(), 1)
	require.Empty(t, c.Blocks())
	require.Len(t, rec.Turns[0].Plan, 1, "the record is as it was")
}

func TestACorrectionIsForWhatTheEditWasForThatItReplaces(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files   map[string]string
		answers []port.Answer
		want    []string
	}{
		"one correction": {map[string]string{"a.go": "c\n", "b.go": "x\n"}, says("COMMIT: fix: it\n\nReturn it.\n\n"+
			block("a.go", "a", "b")+"\nLog it.\n\n"+block("b.go", "x", "y"), block("a.go", "d", "b"), block("a.go", "c", "b")),
			[]string{"Return it.", "Log it."}},
		"a correction that says what it is for": {map[string]string{"a.go": "c\n"}, says("COMMIT: fix: it\n\nReturn it.\n\n"+
			block("a.go", "a", "b"), "It has another line.\n\nReturn it there.\n\n"+block("a.go", "c", "b")),
			[]string{"Return it there."}},
		"two for one": {map[string]string{"a.go": "c\nd\n"}, says("COMMIT: fix: it\n\nReturn it.\n\n"+
			block("a.go", "a", "b"), block("a.go", "c", "e")+block("a.go", "d", "f")), []string{"", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			talk, _ := script{files: c.files, answers: c.answers}.run(t, record.TurnFix)
			var got []string
			for _, b := range talk.Blocks() {
				got = append(got, b.Purpose)
			}
			require.Equal(t, c.want, got)
		})
	}
}

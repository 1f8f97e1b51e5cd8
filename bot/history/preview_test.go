package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// fits is the result of a block that could be committed, on a line of the reply.
func fits(path string, line int) record.Result {
	return record.Result{Path: path, Status: record.StatusApplied, ReplyLine: line}
}

const block = "a.go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"

// previewed is a preview of a reply with a block for each of the results, and of a command that it suggests.
func previewed(t *testing.T, results ...record.Result) []outcome {
	t.Helper()
	turn := record.Turn{Kind: record.TurnFix,
		Answer: port.Answer{Text: strings.Repeat(block, len(results)) + "\n```sh\ngit rm b.go\n```\n"}}
	for i := range results {
		turn.Plan = append(turn.Plan, record.BlockRef{Turn: 0, Block: i})
	}
	return []outcome{
		did(record.Prompted,
			record.Prompt{Base: headSHA, Selection: retrieve.Selection{Shown: map[string]string{"a.go": "1"}}}),
		did(record.Asked(1), turn),
		did(record.Previewed, record.Preview{Application: record.Application{Base: headSHA, Results: results}}),
		did(record.Reported, record.AnswerComment{Comment: 5, URL: "https://github.example/x"}),
	}
}

// inReply are results of a block each, as the engine numbers the lines of block.
func inReply(results ...record.Result) []record.Result {
	for i := range results {
		results[i].ReplyLine = 2 + i*strings.Count(block, "\n")
	}
	return results
}

func TestTheNewestPreviewThatWasShownCounts(t *testing.T) {
	t.Parallel()
	q := &queue{}
	q.add(t, "oldest", 12, "/tenon preview it", previewed(t, inReply(fits("a.go", 0))...)...)
	both := inReply(fits("a.go", 0), record.Result{Path: "a.go", Status: record.StatusFailed})
	q.add(t, "shown", 12, "/tenon preview it", append(previewed(t, both...), did(record.Opened, onSpeed))...)
	q.add(t, "unfinished", 12, "/tenon preview it", previewed(t, both...)[:3]...)
	q.add(t, "fix", 12, "/tenon fix it", did(record.Opened, onSpeed))
	q.add(t, "elsewhere", 13, "/tenon preview it", previewed(t, both...)...)
	h, skipped := q.thread()
	v, ok, err := h.NewestPreview(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "shown", v.Run)
	require.Equal(t, "/tenon preview it", v.Event.Comment.Body)
	require.EqualValues(t, 5, v.Answer.Comment)
	require.Equal(t, onSpeed, v.Target)
	require.Equal(t, map[string]string{"a.go": "1"}, v.Prompt.Shown)
	require.Len(t, v.Conversation.Blocks(), 2)
	require.Equal(t, headSHA, v.Base)
	require.Equal(t, []bool{false, true, false, false}, []bool{v.Fits(0), v.Fits(1), v.Fits(2), v.Fits(3)})
	require.Empty(t, *skipped)

	_, ok, err = Thread{Queue: &queue{}, Event: h.Event}.NewestPreview(t.Context())
	require.NoError(t, err)
	require.False(t, ok)
}

// The boxes of a preview have the numbers of blocks in a reply that is parsed again: another version of the engine may
// number them otherwise, and a box would commit an edit that was shown at another one.
func TestAPreviewWhoseBlocksAreNotThoseThatWereShownIsUnreadable(t *testing.T) {
	t.Parallel()
	planned := func(refs ...record.BlockRef) []outcome {
		all := previewed(t, inReply(fits("a.go", 0), fits("a.go", 0))...)
		all[1] = did(record.Asked(1), record.Turn{Kind: record.TurnFix, Answer: port.Answer{Text: block}, Plan: refs})
		return all
	}
	for story, c := range map[string]struct {
		outcomes []outcome
		says     string
	}{
		"fewer blocks than planned": {
			planned(record.BlockRef{Turn: 0, Block: 0}, record.BlockRef{Turn: 0, Block: 1}),
			"the plan of turn 1 names block 2 of turn 1",
		},
		"fewer blocks than shown": {planned(record.BlockRef{Turn: 0, Block: 0}), "it has 1 blocks, and the results of 2"},
		"another block before it": {previewed(t, fits("a.go", 1)), "block 1 is on line 2 of its reply, and was on line 1"},
	} {
		q := &queue{}
		q.add(t, "older", 12, "/tenon preview it", previewed(t, inReply(fits("a.go", 0))...)...)
		q.add(t, "newer", 12, "/tenon preview it", c.outcomes...)
		h, _ := q.thread()
		_, _, newest := h.NewestPreview(t.Context())
		_, named := h.PreviewOf(t.Context(), "newer")
		for _, err := range []error{newest, named} {
			var user *port.UserError
			require.ErrorAs(t, err, &user, story)
			require.Contains(t, user.Text, "The record of run `newer` cannot be read", story)
			require.ErrorContains(t, err, c.says, story)
		}
	}
}

func TestAPreviewIsNamedByItsRunOnItsOwnThread(t *testing.T) {
	t.Parallel()
	q := &queue{}
	q.add(t, "shown", 12, "/tenon preview it", previewed(t, inReply(fits("a.go", 0))...)...)
	q.add(t, "elsewhere", 13, "/tenon preview it", previewed(t, inReply(fits("a.go", 0))...)...)
	q.add(t, "fix", 12, "/tenon fix it", did(record.Opened, onSpeed))
	h, _ := q.thread()
	v, err := h.PreviewOf(t.Context(), "shown")
	require.NoError(t, err)
	require.Equal(t, "shown", v.Run)
	for _, id := range []string{"elsewhere", "fix", "never"} {
		_, err = h.PreviewOf(t.Context(), id)
		var user *port.UserError
		require.ErrorAs(t, err, &user, id)
		require.Equal(t, "That preview is no longer stored, so nothing was committed. Ask for a new one: `/tenon "+
			"preview <what>`.", user.Text)
	}
	q.err = errBroken
	_, err = h.PreviewOf(t.Context(), "shown")
	require.ErrorIs(t, err, errBroken)
}

// broke is a run that committed some of its blocks, and left those out that broke their file.
func broke(t *testing.T, results ...record.Result) []outcome {
	t.Helper()
	all := previewed(t, results...)
	made := committed(results...)
	return append(all[:2:2], did(record.Opened, onSpeed), did(record.CommitMade, made), all[3])
}

func breaks(path string) record.Result {
	return record.Result{Path: path, Status: record.StatusFailed, Reason: "syntax-error", Detail: "it does not parse",
		Problems: []record.Problem{{Line: 1, Text: "expected }", Syntax: true}}}
}

func TestTheNewestAnswerThatLeftEditsOutIsAnOffer(t *testing.T) {
	t.Parallel()
	q := &queue{}
	q.add(t, "preview", 12, "/tenon preview it", previewed(t, inReply(fits("a.go", 0))...)...)
	q.add(t, "fix", 12, "/tenon fix it", broke(t, inReply(fits("a.go", 0), breaks("b.go"))...)...)
	q.add(t, "fitted", 12, "/tenon fix it", broke(t, inReply(fits("a.go", 0))...)...)
	q.add(t, "unfinished", 12, "/tenon fix it", broke(t, inReply(breaks("a.go"))...)[:4]...)
	q.add(t, "elsewhere", 13, "/tenon fix it", broke(t, inReply(breaks("a.go"))...)...)
	h, _ := q.thread()
	v, ok, err := h.NewestOffer(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "fix", v.Run)
	require.NotNil(t, v.Made)
	require.Equal(t, []bool{false, false, true, false}, []bool{v.Breaks(0), v.Breaks(1), v.Breaks(2), v.Breaks(3)})
	all, _, err := h.BlockOutcomes(t.Context(), v, onSpeed)
	require.NoError(t, err)
	require.True(t, all[1].Done(), "the run committed it")
	require.Equal(t, BlockOutcome{Why: "it does not parse", Breaks: true}, all[2])
	same, err := h.PreviewOf(t.Context(), "fix")
	require.NoError(t, err)
	require.Equal(t, v, same)

	v, ok, err = h.NewestPreview(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "preview", v.Run, "without numbers, only previews count")

	q.add(t, "undo", 12, "/tenon undo", undo("fix")...)
	v, _, err = h.NewestOffer(t.Context())
	require.NoError(t, err)
	all, _, err = h.BlockOutcomes(t.Context(), v, onSpeed)
	require.NoError(t, err)
	require.Empty(t, all, "nothing of it is committed any more")
}

// What an apply left out has the numbers of the preview, and so its answer gives them.
func TestTheEditsThatAnApplyLeftOutAreThoseOfItsPreview(t *testing.T) {
	t.Parallel()
	q := &queue{}
	q.add(t, "preview", 12, "/tenon preview it", previewed(t, inReply(fits("a.go", 0), fits("b.go", 0))...)...)
	q.add(t, "newer", 12, "/tenon preview it", previewed(t, inReply(fits("a.go", 0))...)...)
	left := breaks("b.go")
	left.Number = 2
	q.add(t, "apply", 12, "/tenon apply", append(apply([]record.Result{left}, 2), did(record.Reported,
		record.AnswerComment{Comment: 6}))...)
	h, _ := q.thread()
	v, ok, err := h.NewestOffer(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "preview", v.Run)
	q.runs[0].Event.Kind = port.Ticked
	v, _, err = h.NewestOffer(t.Context())
	require.NoError(t, err)
	require.Equal(t, "newer", v.Run, "a tick is answered by its box")

	q.runs[0].Event.Kind = port.IssueComment
	q.damage("apply", "commit")
	_, _, err = h.NewestOffer(t.Context())
	var user *port.UserError
	require.ErrorAs(t, err, &user, "it may have left something out")
	_, ok, err = Thread{Queue: &queue{}, Event: h.Event}.NewestOffer(t.Context())
	require.NoError(t, err)
	require.False(t, ok)
	q.err = errBroken
	_, _, err = h.NewestOffer(t.Context())
	require.ErrorIs(t, err, errBroken)
}

// Of three pasted edits, the second and the third were named.
func TestTheEditsOfACommentThatBrokeTheirFileKeepTheirNumbers(t *testing.T) {
	t.Parallel()
	q := &queue{}
	all := inReply(record.Result{}, fits("a.go", 0), breaks("a.go"))
	all[1].Number, all[2].Number = 2, 3
	q.add(t, "apply", 12, "/tenon apply 2,3", did(record.Opened, onSpeed),
		did(record.SourceFound, record.Source{Text: strings.Repeat(block, 3)}),
		did(record.Chosen, record.Choice{Numbers: []int{2, 3}}),
		did(record.CommitMade, committed(all[1:]...)), did(record.Reported, record.AnswerComment{Comment: 5}))
	h, _ := q.thread()
	v, ok, err := h.NewestOffer(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	require.Len(t, v.Results, 3)
	require.Equal(t, []bool{false, true, false}, []bool{v.Fits(1), v.Fits(2), v.Fits(3)})
	require.True(t, v.Breaks(3))
	outcomes, _, err := h.BlockOutcomes(t.Context(), v, onSpeed)
	require.NoError(t, err)
	require.Zero(t, outcomes[1])
	require.True(t, outcomes[2].Done())
	require.True(t, outcomes[3].Breaks)
}

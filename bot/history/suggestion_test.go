package history

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

func answer(kind record.TurnKind, text string, plan ...record.BlockRef) outcome {
	return did(record.Asked(1), record.Turn{Kind: kind, Answer: port.Answer{Text: text}, Plan: plan})
}

func TestTheNewestAnswerThatSuggestsCommandsCounts(t *testing.T) {
	t.Parallel()
	const suggests = "```sh\ngit rm a.go\n```\n"
	told := did(record.Reported, record.AnswerComment{Comment: 5, URL: "https://github.example/x"})
	q := &queue{}
	q.add(t, "older", 12, "/tenon fix it", answer(record.TurnFix, "```sh\ngit rm b.go\n```\n"), told)
	q.add(t, "newest", 12, "/tenon fix it", answer(record.TurnFix, suggests), told)
	q.add(t, "untold", 12, "/tenon fix it", answer(record.TurnFix, suggests))
	q.add(t, "question", 12, "/tenon ask it", answer(record.TurnAsk, suggests), told)
	q.add(t, "silent", 12, "/tenon fix it", answer(record.TurnFix, "No."), told)
	h, skipped := q.thread()
	s, ok, err := h.Suggestions(t.Context(), onSpeed)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "newest", s.Run)
	require.EqualValues(t, 5, s.Answer.Comment)
	require.Len(t, s.List, 1)
	require.Equal(t, "git rm a.go", s.List[0].Command)
	require.Empty(t, *skipped)

	q.add(t, "other blocks", 12, "/tenon fix it", answer(record.TurnFix, suggests, record.BlockRef{Turn: 0, Block: 0}),
		told)
	s, ok, err = h.Suggestions(t.Context(), onSpeed)
	require.NoError(t, err, "an answer whose edits are numbered otherwise still suggests its commands")
	require.True(t, ok)
	require.Equal(t, "other blocks", s.Run)

	_, ok, err = Thread{Queue: &queue{}}.Suggestions(t.Context(), onSpeed)
	require.NoError(t, err)
	require.False(t, ok)
}

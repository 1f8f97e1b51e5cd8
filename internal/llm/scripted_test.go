package llm_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/llm"
)

func TestAScriptIsGivenInOrderAndEnds(t *testing.T) {
	t.Parallel()
	model := llm.Script("one", "two")
	for _, want := range []string{"one", "two"} {
		var pieces []string
		answer, err := model.Complete(t.Context(), question, func(s string) { pieces = append(pieces, s) })
		require.NoError(t, err)
		require.Equal(t, port.Answer{Text: want, Model: "scripted"}, answer)
		require.Equal(t, []string{want}, pieces)
	}
	_, err := model.Complete(t.Context(), question, nil)
	require.ErrorContains(t, err, "none left")
	require.Equal(t, []port.Request{question, question, question}, model.Requests())
}

func TestAScriptMayBeAFunction(t *testing.T) {
	t.Parallel()
	model := &llm.Scripted{Func: func(n int, req port.Request) (port.Answer, error) {
		if n == 0 {
			return port.Answer{Text: req.System, Cut: true}, nil
		}
		return port.Answer{}, errors.New("no more")
	}}
	answer, err := model.Complete(t.Context(), question, nil)
	require.NoError(t, err)
	require.Equal(t, port.Answer{Text: "be brief", Cut: true}, answer)
	_, err = model.Complete(t.Context(), question, nil)
	require.EqualError(t, err, "no more")
}

func TestAPacedScriptStreamsWholeCharacters(t *testing.T) {
	t.Parallel()
	bubble(t, "paced", func(t *testing.T) {
		const text = "schöne 木 Zeichen: 🪵🪵🪵"
		var pieces []string
		started := time.Now()
		model := llm.Script(text)
		model.Piece, model.Delay = 5, time.Second
		_, err := model.Complete(t.Context(), question, func(s string) {
			require.Equal(t, strings.ToValidUTF8(s, "?"), s)
			pieces = append(pieces, s)
		})
		require.NoError(t, err)
		require.Equal(t, text, strings.Join(pieces, ""))
		require.Greater(t, len(pieces), 3)
		require.Equal(t, time.Duration(len(pieces))*time.Second, time.Since(started))
	})
	bubble(t, "cancelled", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		model := llm.Script("a longer text")
		model.Piece, model.Delay = 5, time.Second
		_, err := model.Complete(ctx, question, nil)
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

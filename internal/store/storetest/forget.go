package storetest

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

func textIsForgotten(t *testing.T, open Open) {
	s := open(t, store.Options{})
	for i, c := range []struct {
		delivery string
		record   bool
		end      func(ev port.Event) error
		kept     bool
	}{
		{"a stranger's", false, func(ev port.Event) error { return s.Complete(t.Context(), ev) }, false},
		{"a recorded one", true, func(ev port.Event) error { return s.Complete(t.Context(), ev) }, true},
		{"a failed one", false, func(ev port.Event) error { return s.DeadLetter(t.Context(), ev, errors.New("no")) }, true},
		{"one to be tried again", false, func(ev port.Event) error { return s.Release(t.Context(), ev) }, true},
	} {
		ev := written(name(i), func(ev *port.Event) {
			ev.Thread.Number, ev.Label, ev.Before, ev.Thread.Text = i+1, "secret", "secret", new("secret")
			ev.Comment.ID, ev.Comment.Body, ev.Comment.Hunk = int64(i+1), "/tenon fix the secret", "secret"
		})
		submit(t, s, ev)
		leased := claim(t, s, ev.Delivery).Event
		run, err := s.Start(t.Context(), leased)
		require.NoError(t, err)
		if c.record {
			require.NoError(t, s.Record(t.Context(), leased, run.ID, "open", port.Step{Version: 1, Data: []byte(`{}`)}))
		}
		require.NoError(t, c.end(leased))
		_, stored, err := s.FindRun(t.Context(), run.ID)
		require.NoError(t, err)
		text, err := json.Marshal(stored)
		require.NoError(t, err)
		if c.kept {
			require.Contains(t, string(text), "/tenon fix the secret", c.delivery)
			continue
		}
		for _, word := range []string{"secret", "ada", "Mind"} {
			require.NotContains(t, string(text), word, c.delivery)
		}
		require.Equal(t, ev.ThreadKey(), stored.ThreadKey())
		again := ev
		again.Delivery = "again"
		submit(t, s, ev, again) // is known anyway
		noClaim(t, s)
	}
}

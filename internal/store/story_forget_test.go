package store_test

import (
	"encoding/json"
	"errors"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

var forgetStories = []story{
	on("of an event that came to nothing, no text is kept", store.Options{}, func(s *stage) {
		for i, c := range []struct {
			delivery string
			record   bool
			end      func(ev port.Event) error
			kept     bool
		}{
			{"a stranger's", false, func(ev port.Event) error { return s.Complete(s.Context(), ev) }, false},
			{"a recorded one", true, func(ev port.Event) error { return s.Complete(s.Context(), ev) }, true},
			{"a failed one", false, func(ev port.Event) error { return s.DeadLetter(s.Context(), ev, errors.New("no")) }, true},
			{"one to be tried again", false, func(ev port.Event) error { return s.Release(s.Context(), ev) }, true},
		} {
			ev := written(name(i), func(ev *port.Event) {
				ev.Thread.Number, ev.Label, ev.Before, ev.Thread.Text = i+1, "secret", "secret", new("secret")
				ev.Comment.ID, ev.Comment.Body, ev.Comment.Hunk = int64(i+1), "/tenon fix the secret", "secret"
			})
			s.submit(ev)
			leased := s.claim(ev.Delivery).Event
			run := must(s.Start(s.Context(), leased))(s)
			if c.record {
				require.NoError(s, s.Record(s.Context(), leased, run.ID, "open", port.Step{Version: 1, Data: []byte(`{}`)}))
			}
			require.NoError(s, c.end(leased))
			_, stored, err := s.FindRun(s.Context(), run.ID)
			require.NoError(s, err)
			text := must(json.Marshal(stored))(s)
			if c.kept {
				require.Contains(s, string(text), "/tenon fix the secret", c.delivery)
				continue
			}
			for _, word := range []string{"secret", "ada", "Mind"} {
				require.NotContains(s, string(text), word, c.delivery)
			}
			require.Equal(s, ev.ThreadKey(), stored.ThreadKey())
			again := ev
			again.Delivery = "again"
			s.submit(ev, again) // is known anyway
			s.noClaim()
		}
	}),
}

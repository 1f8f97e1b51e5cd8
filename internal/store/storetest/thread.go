package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// listed returns the events of a queue as "a leased" and "b ready".
func listed(queue []port.QueuedEvent) []string {
	all := []string{}
	for _, w := range queue {
		state := "ready"
		if w.Running {
			state = "leased"
		}
		all = append(all, w.Event.Delivery+" "+state)
	}
	return all
}

func laterRunsAreListed(t *testing.T, open Open) {
	s := open(t, store.Options{})
	for _, delivery := range []string{"a", "elsewhere", "silent", "c", "d", "e"} {
		number := 1
		if delivery == "elsewhere" {
			number = 2
		}
		submit(t, s, event(delivery, number))
		ev := claim(t, s, delivery).Event
		if delivery != "silent" {
			run, err := s.Start(t.Context(), ev)
			require.NoError(t, err)
			require.NoError(t, s.Record(t.Context(), ev, run.ID, "open", port.Step{Version: 1, Data: []byte(`1`)}))
		}
		require.NoError(t, s.Complete(t.Context(), ev))
	}
	for since, want := range map[string][]string{"silent": {"e", "d"}, "d": {"e", "d"}, "e": {"e"}, "unknown": nil} {
		later, err := s.Since(t.Context(), event("any", 1), since, 2)
		require.NoError(t, err)
		var got []string
		for _, run := range later {
			got = append(got, run.Event.Delivery)
		}
		require.Equal(t, want, got, "since %s", since)
	}
}

package store_test

import (
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

var threadStories = []story{
	on("the runs since an event are listed, newest first", store.Options{}, func(s *stage) {
		for _, delivery := range []string{"a", "elsewhere", "silent", "c", "d", "e"} {
			number := 1
			if delivery == "elsewhere" {
				number = 2
			}
			s.submit(event(delivery, number))
			ev := s.claim(delivery).Event
			if delivery != "silent" {
				run := must(s.Start(s.Context(), ev))(s)
				require.NoError(s, s.Record(s.Context(), ev, run.ID, "open", port.Step{Version: 1, Data: []byte(`1`)}))
			}
			require.NoError(s, s.Complete(s.Context(), ev))
		}
		for since, want := range map[string][]string{"silent": {"e", "d"}, "d": {"e", "d"}, "e": {"e"}, "unknown": nil} {
			later := must(s.Since(s.Context(), event("any", 1), since, 2))(s)
			var got []string
			for _, run := range later {
				got = append(got, run.Event.Delivery)
			}
			require.Equal(s, want, got, "since %s", since)
		}
	}),
}

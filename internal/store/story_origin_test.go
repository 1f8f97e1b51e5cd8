package store_test

import (
	"errors"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// written makes the event of a comment that has a time, as those of GitHub have.
func written(delivery string, change func(*port.Event)) port.Event {
	ev := event(delivery, 1)
	ev.Comment.Updated = time.Date(2026, 2, 3, 4, 5, 0, 0, time.UTC)
	if change != nil {
		change(&ev)
	}
	return ev
}

var originStories = []story{
	on("the same signed act without a time under two delivery ids is one event", store.Options{}, func(s *stage) {
		for i, kind := range []port.EventKind{port.Pressed, port.Closed, port.Review} {
			for _, id := range []string{"a", "b"} {
				ev := event(name(i)+id, 1+i)
				ev.Kind, ev.Comment, ev.Signed = kind, port.Comment{}, "what was signed"
				s.submit(ev)
			}
			s.complete(name(i) + "a")
			s.noClaim()
		}
	}),
	on("a comment that differs in what identifies it is another event", store.Options{}, func(s *stage) {
		s.submit(written("a", nil))
		changes := []func(*port.Event){
			func(ev *port.Event) { ev.Repo.Installation++ },
			func(ev *port.Event) { ev.Repo.ID++ },
			func(ev *port.Event) { ev.Kind = port.ReviewComment },
			func(ev *port.Event) { ev.Comment.ID++ },
			func(ev *port.Event) { ev.Comment.Updated = ev.Comment.Updated.Add(time.Second) },
			func(ev *port.Event) { ev.Kind, ev.Label = port.Labeled, "tenon" },
			func(ev *port.Event) { ev.Kind, ev.Label = port.Labeled, "bug" },
			func(ev *port.Event) { ev.Kind, ev.Before = port.Ticked, "- [ ] one" },
			func(ev *port.Event) { ev.Kind, ev.Before = port.Ticked, "- [ ] two" },
			// A button has no time: people press it again.
			func(ev *port.Event) { ev.Kind, ev.Comment = port.Pressed, port.Comment{} },
			func(ev *port.Event) { ev.Kind, ev.Comment = port.Pressed, port.Comment{} },
		}
		for i, change := range changes {
			s.submit(written(name(i), change))
		}
		require.Equal(s, 1+len(changes), must(s.Stats(s.Context()))(s).Ready)
	}),
	on("a dead letter is revived by its own delivery only", store.Options{}, func(s *stage) {
		s.submit(written("a", nil))
		require.NoError(s, s.DeadLetter(s.Context(), s.claim("a").Event, errors.New("no use")))
		s.submit(written("b", nil))
		s.noClaim()
		s.submit(written("a", nil))
		s.complete("a")
	}),
}

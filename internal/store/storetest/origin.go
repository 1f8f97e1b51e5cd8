package storetest

import (
	"errors"
	"testing"
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

func sameSigned(t *testing.T, open Open) {
	s := open(t, store.Options{})
	for i, kind := range []port.EventKind{port.Pressed, port.Closed, port.Review} {
		for _, id := range []string{"a", "b"} {
			ev := event(name(i)+id, 1+i)
			ev.Kind, ev.Comment, ev.Signed = kind, port.Comment{}, "what was signed"
			submit(t, s, ev)
		}
		complete(t, s, name(i)+"a")
		noClaim(t, s)
	}
}

func otherOrigin(t *testing.T, open Open) {
	s := open(t, store.Options{})
	submit(t, s, written("a", nil))
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
		submit(t, s, written(name(i), change))
	}
	stats, err := s.Stats(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1+len(changes), stats.Ready)
}

func originOfDeadLetter(t *testing.T, open Open) {
	s := open(t, store.Options{})
	submit(t, s, written("a", nil))
	require.NoError(t, s.DeadLetter(t.Context(), claim(t, s, "a").Event, errors.New("no use")))
	submit(t, s, written("b", nil))
	noClaim(t, s)
	submit(t, s, written("a", nil))
	complete(t, s, "a")
}

package storetest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

func formatsAreCounted(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now, Lease: 1000 * day})
	end := func(delivery string, outcome port.EndOutcome, counts ...port.FormatCount) {
		t.Helper()
		submit(t, s, event(delivery, 1))
		ev := claim(t, s, delivery).Event
		e := ended(ev, outcome)
		e.Formats = counts
		s.Ended(ev, e)
		if outcome == port.EndFailed {
			require.NoError(t, s.DeadLetter(t.Context(), ev, errors.New("no use")))
			return
		}
		require.NoError(t, s.Complete(t.Context(), ev))
	}
	formats := func(model string) []port.FormatCount {
		t.Helper()
		counts, err := s.FormatsOf(t.Context(), model)
		require.NoError(t, err)
		return counts
	}
	end("a", port.EndCommitted, port.FormatCount{Model: "fast", Format: "diff", Blocks: 3, Applied: 2},
		port.FormatCount{Model: "fast", Format: "udiff", Blocks: 1}, port.FormatCount{Model: "slow", Format: "v3", Blocks: 1})
	end("dead", port.EndFailed, port.FormatCount{Model: "fast", Format: "diff", Blocks: 9})
	clock.move(day)
	end("b", port.EndPreviewed, port.FormatCount{Model: "fast", Format: "diff", Blocks: 4, Applied: 4})
	require.Equal(t, []port.FormatCount{{Model: "fast", Format: "diff", Blocks: 7, Applied: 6},
		{Model: "fast", Format: "udiff", Blocks: 1}}, formats("fast"))
	require.Empty(t, formats("other"))
	clock.move((port.FormatDays - 1) * day)
	require.Equal(t, []port.FormatCount{{Model: "fast", Format: "diff", Blocks: 4, Applied: 4}}, formats("fast"))
	_, err := keeper(s).Pass(t.Context())
	require.NoError(t, err)
	require.Len(t, formats("fast"), 1)
	clock.move(-(port.FormatDays - 1) * day)
	require.Empty(t, formats("slow"), "the old counts are deleted")
}

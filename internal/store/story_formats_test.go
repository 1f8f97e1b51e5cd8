package store_test

import (
	"errors"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

var formatsStories = []story{
	on("the formats that models write are counted for 30 days", store.Options{Lease: 1000 * day}, func(s *stage) {
		end := func(delivery string, outcome port.EndOutcome, counts ...port.FormatCount) {
			s.submit(event(delivery, 1))
			ev := s.claim(delivery).Event
			e := ended(ev, outcome)
			e.Formats = counts
			s.Ended(ev, e)
			if outcome == port.EndFailed {
				require.NoError(s, s.DeadLetter(s.Context(), ev, errors.New("no use")))
				return
			}
			require.NoError(s, s.Complete(s.Context(), ev))
		}
		formats := func(model string) []port.FormatCount {
			return must(s.FormatsOf(s.Context(), model))(s)
		}
		end("a", port.EndCommitted, port.FormatCount{Model: "fast", Format: "diff", Blocks: 3, Applied: 2},
			port.FormatCount{Model: "fast", Format: "udiff", Blocks: 1},
			port.FormatCount{Model: "slow", Format: "v3", Blocks: 1})
		end("dead", port.EndFailed, port.FormatCount{Model: "fast", Format: "diff", Blocks: 9})
		s.clock.move(day)
		end("b", port.EndPreviewed, port.FormatCount{Model: "fast", Format: "diff", Blocks: 4, Applied: 4})
		require.Equal(s, []port.FormatCount{{Model: "fast", Format: "diff", Blocks: 7, Applied: 6},
			{Model: "fast", Format: "udiff", Blocks: 1}}, formats("fast"))
		require.Empty(s, formats("other"))
		s.clock.move((port.FormatDays - 1) * day)
		require.Equal(s, []port.FormatCount{{Model: "fast", Format: "diff", Blocks: 4, Applied: 4}}, formats("fast"))
		must(keeper(s).Pass(s.Context()))(s)
		require.Len(s, formats("fast"), 1)
		s.clock.move(-(port.FormatDays - 1) * day)
		require.Empty(s, formats("slow"), "the old counts are deleted")
	}),
}

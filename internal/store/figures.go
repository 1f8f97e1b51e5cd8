package store

import (
	"context"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Figures are those by which operators watch a server.
type Figures struct {
	Stats
	// Waiting counts the events that sleep, by what they wait for, without those that follow a commit.
	Waiting map[port.WaitReason]int
	// ServerTokens are the tokens that all commands of today took, or have reserved; 0 if ServerTokensLimit is, which
	// means any number.
	ServerTokens, ServerTokensLimit int64
}

// countWaits counts the sleeping events by what they wait for, at a time.
const countWaits = `
SELECT waits_for, count(*) FROM events
WHERE state = 'ready' AND aside < 2 AND not_before > $1 AND waits_for <> '' GROUP BY waits_for`

// Figures returns the figures of now.
func (s *Store) Figures(ctx context.Context) (Figures, error) {
	var f Figures
	err := s.write(ctx, "counting what waits", func(tx tx) (err error) {
		f = Figures{Waiting: map[port.WaitReason]int{}, ServerTokensLimit: s.serverTokens}
		for _, a := range s.serverAccount(0, tx.now) {
			if err := tx.QueryRowContext(ctx, readBudget, a.key, a.period).Scan(&f.ServerTokens); err != nil {
				return err
			}
		}
		if f.Stats, err = statsIn(ctx, tx); err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, countWaits, tx.after(0))
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var reason port.WaitReason
			var n int
			if err := rows.Scan(&reason, &n); err != nil {
				return err
			}
			f.Waiting[reason] = n
		}
		return rows.Err()
	})
	return f, err
}

// statsIn counts the events in the queue.
func statsIn(ctx context.Context, tx tx) (st Stats, err error) {
	var oldest int64
	counts := tx.QueryRowContext(ctx, countEvents, tx.after(0))
	if err := counts.Scan(&st.Ready, &st.Leased, &st.DeadLetters, &st.Followed, &oldest); err != nil {
		return Stats{}, err
	}
	if oldest != 0 {
		st.Oldest = time.UnixMilli(oldest).UTC()
	}
	return st, nil
}

// Stats are the numbers of events in the queue.
type Stats struct {
	// Ready counts the events to be claimed, now or when a retry is due or their thread's queue comes to them; of the
	// commits that are followed, only those that are due.
	Ready int
	// Followed counts the other commits that are followed: they sleep until CI reports.
	Followed int
	// Leased counts the leased events, those with an expired lease included.
	Leased int
	// DeadLetters counts the events that failed for good; a redelivery makes them ready again.
	DeadLetters int
	// Oldest is when the oldest ready event was accepted that follows no commit; zero when none is ready.
	Oldest time.Time
}

// Stats counts the events in the queue.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	var st Stats
	err := s.write(ctx, "counting events", func(tx tx) (err error) {
		st, err = statsIn(ctx, tx)
		return err
	})
	return st, err
}

package store

import (
	"context"
	"errors"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// countFormat adds to the counts of a model's edits in a format on a day.
const countFormat = `
INSERT INTO formats (day, model, format, blocks, applied) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (day, model, format) DO UPDATE SET blocks = formats.blocks + excluded.blocks,
	applied = formats.applied + excluded.applied`

const sumFormats = `
SELECT format, CAST(sum(blocks) AS BIGINT), CAST(sum(applied) AS BIGINT)
FROM formats WHERE day >= $1 AND model = $2 GROUP BY format ORDER BY format`

const deleteFormats = `
DELETE FROM formats WHERE day < $1`

// countFormats counts the edits of a run that ended. A dead letter may be tried again, and is counted then. The counts
// are in order, so that no transaction waits for another that waits for it.
func countFormats(ctx context.Context, tx tx, e port.Ended) error {
	if e.Outcome == port.EndFailed {
		return nil
	}
	for _, f := range e.Formats {
		_, err := tx.ExecContext(ctx, countFormat, e.At.Format(time.DateOnly), f.Model, f.Format, f.Blocks, f.Applied)
		if err != nil {
			return err
		}
	}
	return nil
}

// FormatsOf implements port.Formats.
func (s *Store) FormatsOf(ctx context.Context, model string) (counts []port.FormatCount, err error) {
	err = s.write(ctx, "reading the formats of a model", func(tx tx) (err error) {
		counts = nil
		rows, err := tx.QueryContext(ctx, sumFormats, formatsSince(tx), model)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for rows.Next() {
			c := port.FormatCount{Model: model}
			if err := rows.Scan(&c.Format, &c.Blocks, &c.Applied); err != nil {
				return err
			}
			counts = append(counts, c)
		}
		return rows.Err()
	})
	return counts, err
}

// formatsSince returns the first day whose counts are kept.
func formatsSince(tx tx) string {
	return tx.now.UTC().AddDate(0, 0, 1-port.FormatDays).Format(time.DateOnly)
}

package store

// countArrivals counts events of a source, which take $3 at the rate of its limit, and returns when the next one is
// due.
const countArrivals = `
INSERT INTO arrivals (source, due) VALUES ($1, CAST($2 AS BIGINT) + $3)
ON CONFLICT (source) DO UPDATE SET due = CASE WHEN arrivals.due < $2 THEN $2 ELSE arrivals.due END + $3
RETURNING due`

// uncountArrival removes an event that was counted.
const uncountArrival = `
UPDATE arrivals SET due = due - $2 WHERE source = $1`

// takeBack deletes an event that this transaction has accepted.
const takeBack = `
DELETE FROM events WHERE delivery = $1 AND state = 'ready'`

// holdEvent holds an event that this transaction has accepted.
const holdEvent = `
UPDATE events SET held = 1, not_before = $2, waits_for = $3 WHERE delivery = $1`

// deleteArrivals deletes what is past at $1.
const deleteArrivals = `
DELETE FROM arrivals WHERE due < $1`

package store

import (
	"strconv"
	"strings"
)

// All statements, for every database. SQLite knows $1 too. The condition on state is spelled out wherever an index is
// partial on it.

// accept adds an event. The same delivery again does nothing, unless its work ended parked: then it starts over, if nobody
// cancelled it.
const accept = `
INSERT INTO events (delivery, thread, installation, version, body, state, attempts, not_before, lease_token, lease_until, error, accepted, changed, aside)
VALUES ($1, $2, $3, $4, $5, 'ready', 0, 0, '', 0, '', $6, $6, $7)
ON CONFLICT (delivery) DO UPDATE SET
	version = excluded.version, body = excluded.body, state = 'ready', attempts = 0, not_before = 0, error = '',
	accepted = excluded.accepted, changed = excluded.changed, aside = excluded.aside
WHERE events.state = 'parked' AND events.cancelled_in = ''`

// recoverAll frees what a dead process had in work. Only for a database that nobody else can be using.
const recoverAll = `
UPDATE events SET state = 'ready', lease_token = '', lease_until = 0, changed = $1 WHERE state = 'working'`

// expire frees what nobody renewed in time.
const expire = `
UPDATE events SET state = 'ready', lease_token = '', lease_until = 0, changed = $1 WHERE state = 'working' AND lease_until < $1`

// isBehind says of an event e that another of its thread is in work, or comes before it.
const isBehind = `
EXISTS (SELECT 1 FROM events w WHERE w.state = 'working' AND w.aside = 0 AND w.thread = e.thread)
OR EXISTS (SELECT 1 FROM events o WHERE o.state = 'ready' AND o.aside = 0 AND o.thread = e.thread AND o.seq < e.seq)`

// next finds the event to claim, of those aside ($aside is 1) or of the others. Of each installation that has ready events
// (active steps from one to the next through the index) it takes the oldest that may run now and, unless it is aside, heads
// its thread and has no other of its thread in work; of these the one whose installation waits longest for a turn.
const next = `
WITH RECURSIVE active (installation) AS (
	SELECT min(installation) FROM events WHERE state = 'ready' AND aside = $aside
	UNION ALL
	SELECT (SELECT min(e.installation) FROM events e WHERE e.state = 'ready' AND e.aside = $aside AND e.installation > active.installation)
	FROM active WHERE active.installation IS NOT NULL
), heads (installation, seq) AS (
	SELECT active.installation, (
		SELECT e.seq FROM events e
		WHERE e.state = 'ready' AND e.aside = $aside AND e.installation = active.installation AND e.not_before <= $1
			AND (e.aside = 1 OR NOT (` + isBehind + `))
		ORDER BY e.seq LIMIT 1)
	FROM active WHERE active.installation IS NOT NULL
)
SELECT e.seq, e.delivery, e.thread, e.installation, e.version, e.body, e.error, e.waited, e.cancelled_in, e.cancelled_by
FROM heads JOIN events e ON e.seq = heads.seq LEFT JOIN turns t ON t.installation = heads.installation AND t.aside = $aside
ORDER BY coalesce(t.turn, 0), e.seq LIMIT 1`

// nextOf spells $aside out: for a parameter, SQLite would plan the statement anew at each claim.
func nextOf(aside bool) string { return strings.ReplaceAll(next, "$aside", strconv.Itoa(digit(aside))) }

// claim takes a ready event and counts the attempt. It forgets the error of the one before, so that an attempt that ends
// without a word has none; not when all attempts are used up ($5) and the event is claimed to be given up for that error.
const claim = `
UPDATE events SET state = 'working', attempts = attempts + 1, lease_token = $2, lease_until = $3, changed = $4,
	error = CASE WHEN attempts < $5 THEN '' ELSE error END
WHERE seq = $1 AND state = 'ready' RETURNING attempts`

// refuse parks a ready event that this program cannot read.
const refuse = `
UPDATE events SET state = 'parked', error = $2, changed = $3 WHERE seq = $1 AND state = 'ready'`

// takeTurn sends an installation to the end of the line.
const takeTurn = `
INSERT INTO turns (installation, aside, turn) VALUES ($1, $2, (SELECT coalesce(max(turn), 0) + 1 FROM turns))
ON CONFLICT (installation, aside) DO UPDATE SET turn = excluded.turn`

// hold renews a lease; it changes one row while the lease is held and none when it is lost. Each write about a run
// begins with it, which also makes a claim by another wait for that write.
const hold = `
UPDATE events SET lease_until = $3 WHERE delivery = $1 AND state = 'working' AND lease_token = $2`

// renew is hold, and tells whether the event was cancelled.
const renew = hold + ` RETURNING cancelled_in, cancelled_by`

// settle ends a lease. Without a new error ($6 is null) the row keeps the one it has.
const settle = `
UPDATE events SET state = $3, attempts = $4, not_before = $5, error = coalesce($6, error), lease_token = '', lease_until = 0, changed = $7
WHERE delivery = $1 AND state = 'working' AND lease_token = $2`

const startRun = `
INSERT INTO runs (id, delivery, installation, thread, started) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (delivery) DO NOTHING`

const findRun = `
SELECT id, started FROM runs WHERE delivery = $1`

const findEventOfRun = `
SELECT e.delivery, e.thread, e.installation, e.version, e.body FROM runs r JOIN events e ON e.delivery = r.delivery WHERE r.id = $1`

const findSteps = `
SELECT step, version, data FROM run_steps WHERE run = $1`

const recordStep = `
INSERT INTO run_steps (run, step, version, data, recorded) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (run, step) DO NOTHING`

// book reserves a call, once.
const book = `
INSERT INTO bookings (run, call, tokens, settled, booked) VALUES ($1, $2, $3, 0, $4) ON CONFLICT (run, call) DO NOTHING`

const findBooking = `
SELECT tokens, booked FROM bookings WHERE run = $1 AND call = $2 AND settled = 0`

const settleBooking = `
UPDATE bookings SET tokens = $3, settled = 1 WHERE run = $1 AND call = $2`

// useBudget adds to a budget of a period. The row's lock makes bookings of one budget wait for each other.
const useBudget = `
INSERT INTO budgets (budget, period, used) VALUES ($1, $2, $3)
ON CONFLICT (budget, period) DO UPDATE SET used = budgets.used + excluded.used RETURNING used`

const readBudget = `
SELECT coalesce(sum(used), 0) FROM budgets WHERE budget = $1 AND period = $2`

// beat is a write that means nothing.
const beat = `
INSERT INTO pulse (id, beat) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET beat = excluded.beat`

// count tells the states apart that are few; the oldest ready event is 0 when there is none.
const count = `
SELECT
	(SELECT count(*) FROM events WHERE state = 'ready'),
	(SELECT count(*) FROM events WHERE state = 'working'),
	(SELECT count(*) FROM events WHERE state = 'parked'),
	(SELECT coalesce(min(accepted), 0) FROM events WHERE state = 'ready')`

package store

// All statements, for both databases. SQLite accepts $1 too. The condition on state is written out wherever an index is
// partial on it. So is the LIMIT of what is executed often: with an argument for it, SQLite prepares a statement again
// whenever it is executed.

// insertEvent adds an event, unless there is one with its delivery or its origin.
const insertEvent = `
INSERT INTO events (delivery, thread, installation, version, body, state,
	attempts, not_before, lease_token, lease_until, error, accepted, changed, aside, origin, place_at)
VALUES ($1, $2, $3, $4, $5, 'ready', 0, 0, '', 0, '', $6, $6, $7, $8, 0)
ON CONFLICT DO NOTHING`

// reviveEvent makes a dead letter that nobody cancelled ready again, with no attempt counted, if it is the same act:
// the id of a delivery is not signed.
const reviveEvent = `
UPDATE events SET
	version = $2, body = $3, state = 'ready', attempts = 0, not_before = 0, error = '',
	waits_for = '', waits_since = 0, gave_up = '', deaths = 0, strikes = 0, held = 0,
	accepted = $4, changed = $4, aside = $5, place_at = 0
WHERE delivery = $1 AND state = 'parked' AND cancelled_in = '' AND thread = $6 AND origin IN ('', $7)`

// extendLease renews a lease; it changes one row if the lease is still valid, and none if it is lost. Each write about
// a run begins with it, which also makes a claim by another worker wait for that write.
const extendLease = `
UPDATE events SET lease_until = $3 WHERE delivery = $1 AND state = 'working' AND lease_token = $2`

// renewLease is extendLease, and returns whether and by whom the event was cancelled. A trial may be over at $4.
var renewLease = `
UPDATE events SET lease_until = $3, strikes = CASE WHEN ` + trialIsOver + ` THEN 0 ELSE strikes END,
	tried = CASE WHEN ` + trialIsOver + ` THEN 0 ELSE tried END
WHERE delivery = $1 AND state = 'working' AND lease_token = $2 RETURNING cancelled_in, cancelled_by`

// endLease ends a lease. Without a new error ($6 is null) the row keeps the one it has, and what it waits for.
const endLease = `
UPDATE events SET state = $3, attempts = $4, not_before = $5, error = coalesce($6, error),
	waits_for = CASE WHEN $6 IS NULL THEN waits_for ELSE '' END,
	lease_token = '', lease_until = 0, tried = 0, changed = $7, place_at = 0
WHERE delivery = $1 AND state = 'working' AND lease_token = $2`

// The records of runs.

const startRun = `
INSERT INTO runs (id, delivery, installation, thread, started) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (delivery) DO NOTHING`

const findRun = `
SELECT id, started, forgotten FROM runs WHERE delivery = $1`

const findEventOfRun = `
SELECT e.delivery, e.thread, e.installation, e.version, e.body, e.aside
FROM runs r JOIN events e ON e.delivery = r.delivery WHERE r.id = $1`

const findSteps = `
SELECT step, version, data, recorded FROM run_steps WHERE run = $1`

const recordStep = `
INSERT INTO run_steps (run, step, version, data, recorded) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (run, step) DO NOTHING`

// probe is a write without a meaning.
const probe = `
INSERT INTO pulse (id, beat) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET beat = excluded.beat`

// countEvents counts the states that have few events. Of the commits that are followed, those that are due at $1 are
// ready, and the others are counted by themselves. The time of the oldest ready event, without these, is 0 if there is
// none.
const countEvents = `
SELECT
	(SELECT count(*) FROM events WHERE state = 'ready' AND aside < 2)
		+ (SELECT count(*) FROM events WHERE state = 'ready' AND aside = 2 AND not_before <= $1),
	(SELECT count(*) FROM events WHERE state = 'working'),
	(SELECT count(*) FROM events WHERE state = 'parked'),
	(SELECT count(*) FROM events WHERE state = 'ready' AND aside = 2 AND not_before > $1),
	(SELECT coalesce(min(accepted), 0) FROM events WHERE state = 'ready' AND aside < 2)`

// The queue of a thread.

// rowColumns are what queryRows reads.
const rowColumns = `delivery, thread, installation, version, body, aside, state, lease_token, waits_for, cancelled_by`

// inQueue finds the events of a thread's queue.
const inQueue = `
SELECT seq FROM events WHERE state = 'working' AND aside = 0 AND thread = $1
UNION ALL SELECT seq FROM events WHERE state = 'ready' AND aside = 0 AND thread = $1`

// leasedFirst is the order of a thread's queue. A dead letter that became ready again can be older than the leased
// event.
const leasedFirst = `
ORDER BY CASE state WHEN 'working' THEN 0 ELSE 1 END, seq`

const findQueue = `
SELECT ` + rowColumns + ` FROM events
WHERE seq IN (` + inQueue + `) AND delivery <> $2 AND (state = 'working' OR cancelled_in = '')` +
	leasedFirst + ` LIMIT $3`

// cancelQueue cancels what was accepted before the cancelling event. A ready event that left no trace in the thread is
// done at once; a retry becomes due.
const cancelQueue = `
UPDATE events SET
	cancelled_in = $2, cancelled_by = $3, changed = $5, place_at = 0,
	not_before = CASE WHEN ` + wasStarted + ` THEN 0 ELSE not_before END,
	state = CASE WHEN ` + leftNoTrace + ` THEN 'done' ELSE state END,
	error = CASE WHEN ` + leftNoTrace + ` THEN $4 ELSE error END
WHERE cancelled_in = '' AND seq < (SELECT seq FROM events WHERE delivery = $2) AND seq IN (` + inQueue + `)`

const (
	wasStarted  = `EXISTS (SELECT 1 FROM runs WHERE runs.delivery = events.delivery)`
	leftNoTrace = `state = 'ready' AND waited = 0 AND NOT ` + wasStarted
)

const findCancelled = `
SELECT ` + rowColumns + ` FROM events WHERE cancelled_in <> '' AND cancelled_in = $1` + leasedFirst + ` LIMIT $2`

// findCancelledLeases finds the events that were cancelled while they were leased.
const findCancelledLeases = `
SELECT ` + rowColumns + ` FROM events WHERE state = 'working' AND cancelled_in <> ''`

// findPastRuns finds the events before $2 whose run recorded a step. Events of people without permission have no
// steps, and immediate events none that later runs need: any number of both hides no other run.
const findPastRuns = `
SELECT ` + rowColumns + ` FROM events
WHERE delivery IN (SELECT delivery FROM runs
		WHERE thread = $1 AND EXISTS (SELECT 1 FROM run_steps WHERE run = runs.id))
	AND aside = 0 AND seq < (SELECT seq FROM events WHERE delivery = $2)
ORDER BY seq DESC LIMIT $3`

// findRunsSince is findPastRuns for the event $2 and those after it.
const findRunsSince = `
SELECT ` + rowColumns + ` FROM events
WHERE delivery IN (SELECT delivery FROM runs
		WHERE thread = $1 AND EXISTS (SELECT 1 FROM run_steps WHERE run = runs.id))
	AND aside = 0 AND seq >= (SELECT seq FROM events WHERE delivery = $2)
ORDER BY seq DESC LIMIT $3`

package store

// All statements, for both databases. SQLite accepts $1 too. The condition on state is written out wherever an index is
// partial on it.

// insertEvent adds an event, unless there is one with its delivery or its origin.
const insertEvent = `
INSERT INTO events (delivery, thread, installation, version, body, state,
	attempts, not_before, lease_token, lease_until, error, accepted, changed, aside, origin)
VALUES ($1, $2, $3, $4, $5, 'ready', 0, 0, '', 0, '', $6, $6, $7, $8)
ON CONFLICT DO NOTHING`

// reviveEvent makes a dead letter that nobody cancelled ready again, with no attempt counted, if it is the same act:
// the id of a delivery is not signed.
const reviveEvent = `
UPDATE events SET
	version = $2, body = $3, state = 'ready', attempts = 0, not_before = 0, error = '',
	waits_for = '', waits_since = 0, gave_up = '', deaths = 0, held = 0,
	accepted = $4, changed = $4, aside = $5
WHERE delivery = $1 AND state = 'parked' AND cancelled_in = '' AND thread = $6 AND origin IN ('', $7)`

// releaseAll releases what a dead process had leased. Only for a database that no other process can be using.
var releaseAll = `
UPDATE events SET ` + afterDeath("$1") + ` WHERE state = 'working'`

// isBehind is the condition that an event e is not the first of its thread's queue. Nothing is behind an event that is
// held: a sender of many commands must not delay those of others in the thread.
const isBehind = `
EXISTS (SELECT 1 FROM events w WHERE w.state = 'working' AND w.aside = 0 AND w.thread = e.thread)
OR EXISTS (SELECT 1 FROM events o WHERE o.state = 'ready' AND o.aside = 0 AND o.thread = e.thread AND o.seq < e.seq
	AND o.held = 0)`

// nextEvent finds the event to claim, among those of a lane ($aside). Of each installation with ready events (active
// steps from one to the next through the index, whose order it names) it considers the first in the lane's order that
// is due, has at most $2 deaths and is first in its thread's queue, if it is in one; $3 is an installation that has its
// share already. Of these it returns the one whose installation has the fewest leased ones, so that none has
// more than its share of the workers while others wait, and among such the one whose installation had its last turn
// longest ago. Those that were interrupted come first: they had their turn, and never were more than there are workers.
var nextEvent = `
WITH RECURSIVE active (installation) AS (
	SELECT (
		SELECT e.installation FROM events e WHERE e.state = 'ready' AND e.aside = $aside
		ORDER BY e.aside, e.installation, e.seq LIMIT 1)
	UNION ALL
	SELECT (
		SELECT e.installation FROM events e
		WHERE e.state = 'ready' AND e.aside = $aside AND e.installation > active.installation
		ORDER BY e.aside, e.installation, e.seq LIMIT 1)
	FROM active WHERE active.installation IS NOT NULL
), heads (installation, seq) AS (
	SELECT active.installation, (
		SELECT e.seq FROM events e
		WHERE e.state = 'ready' AND e.aside = $aside AND e.installation = active.installation AND e.not_before <= $1
			AND e.deaths <= $2 AND ($3 = 0 OR e.installation <> $3) AND (e.aside > 0 OR NOT (` + isBehind + `))
		ORDER BY $order LIMIT 1)
	FROM active WHERE active.installation IS NOT NULL
)
SELECT e.seq, e.delivery, e.thread, e.installation, e.version, e.body, e.error, e.waited, e.cancelled_in,
	e.cancelled_by, e.gave_up, e.acknowledged, e.deaths
FROM heads JOIN events e ON e.seq = heads.seq
LEFT JOIN turns t ON t.installation = heads.installation AND t.aside = $aside
ORDER BY ` + wasNotInterrupted + `, (
	SELECT count(*) FROM events w WHERE w.state = 'working' AND w.aside = $aside AND w.installation = heads.installation
), coalesce(t.turn, 0), e.seq LIMIT 1`

// claimEvent leases a ready event that is still due, and counts the attempt. It clears the error of the previous
// attempt, so that an attempt that ends with the process has none. When all attempts ($5) are used up, it keeps the
// error: the event is claimed to become a dead letter because of it.
const claimEvent = `
UPDATE events SET state = 'working', attempts = attempts + 1, lease_token = $2, lease_until = $3, changed = $4,
	held = 0, error = CASE WHEN attempts < $5 THEN '' ELSE error END
WHERE seq = $1 AND state = 'ready' AND not_before <= $4 RETURNING attempts`

// refuseUnreadable makes a dead letter of a ready event that this program cannot read.
const refuseUnreadable = `
UPDATE events SET state = 'parked', error = $2, changed = $3 WHERE seq = $1 AND state = 'ready'`

// takeTurn records that an installation had its turn just now.
const takeTurn = `
INSERT INTO turns (installation, aside, turn) VALUES ($1, $2, (SELECT coalesce(max(turn), 0) + 1 FROM turns))
ON CONFLICT (installation, aside) DO UPDATE SET turn = excluded.turn`

// extendLease renews a lease; it changes one row if the lease is still valid, and none if it is lost. Each write about
// a run begins with it, which also makes a claim by another worker wait for that write.
const extendLease = `
UPDATE events SET lease_until = $3 WHERE delivery = $1 AND state = 'working' AND lease_token = $2`

// renewLease is extendLease, and returns whether and by whom the event was cancelled.
const renewLease = extendLease + ` RETURNING cancelled_in, cancelled_by`

// endLease ends a lease. Without a new error ($6 is null) the row keeps the one it has, and what it waits for.
const endLease = `
UPDATE events SET state = $3, attempts = $4, not_before = $5, error = coalesce($6, error),
	waits_for = CASE WHEN $6 IS NULL THEN waits_for ELSE '' END,
	lease_token = '', lease_until = 0, changed = $7
WHERE delivery = $1 AND state = 'working' AND lease_token = $2`

// The records of runs.

const startRun = `
INSERT INTO runs (id, delivery, installation, thread, started) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (delivery) DO NOTHING`

const findRun = `
SELECT id, started, forgotten FROM runs WHERE delivery = $1`

const findEventOfRun = `
SELECT e.delivery, e.thread, e.installation, e.version, e.body
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
const rowColumns = `delivery, thread, installation, version, body, state, lease_token, waits_for, cancelled_by`

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
	cancelled_in = $2, cancelled_by = $3, changed = $5,
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

// Notices to queued events.

// beforeOldest finds where the scan begins: before the oldest ready event, or at the newest event if none is ready.
const beforeOldest = `
SELECT coalesce((SELECT min(seq) - 1 FROM events WHERE state = 'ready' AND aside = 0), max(seq), 0) FROM events`

// scanAccepted finds the events after $1 that were accepted until $2, and which of them may be queued without a notice.
const scanAccepted = `
SELECT seq, thread, state = 'ready' AND aside = 0 AND waited = 0 AND attempts = 0 AND cancelled_in = ''
FROM events WHERE seq > $1 AND accepted <= $2 ORDER BY seq LIMIT $3`

// beginNotice blocks the claim of a queued event until $2 and returns the event, once, unless there was a notice to
// another event of the thread that is queued or handled. An event whose run was started before may have an answer
// already.
const beginNotice = `
UPDATE events AS e SET waited = 1, not_before = $2, changed = $3
WHERE e.seq = $1 AND e.state = 'ready' AND e.aside = 0 AND e.waited = 0 AND e.attempts = 0 AND e.cancelled_in = ''
	AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.delivery = e.delivery) AND (` + isBehind + `)
	AND NOT EXISTS (SELECT 1 FROM events n WHERE n.state = 'working' AND n.thread = e.thread AND n.waited = 1)
	AND NOT EXISTS (SELECT 1 FROM events n WHERE n.state = 'ready' AND n.thread = e.thread AND n.waited = 1)
RETURNING ` + rowColumns

// findAhead finds what an event is queued behind: the leased event of its thread, or else the first ready one.
const findAhead = `
SELECT ` + rowColumns + ` FROM events WHERE seq <> $2 AND seq IN (` + inQueue + `)` + leasedFirst + ` LIMIT 1`

// endNotice allows the event to be claimed again, unless it was claimed after that time. $3 is 1 if it has a notice.
const endNotice = `
UPDATE events SET not_before = 0, waited = $3 WHERE seq = $1 AND state = 'ready' AND not_before = $2`

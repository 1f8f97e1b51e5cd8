package store

// The bookings of model calls, and the budgets.

// reserve books tokens for the next attempt at a call.
const reserve = `
INSERT INTO bookings (run, call, attempt, tokens, settled, booked)
VALUES ($1, $2, (SELECT coalesce(max(b.attempt), 0) + 1 FROM bookings b WHERE b.run = $1 AND b.call = $2), $3, 0, $4)
RETURNING attempt`

// sumBookings returns what all attempts of a run took, or may take.
const sumBookings = `
SELECT CAST(coalesce(sum(tokens), 0) AS BIGINT) FROM bookings WHERE run = $1`

const findReservation = `
SELECT tokens, booked FROM bookings WHERE run = $1 AND call = $2 AND attempt = $3 AND settled = 0`

const chargeReservation = `
UPDATE bookings SET tokens = $4, settled = 1, model = $5, tokens_in = $6, tokens_cached = $7, tokens_out = $8,
	nanos = $9, unpriced = $10
WHERE run = $1 AND call = $2 AND attempt = $3`

// addToBudget adds to a budget of a period. The row's lock serialises the reservations of one budget.
const addToBudget = `
INSERT INTO budgets (budget, period, used) VALUES ($1, $2, $3)
ON CONFLICT (budget, period) DO UPDATE SET used = budgets.used + excluded.used RETURNING used`

const readBudget = `
SELECT CAST(coalesce(sum(used), 0) AS BIGINT) FROM budgets WHERE budget = $1 AND period = $2`

// Retention. The conditions on an event are repeated outside of the subquery, because a redelivery may make a dead
// letter ready between the two.

// takeChore makes a chore due at $3 again; it changes one row if the chore is due at $2.
const takeChore = `
INSERT INTO chores (name, due) VALUES ($1, $3)
ON CONFLICT (name) DO UPDATE SET due = excluded.due WHERE chores.due <= $2`

// isFinished is the condition that an event ended before $1.
const isFinished = `state IN ('done', 'parked') AND changed < $1`

// findNextAccepted finds the next events after $1, and when each was accepted.
const findNextAccepted = `
SELECT seq, accepted FROM events WHERE seq > $1 ORDER BY seq LIMIT $2`

// deleteExpired deletes the events after $2, up to $3, that ended before $1, with their runs.
const deleteExpired = `
DELETE FROM events WHERE seq > $2 AND seq <= $3 AND ` + isFinished + returningThread

// findTraceless finds the same events that are done and whose runs recorded nothing: those of people without
// permission, and those that gave no command.
const findTraceless = `
SELECT ` + rowColumns + ` FROM events WHERE seq > $2 AND seq <= $3 AND state = 'done' AND changed < $1
	AND NOT EXISTS (SELECT 1 FROM runs r JOIN run_steps s ON s.run = r.id WHERE r.delivery = events.delivery)`

// findWithSources finds a run with sources after $2 in the order of their start, whose event ended before $1.
const findWithSources = `
SELECT r.id, r.started, r.delivery FROM runs r JOIN events e ON e.delivery = r.delivery
WHERE r.forgotten = 0 AND r.started >= $2 AND r.started < $1 AND e.state IN ('done', 'parked') AND e.changed < $1
ORDER BY r.started LIMIT 1`

// lockFinished reads an event that ended before $1, and keeps it from being redelivered until the transaction ends.
const lockFinished = `
UPDATE events SET state = state WHERE delivery = $2 AND ` + isFinished + `
RETURNING delivery, thread, installation, version, body, aside`

const replaceEvent = `
UPDATE events SET version = $2, body = $3 WHERE delivery = $1`

const replaceStep = `
UPDATE run_steps SET version = $3, data = $4 WHERE run = $1 AND step = $2`

const setForgotten = `
UPDATE runs SET forgotten = $2 WHERE id = $1`

// deletePeriods deletes the budgets of days before $1 and of months before $2.
const deletePeriods = `
DELETE FROM budgets WHERE length(period) = 10 AND period < $1 OR length(period) = 7 AND period < $2`

// deleteWrites deletes the writes to GitHub before $1: of installations that write no more, nobody else does.
const deleteWrites = `
DELETE FROM writes WHERE sent < $1`

// Uninstalled Apps.

const insertUninstalled = `
INSERT INTO uninstalled (installation, since) VALUES ($1, $2) ON CONFLICT (installation) DO NOTHING`

const findUninstalled = `
SELECT installation FROM uninstalled ORDER BY installation LIMIT $1`

// deleteInstallation deletes some events of an installation that are not being handled.
const deleteInstallation = `
DELETE FROM events WHERE state <> 'working'
	AND seq IN (SELECT seq FROM events WHERE installation = $1 AND state <> 'working' LIMIT $2)` + returningThread

const deleteTurns = `
DELETE FROM turns WHERE installation = $1`

const deletePace = `
DELETE FROM paces WHERE installation = $1`

// deleteUninstalled forgets an installation after the time in which GitHub may still deliver something of it.
const deleteUninstalled = `
DELETE FROM uninstalled WHERE installation = $1 AND since < $2
	AND NOT EXISTS (SELECT 1 FROM events WHERE installation = $1)`

// Operators.

// selectListed selects what is listed of events.
const selectListed = `
SELECT delivery, thread, installation, version, body, aside, state, attempts, not_before, waits_for, error, accepted,
	changed
FROM events`

const findListed = selectListed + `
WHERE delivery = $1`

// findDeliveryOfRun finds the delivery of a run that was started.
const findDeliveryOfRun = `
SELECT delivery FROM runs WHERE id = $1`

// listUnstarted lists the deliveries of the newest events that are not done, found through the indexes of their states,
// whose run was not started.
const listUnstarted = `
SELECT delivery FROM events e
WHERE seq IN (SELECT seq FROM events WHERE state = 'working' UNION ALL SELECT seq FROM events WHERE state = 'ready'
	UNION ALL SELECT seq FROM events WHERE state = 'parked')
	AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.delivery = e.delivery)
ORDER BY seq DESC LIMIT $1`

const listDeadLetters = selectListed + `
WHERE state = 'parked' ORDER BY changed DESC, seq DESC LIMIT $1`

// listEvents lists the events that are not done, found through the indexes of their states; the commits that are
// followed and not due at $3 only if $2 is 1.
const listEvents = selectListed + `
WHERE seq IN (SELECT seq FROM events WHERE state = 'working' UNION ALL SELECT seq FROM events WHERE state = 'ready'
	UNION ALL SELECT seq FROM events WHERE state = 'parked')
	AND ($2 = 1 OR state <> 'ready' OR aside < 2 OR not_before <= $3)
ORDER BY CASE state WHEN 'working' THEN 0 WHEN 'ready' THEN 1 ELSE 2 END, seq LIMIT $1`

// findEvent finds an event by its delivery or its run.
const findEvent = `
SELECT e.delivery, e.state, e.aside, coalesce(r.forgotten, 0) FROM events e LEFT JOIN runs r ON r.delivery = e.delivery
WHERE e.delivery = $1 OR e.delivery = (SELECT delivery FROM runs WHERE id = $1)`

const retryDeadLetter = `
UPDATE events SET state = 'ready', attempts = 0, deaths = 0, strikes = 0, not_before = 0, error = '', waits_for = '',
	waits_since = 0, gave_up = '', changed = $2, place_at = 0
WHERE delivery = $1 AND state = 'parked' AND cancelled_in = ''`

const dropDeadLetter = `
UPDATE events SET state = 'done', changed = $2 WHERE delivery = $1 AND state = 'parked'`

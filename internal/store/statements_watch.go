package store

import "github.com/tenon-bot/tenon/bot/port"

// waitsForCI is the condition that a report of CI is what an event sleeps for.
const waitsForCI = `waits_for IN ('` + string(port.CIReport) + `', '` + string(port.VerifyReport) + `')`

// insertFollowing adds an event that follows a commit, and waits for CI from now on.
const insertFollowing = `
INSERT INTO events (delivery, thread, installation, version, body, state,
	attempts, not_before, lease_token, lease_until, error, accepted, changed, aside, origin, waits_for, waits_since,
	place_at)
VALUES ($1, $2, $3, $4, $5, 'ready', 0, $6, '', 0, '', $7, $7, $8, '', $9, $7, 0)
ON CONFLICT DO NOTHING`

// lockReports locks the reports of a commit until the end of the transaction, and returns when the last one came; 0 if
// none did. What follows a commit locks them before it begins to wait, and whoever notes a report does before looking
// for what waits: so one of the two sees the other.
const lockReports = `
INSERT INTO reports (repository, sha, installation, count, at) VALUES ($1, $2, $3, 0, 0)
ON CONFLICT (repository, sha) DO UPDATE SET at = reports.at RETURNING at`

// noteReport notes a report at $4. Those before $5 count no more.
const noteReport = `
INSERT INTO reports (repository, sha, installation, count, at) VALUES ($1, $2, $3, 1, $4)
ON CONFLICT (repository, sha) DO UPDATE SET at = excluded.at,
	count = CASE WHEN reports.at > $5 THEN reports.count + 1 ELSE 1 END`

const insertWatch = `
INSERT INTO watches (delivery, sha, repository, thread, stopped, pending, since) VALUES ($1, $2, $3, $4, 0, 0, $5)
ON CONFLICT (delivery, sha) DO NOTHING`

// lookAt is when an event is due that waits for the reports of a commit: at $3, or at $4 if CI reported more than $5
// times.
const lookAt = `CASE WHEN (SELECT count FROM reports WHERE repository = $1 AND sha = $2) > $5
	THEN CAST($4 AS BIGINT) ELSE CAST($3 AS BIGINT) END`

// wakeFollowers makes the events that wait for the reports of a commit due, if they are not before: also those that
// were done, if they have followed it since $6. It changes the leased ones too, in nothing.
const wakeFollowers = `
UPDATE events SET
	not_before = CASE
		WHEN state = 'working' OR state = 'ready' AND (NOT ` + waitsForCI + ` OR not_before <= ` + lookAt + `)
		THEN not_before ELSE ` + lookAt + ` END,
	attempts = CASE WHEN state = 'done' THEN 0 ELSE attempts END,
	changed = CASE WHEN state = 'done' THEN $7 ELSE changed END,
	state = CASE WHEN state = 'done' THEN 'ready' ELSE state END,
	place_at = 0
WHERE delivery IN (SELECT delivery FROM watches WHERE repository = $1 AND sha = $2)
	AND (state IN ('ready', 'working') OR state = 'done' AND aside = 2 AND accepted > $6)`

// markPending notes a report for the leased events that wait for it; wakeFollowers has locked them.
const markPending = `
UPDATE watches SET pending = 1 WHERE repository = $1 AND sha = $2
	AND EXISTS (SELECT 1 FROM events e WHERE e.delivery = watches.delivery AND e.state = 'working')`

// takePending removes the notes that CI reported about commits while an event was leased, and returns the commits. The
// event is locked, as its lease was ended before in the transaction.
const takePending = `
UPDATE watches SET pending = 0 WHERE delivery = $1 AND pending = 1 RETURNING sha`

// wakeOne makes an event ready, if it is not before, whose lease was ended in this transaction.
const wakeOne = `
UPDATE events SET state = 'ready', attempts = $7,
	not_before = CASE WHEN state = 'ready' AND not_before <= ` + lookAt + ` THEN not_before ELSE ` + lookAt + ` END
WHERE delivery = $6`

// findWatched finds the commits of a repository whose reports events wait for.
const findWatched = `
SELECT DISTINCT w.sha FROM watches w JOIN events e ON e.delivery = w.delivery
WHERE w.repository = $1 AND (e.state IN ('ready', 'working') OR e.state = 'done' AND e.aside = 2 AND e.accepted > $2)
LIMIT $3`

// stopFollowing marks the commits that are followed for a thread whose commands are cancelled.
const stopFollowing = `
UPDATE watches SET stopped = 1 WHERE thread = $1 AND thread <> '' AND stopped = 0`

// isStopped finds whether the commands of the thread of a commit were cancelled since it is followed ($1), or the run
// that made it ($2) was when it could not end any more.
const isStopped = `
SELECT CASE WHEN EXISTS (SELECT 1 FROM watches WHERE delivery = $1 AND stopped = 1)
	OR EXISTS (SELECT 1 FROM runs r JOIN events e ON e.delivery = r.delivery WHERE r.id = $2 AND e.cancelled_in <> '')
	THEN 1 ELSE 0 END`

// isCommitStopped finds whether the commands of a thread ($3) were cancelled since a commit is followed for it.
const isCommitStopped = `
SELECT CASE WHEN EXISTS (
	SELECT 1 FROM watches WHERE repository = $1 AND sha = $2 AND thread = $3 AND stopped = 1) THEN 1 ELSE 0 END`

// Retention.

const deleteReports = `
DELETE FROM reports WHERE at < $1`

// trimReports deletes the oldest reports but the newest $1.
const trimReports = `
DELETE FROM reports WHERE at <= (SELECT at FROM reports ORDER BY at DESC LIMIT 1 OFFSET $1)`

// trimReportsOf deletes the oldest reports of an installation but the newest $2.
const trimReportsOf = `
DELETE FROM reports WHERE installation = $1
	AND at <= (SELECT at FROM reports WHERE installation = $1 ORDER BY at DESC LIMIT 1 OFFSET $2)`

const deleteReportsOf = `
DELETE FROM reports WHERE installation = $1`

// deleteWatches deletes what began to wait before $1, and waits no more.
const deleteWatches = `
DELETE FROM watches WHERE since < $1
	AND NOT EXISTS (SELECT 1 FROM events e WHERE e.delivery = watches.delivery AND e.state IN ('ready', 'working'))`

// deleteWatch ends what a dropped event waited for.
const deleteWatch = `
DELETE FROM watches WHERE delivery = $1`

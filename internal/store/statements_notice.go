package store

import "strconv"

// What people are told of events that are not handled yet.

// beforeOldest finds where the scan begins: before the oldest ready event, or at the newest event if none is ready.
const beforeOldest = `
SELECT coalesce((SELECT min(seq) - 1 FROM events WHERE state = 'ready' AND aside = 0), max(seq), 0) FROM events`

// existAfter finds whether there are events after $1.
const existAfter = `
SELECT EXISTS (SELECT 1 FROM events WHERE seq > $1)`

// scanAccepted finds the events after $1 that were accepted until $2, until when somebody else may be telling of them,
// and which of them may be queued without a notice.
var scanAccepted = `
SELECT e.seq, e.thread, CASE WHEN e.acknowledged = 1 THEN e.not_before ELSE 0 END, ` + untouched + ` AND e.waited = 0
FROM events e WHERE e.seq > $1 AND e.accepted <= $2 ORDER BY e.seq LIMIT ` + strconv.Itoa(maxScan)

// untouched is the condition that an event e is in a thread's queue and was never handled.
const untouched = `e.state = 'ready' AND e.aside = 0 AND e.attempts = 0 AND e.cancelled_in = ''`

// whileTold blocks the claim of an event e until $2. An event that is held, or sleeps, goes on to do so.
const whileTold = `
	not_before = CASE WHEN e.not_before <= $3 THEN $2 ELSE e.not_before END,
	held = CASE WHEN e.not_before <= $3 THEN 0 ELSE e.held END, changed = $3, place_at = 0`

// beginAcknowledgement holds an event that no worker has claimed, and returns it, unless it was acknowledged or another
// process does that now.
const beginAcknowledgement = `
UPDATE events AS e SET acknowledged = 1,` + whileTold + `
WHERE e.seq = $1 AND ` + untouched + ` AND e.waited = 0
	AND (e.acknowledged = 0 OR e.acknowledged = 1 AND e.not_before <= $3)
RETURNING ` + rowColumns

// beginNotice holds a queued event and returns it, unless there was a notice to another event of the thread that is
// queued or handled. $4 is 1 if the event may have a notice already. An event whose run was started before may have an
// answer.
var beginNotice = `
UPDATE events AS e SET waited = 1,` + whileTold + `
WHERE e.seq = $1 AND ` + untouched + ` AND e.waited = $4 AND e.not_before <= $3 AND ` + notStarted + `
	AND (` + isBehind + `) AND ` + noneNoticed + `
RETURNING ` + rowColumns

// notStarted is the condition that the run of an event e was not started.
const notStarted = `NOT EXISTS (SELECT 1 FROM runs WHERE runs.delivery = e.delivery)`

// noneNoticed is the condition that no other event of the thread of an event e that is queued or handled has a notice.
const noneNoticed = `NOT EXISTS (
		SELECT 1 FROM events n
		WHERE n.thread = e.thread AND n.waited = 1 AND n.state IN ('ready', 'working') AND n.seq <> e.seq)`

// findWaiting finds the first events of a thread's queue ($1) that were accepted until $2 and can have a notice, if
// none of the thread has one, and which of them can have none at $3.
var findWaiting = `
SELECT e.seq, e.acknowledged = 0 OR e.not_before > $3
FROM events e WHERE e.seq IN (` + firstsOf("$1", maxPassedOver) + `) AND e.accepted <= $2
	AND ` + untouched + ` AND e.waited = 0 AND ` + notStarted + ` AND ` + noneNoticed + ` ORDER BY e.seq`

// findAhead finds what an event ($2) is queued behind: the leased event of its thread ($1), or else the first that is
// ready.
var findAhead = `
SELECT ` + rowColumns + ` FROM events WHERE seq <> $2 AND seq = coalesce(
	(SELECT w.seq FROM events w WHERE w.state = 'working' AND w.aside = 0 AND w.thread = $1), (` + firstOf("$1") + `))`

// endNotice allows the event to be claimed again, unless it was claimed after that time. $3 is 1 if it may have a
// notice, $4 is 0 if it is to be acknowledged again.
const endNotice = `
UPDATE events SET not_before = CASE WHEN held = 1 THEN not_before ELSE 0 END, waited = $3,
	acknowledged = CASE WHEN acknowledged = 1 THEN $4 ELSE acknowledged END, place_at = 0
WHERE seq = $1 AND state = 'ready' AND (not_before = $2 OR held = 1)`

// maxPassedOver is how many events of a thread are looked at until one is told: there may be nobody to tell of some.
const maxPassedOver = 50

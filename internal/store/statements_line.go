package store

// The statements about the line of a thread.

// rowColumns are what queryRows reads.
const rowColumns = `delivery, thread, installation, version, body, state, lease_token`

// inLine finds what is in work and what waits on a thread.
const inLine = `
SELECT seq FROM events WHERE state = 'working' AND aside = 0 AND thread = $1
UNION ALL SELECT seq FROM events WHERE state = 'ready' AND aside = 0 AND thread = $1`

// workingFirst is the order of the line: what was given up and came again can be older than what is in work.
const workingFirst = `
ORDER BY CASE state WHEN 'working' THEN 0 ELSE 1 END, seq`

const findLine = `
SELECT ` + rowColumns + ` FROM events
WHERE seq IN (` + inLine + `) AND delivery <> $2 AND (state = 'working' OR cancelled_in = '')` + workingFirst + ` LIMIT $3`

// cancelLine marks what is in line before the cancelling event. What waits and left no trace in the thread is done with; a
// retry need not wait any longer.
const cancelLine = `
UPDATE events SET
	cancelled_in = $2, cancelled_by = $3, changed = $5,
	not_before = CASE WHEN ` + wasBegun + ` THEN 0 ELSE not_before END,
	state = CASE WHEN ` + leftNoTrace + ` THEN 'done' ELSE state END,
	error = CASE WHEN ` + leftNoTrace + ` THEN $4 ELSE error END
WHERE cancelled_in = '' AND seq < (SELECT seq FROM events WHERE delivery = $2) AND seq IN (` + inLine + `)`

const (
	wasBegun    = `EXISTS (SELECT 1 FROM runs WHERE runs.delivery = events.delivery)`
	leftNoTrace = `state = 'ready' AND waited = 0 AND NOT ` + wasBegun
)

const findCancelled = `
SELECT ` + rowColumns + ` FROM events WHERE cancelled_in <> '' AND cancelled_in = $1` + workingFirst + ` LIMIT $2`

// findPast finds the events before one whose run has something on record. Those of people who were turned away have nothing, and
// those aside nothing that is looked for later: as many as there are, they hide nobody's work.
const findPast = `
SELECT ` + rowColumns + ` FROM events
WHERE delivery IN (SELECT delivery FROM runs WHERE thread = $1 AND EXISTS (SELECT 1 FROM run_steps WHERE run = runs.id)) AND aside = 0 AND seq < (SELECT seq FROM events WHERE delivery = $2)
ORDER BY seq DESC LIMIT $3`

// beforeOldest is where to begin to look; at the newest event when none waits.
const beforeOldest = `
SELECT coalesce((SELECT min(seq) - 1 FROM events WHERE state = 'ready' AND aside = 0), max(seq), 0) FROM events`

// look passes over the events that were accepted after one and before a time, and says which might have to wait.
const look = `
SELECT seq, state = 'ready' AND aside = 0 AND waited = 0 AND attempts = 0 AND cancelled_in = ''
FROM events WHERE seq > $1 AND accepted <= $2 ORDER BY seq LIMIT $3`

// beginTelling keeps an event that has to wait from being claimed until $2, and finds it, once.
const beginTelling = `
UPDATE events AS e SET waited = 1, not_before = $2, changed = $3
WHERE e.seq = $1 AND e.state = 'ready' AND e.aside = 0 AND e.waited = 0 AND e.attempts = 0 AND e.cancelled_in = '' AND (` + isBehind + `)
RETURNING ` + rowColumns

// findAhead finds what an event waits for: what is in work, or else what is next.
const findAhead = `
SELECT ` + rowColumns + ` FROM events WHERE seq <> $2 AND seq IN (` + inLine + `)` + workingFirst + ` LIMIT 1`

// endTelling frees the event, unless it was claimed after that time.
const endTelling = `
UPDATE events SET not_before = 0 WHERE seq = $1 AND state = 'ready' AND not_before = $2`

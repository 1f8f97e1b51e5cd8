package store

// lockPace locks the pace of an installation until the end of the transaction, and returns until when it is blocked.
const lockPace = `
INSERT INTO paces (installation, blocked_until) VALUES ($1, 0)
ON CONFLICT (installation) DO UPDATE SET blocked_until = paces.blocked_until RETURNING blocked_until`

const findBlocked = `
SELECT coalesce(max(blocked_until), 0) FROM paces WHERE installation = $1`

const blockPace = `
INSERT INTO paces (installation, blocked_until) VALUES ($1, $2)
ON CONFLICT (installation) DO UPDATE SET blocked_until = excluded.blocked_until
WHERE paces.blocked_until < excluded.blocked_until`

const findWrites = `
SELECT sent, acknowledges FROM writes WHERE installation = $1 AND sent >= $2 ORDER BY sent`

const insertWrite = `
INSERT INTO writes (installation, sent, acknowledges) VALUES ($1, $2, $3)`

const forgetWrites = `
DELETE FROM writes WHERE installation = $1 AND sent < $2`

// recordAcknowledged records that a command was acknowledged.
const recordAcknowledged = `
UPDATE events SET acknowledged = 2 WHERE delivery = $1`

// beginAcknowledgement returns an event that waits for no other one and that no worker has claimed yet, once.
const beginAcknowledgement = `
UPDATE events AS e SET acknowledged = 1
WHERE e.seq = $1 AND e.state = 'ready' AND e.aside = 0 AND e.waited = 0 AND e.acknowledged = 0 AND e.attempts = 0
	AND e.cancelled_in = '' AND NOT (` + isBehind + `)
RETURNING ` + rowColumns

// postponeAcknowledgement allows the acknowledgement of an event to begin once more.
const postponeAcknowledgement = `
UPDATE events SET acknowledged = 0 WHERE seq = $1 AND acknowledged = 1`

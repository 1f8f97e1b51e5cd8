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

// insertWrite adds a write. The column has its kind: it once told an acknowledgement from all others.
const insertWrite = `
INSERT INTO writes (installation, sent, acknowledges) VALUES ($1, $2, $3)`

const forgetWrites = `
DELETE FROM writes WHERE installation = $1 AND sent < $2`

// recordAcknowledged records that a command was acknowledged.
const recordAcknowledged = `
UPDATE events SET acknowledged = 2 WHERE delivery = $1`

// listPaces counts the writes of each installation since $1, and finds until when it is blocked, 0 if that is not after
// $2.
const listPaces = `
SELECT installation, CAST(sum(n) AS BIGINT), CAST(sum(until) AS BIGINT) FROM (
	SELECT installation, count(*) AS n, 0 AS until FROM writes WHERE sent >= $1 GROUP BY installation
	UNION ALL SELECT installation, 0, blocked_until FROM paces WHERE blocked_until > $2
) AS known GROUP BY installation`

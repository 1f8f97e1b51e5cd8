package store

// The audit.

// findCommitting finds out whether it is in the audit that a run was about to commit.
const findCommitting = `
SELECT count(*) FROM audit WHERE run = $1 AND ending = 0`

const findNewestEntry = `
SELECT body FROM audit WHERE run = $1 ORDER BY ending DESC LIMIT 1`

// findEnd finds how a run ended last.
const findEnd = `
SELECT seq, version, body FROM audit WHERE run = $1 AND ending > 0 ORDER BY ending DESC LIMIT 1`

const insertCommitting = `
INSERT INTO audit (run, ending, at, installation, owner, repo, person, command, outcome, version, body)
VALUES ($1, 0, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

const insertEnded = `
INSERT INTO audit (run, ending, at, installation, owner, repo, person, command, outcome, version, body)
VALUES ($1, (SELECT coalesce(max(a.ending), 0) + 1 FROM audit a WHERE a.run = $1), $2, $3, $4, $5, $6, $7, $8, $9, $10)`

// countAudit counts a command that came to nothing, and returns how many the day had, and how many of these are in the
// audit.
const countAudit = `
INSERT INTO audit_counts (day, source, seen, listed) VALUES ($1, $2, 1, 0)
ON CONFLICT (day, source) DO UPDATE SET seen = audit_counts.seen + 1 RETURNING seen, listed`

const countListed = `
UPDATE audit_counts SET listed = listed + 1 WHERE day = $1 AND source = $2`

// findUsedModels finds what the attempts of a run took, by model.
const findUsedModels = `
SELECT model, count(*), CAST(sum(tokens_in) AS BIGINT), CAST(sum(tokens_cached) AS BIGINT),
	CAST(sum(tokens_out) AS BIGINT), CAST(sum(nanos) AS BIGINT), max(unpriced),
	CAST(sum(CASE WHEN model = '' THEN tokens ELSE 0 END) AS BIGINT)
FROM bookings WHERE run = $1 AND (model <> '' OR tokens > 0) GROUP BY model ORDER BY min(call * 1000 + attempt)`

// listAudit lists what fits a filter after $1, the oldest first. That a run was about to commit is left out if it has
// ended.
const listAudit = `
SELECT seq, version, body FROM audit a WHERE seq > $1 AND at >= $2 AND at < $3
	AND ($4 = '' OR owner = $4) AND ($5 = '' OR repo = $5) AND ($6 = '' OR person = $6) AND ($7 = '' OR command = $7)
	AND ($8 = '' OR outcome = $8) AND ($9 = '' OR run = $9)
	AND (ending > 0 OR NOT EXISTS (SELECT 1 FROM audit e WHERE e.run = a.run AND e.ending > 0))
	AND ($10 = 0 OR NOT EXISTS (SELECT 1 FROM audit l WHERE l.run = a.run AND l.ending > a.ending))
ORDER BY seq LIMIT $11`

// listEnds lists runs that have ended; lastEnds selects the last end of each.
const (
	listEnds = `SELECT a.seq, a.version, a.body FROM audit a`
	lastEnds = ` WHERE a.ending > 0
	AND NOT EXISTS (SELECT 1 FROM audit l WHERE l.run = a.run AND l.ending > a.ending)`
)

// listUnlisted lists how many commands the audit leaves out, by day and installation.
const listUnlisted = `
SELECT day, source, seen - listed FROM audit_counts
WHERE day >= $1 AND day <= $2 AND source LIKE 'installation:%' AND seen > listed ORDER BY day, source`

const moveAuditHorizon = `
UPDATE audit_horizon SET kept_since = $1 WHERE kept_since < $1`

const deleteAudit = `
DELETE FROM audit WHERE seq IN (
	SELECT seq FROM audit WHERE at < (SELECT kept_since FROM audit_horizon) ORDER BY at LIMIT $1)`

// deleteAuditCounts deletes the counts of days before $1, and those of persons before $2.
const deleteAuditCounts = `
DELETE FROM audit_counts WHERE day < $1 OR day < $2 AND source LIKE 'person:%'`

// findUnfinished finds events of an installation that wait and whose runs were started.
const findUnfinished = `
SELECT ` + rowColumns + ` FROM events WHERE installation = $1 AND state = 'ready'
	AND EXISTS (SELECT 1 FROM runs WHERE runs.delivery = events.delivery) LIMIT $2`

const deleteUnfinished = `
DELETE FROM events WHERE delivery = $1 AND state = 'ready'` + returningThread

// findDropped finds the events that a cancel ended at once.
const findDropped = `
SELECT ` + rowColumns + ` FROM events WHERE cancelled_in = $1 AND state = 'done' AND changed = $2 ORDER BY seq LIMIT $3`

package store

// findExpired finds the leases that were not renewed in time, except those that are being renewed.
func findExpired(d database) string {
	return `
SELECT lease_token FROM events WHERE state = 'working' AND lease_until < $1 ORDER BY lease_until LIMIT $2` +
		d.skipLocked()
}

// renewExpired renews a lease that is expired and was not taken by another worker.
const renewExpired = `
UPDATE events SET lease_until = $2 WHERE state = 'working' AND lease_token = $1`

// releaseLease releases the event of a lease that is still expired.
var releaseLease = `
UPDATE events SET ` + afterDeath("$2") + `
WHERE state = 'working' AND lease_token = $1 AND lease_until < $2`

// seeTime records a time that the queue has seen.
const seeTime = `
UPDATE clock SET seen = $1 WHERE id = 1 AND seen < $1`

// latestTime finds the latest time that the queue has seen. Whatever waits to be ready was changed before.
const latestTime = `
SELECT CASE WHEN seen > changed THEN seen ELSE changed END FROM clock,
	(SELECT coalesce(max(changed), 0) AS changed FROM events WHERE state = 'ready') waiting`

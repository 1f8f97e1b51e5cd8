package store

// renewExpired renews a lease that is expired and was not taken by another worker.
const renewExpired = `
UPDATE events SET lease_until = $3 WHERE seq = $1 AND state = 'working' AND lease_token = $2`

// seeTime records a time that the queue has seen.
const seeTime = `
UPDATE clock SET seen = $1 WHERE id = 1 AND seen < $1`

// latestTime finds the latest time that the queue has seen. Whatever waits to be ready was changed before.
const latestTime = `
SELECT CASE WHEN seen > changed THEN seen ELSE changed END FROM clock,
	(SELECT coalesce(max(changed), 0) AS changed FROM events WHERE state = 'ready') waiting`

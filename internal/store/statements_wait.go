package store

// waitingSince finds since when a leased event waits.
const waitingSince = `
SELECT waits_since FROM events WHERE delivery = $1 AND state = 'working' AND lease_token = $2`

// putToSleep ends a lease like endLease, and records what the event waits for, since when, and what was given up.
const putToSleep = `
UPDATE events SET state = 'ready', attempts = $3, not_before = $4, error = $5, waits_for = $6, waits_since = $7,
	gave_up = $8, lease_token = '', lease_until = 0, tried = 0, changed = $9, place_at = 0
WHERE delivery = $1 AND state = 'working' AND lease_token = $2`

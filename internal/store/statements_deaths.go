package store

import "fmt"

// diedColumns are what scanDied reads.
const diedColumns = `seq, lease_token, process, deaths, strikes, tried`

// findLeased finds all that was leased by the process that used the database before.
const findLeased = `
SELECT ` + diedColumns + ` FROM events WHERE state = 'working'`

// diedOf is the condition on events that were interrupted, whose index is by their last process.
const diedOf = `state IN ('ready', 'working') AND deaths > 0`

// findOnTrial finds the two events that began their trial last of those that a process ($1) had on trial when it died.
const findOnTrial = `
SELECT ` + diedColumns + ` FROM events WHERE ` + diedOf + ` AND process = $1 AND tried > 0
ORDER BY tried DESC LIMIT 2`

// acquit clears the events that were waiting after a death at $2 when another process ($1) died. A retry that waits
// after an error remains due when it is.
var acquit = fmt.Sprintf(`
UPDATE events SET deaths = 0, strikes = 0, place_at = 0,
	not_before = CASE WHEN error = '' AND not_before > $2 THEN $2 ELSE not_before END
WHERE `+diedOf+` AND process <> $1 AND state = 'ready' AND attempts < %d`, MaxAttempts)

// postpone has the suspects that wait wait until $1 at least.
var postpone = fmt.Sprintf(`
UPDATE events SET not_before = $1, place_at = 0
WHERE `+diedOf+` AND state = 'ready' AND deaths >= %d AND attempts < %d AND not_before < $1`,
	suspectDeaths, MaxAttempts)

// releaseDied releases an event whose lease ($2) ended with its process, if it was not renewed until $3, and has $4
// strikes now. It is due at $5. The attempt is not counted, unless the event is to become a dead letter ($6).
var releaseDied = fmt.Sprintf(`
UPDATE events SET state = 'ready', lease_token = '', lease_until = 0, deaths = deaths + 1, strikes = $4,
	not_before = $5, changed = $7, place_at = 0,
	attempts = CASE WHEN $6 = '' THEN attempts - 1 WHEN attempts < %[1]d THEN %[1]d ELSE attempts END,
	error = CASE WHEN error = '' THEN $6 ELSE error END
WHERE seq = $1 AND state = 'working' AND lease_token = $2 AND lease_until < $3`, MaxAttempts)

// trialIsOver is the condition that an event has been handled for as long as its trial lasts, at $4.
var trialIsOver = fmt.Sprintf(`tried > 0 AND tried + CASE WHEN deaths < %d THEN %d WHEN deaths < %d
	THEN CAST(%d AS BIGINT) << (deaths - %d) ELSE %d END <= $4`,
	patientDeaths, minTrial.Milliseconds(), patientDeaths+3, minTrial.Milliseconds(), patientDeaths-1,
	maxTrial.Milliseconds())

// known is 1 if a run ($4) has a step of a kind ($5, with a dot), numbered or not. With LIKE, SQLite would prepare the
// statement again whenever it is executed.
const known = `CASE WHEN EXISTS (SELECT 1 FROM run_steps WHERE run = $4 AND substr(step || '.', 1, length($5)) = $5)
	THEN 1 ELSE 0 END`

// extendProgress is extendLease for an event whose run records a step. If it is the first of its kind, the event got
// further, and its deaths are forgotten.
const extendProgress = `
UPDATE events SET lease_until = $3, deaths = deaths * ` + known + `, strikes = strikes * ` + known + `,
	tried = tried * ` + known + `
WHERE delivery = $1 AND state = 'working' AND lease_token = $2`

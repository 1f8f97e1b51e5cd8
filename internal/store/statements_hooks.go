package store

// replaceText replaces the body of an event whose run recorded no step.
const replaceText = `
UPDATE events SET version = $2, body = $3
WHERE delivery = $1 AND NOT EXISTS (
	SELECT 1 FROM runs r JOIN run_steps s ON s.run = r.id WHERE r.delivery = events.delivery)`

// The search for deliveries that never arrived.

// beginSweep takes the lease of the sweep for a process, if it is due ($4 is 1: in any case) and nobody has it.
const beginSweep = `
UPDATE sweep SET token = $1, until = $2, due = $3
WHERE id = 1 AND until <= $3 AND (due <= $3 OR $4 = 1) RETURNING seen`

// releaseSweep releases the sweep of a dead process. Only for a database that no other process can be using.
const releaseSweep = `
UPDATE sweep SET token = '', until = 0`

const renewSweep = `
UPDATE sweep SET until = $2 WHERE id = 1 AND token = $1`

// endSweep ends the lease. The newest attempt that was seen only becomes newer.
const endSweep = `
UPDATE sweep SET token = '', until = 0, due = $2, seen = CASE WHEN seen < $3 THEN $3 ELSE seen END
WHERE id = 1 AND token = $1`

// findDelivery finds whether a delivery was accepted, and when GitHub was asked for it; 0 is never.
const findDelivery = `
SELECT
	CASE WHEN EXISTS (SELECT 1 FROM events WHERE delivery = $1) THEN 1 ELSE 0 END,
	coalesce((SELECT first_asked FROM redeliveries WHERE delivery = $1), 0),
	coalesce((SELECT last_asked FROM redeliveries WHERE delivery = $1), 0)`

const recordAsked = `
INSERT INTO redeliveries (delivery, first_asked, last_asked) VALUES ($1, $2, $2)
ON CONFLICT (delivery) DO UPDATE SET last_asked = excluded.last_asked`

const forgetAsked = `
DELETE FROM redeliveries WHERE delivery IN (
	SELECT delivery FROM redeliveries WHERE last_asked < $1 ORDER BY last_asked LIMIT $2)`

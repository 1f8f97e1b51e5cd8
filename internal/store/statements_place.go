package store

import (
	"fmt"
	"strconv"
)

// The places of events. A claim must not look at all that waits, so claims keep which events can be claimed: those that
// are due and, if they are in a thread's queue, the first of it. Only they write that, one after another; whatever
// changes an event sets its place_at to 0, and so waits for no claim.

// findToPlace finds events that were changed, or whose sleep or lease is over at $1, without those that are being
// changed.
func findToPlace(d database) string {
	return `
SELECT thread, installation, aside, state, lease_until, ` + diedColumns + ` FROM events
WHERE place_at <= $1 ORDER BY place_at LIMIT ` + strconv.Itoa(maxPlaced) + d.skipLocked()
}

// firstOf finds the first event of a thread's queue, whether or not it is due. An event that is held is not in it: a
// sender of many commands must not delay those of others in the thread. The first of all that come in the index from
// there on is looked at, because PostgreSQL may look for the first of some by walking through the whole table.
func firstOf(thread string) string { return firstsOf(thread, 1) }

// firstsOf is firstOf for so many events.
func firstsOf(thread string, count int) string {
	return fmt.Sprintf(`
SELECT n.seq FROM (
	SELECT q.seq, q.thread, q.held FROM events q
	WHERE q.state = 'ready' AND q.aside = 0 AND q.thread >= %[1]s
	ORDER BY q.thread, q.held, q.seq LIMIT %[2]d
) n WHERE n.thread = %[1]s AND n.held = 0`, thread, count)
}

// isBehind is the condition that an event e is not the first of its thread's queue.
var isBehind = `
EXISTS (SELECT 1 FROM events w WHERE w.state = 'working' AND w.aside = 0 AND w.thread = e.thread)
OR e.seq > coalesce((` + firstOf("e.thread") + `), e.seq)`

// placeEvent finds out whether an event ($1) can be claimed at $2, if it is in no thread's queue, and when that is to
// be found out again. What follows commits is claimed in the order in which it is due, all else as it was accepted. An
// event whose lease is over and may yet be renewed is looked at again in a second.
const placeEvent = `
UPDATE events SET
	claimable = CASE WHEN aside = 0 THEN claimable
		WHEN state = 'ready' AND not_before <= $2 THEN CASE WHEN aside = 2 THEN not_before ELSE 0 END END,
	held = CASE WHEN not_before <= $2 THEN 0 ELSE held END,
	place_at = CASE WHEN state = 'ready' AND not_before > $2 THEN not_before
		WHEN state = 'working' AND lease_until >= $2 THEN lease_until + 1
		WHEN state = 'working' THEN CAST($2 AS BIGINT) + 1000 END
WHERE seq = $1`

// placeThread corrects which event of a thread's queue ($1) can be claimed at $2: the first one, if it is due and none
// is leased.
var placeThread = `
UPDATE events AS e SET claimable = CASE WHEN e.claimable IS NULL THEN 0 END
WHERE e.seq IN (
		SELECT c.seq FROM events c WHERE c.claimable IS NOT NULL AND c.aside = 0 AND c.thread = $1
		UNION ALL ` + firstOf("$1") + `)
	AND (e.claimable IS NULL) = (e.state = 'ready' AND e.held = 0 AND e.not_before <= $2 AND NOT (` + isBehind + `))`

// placeAgain has the next claim find out about an event that it was wrong about.
const placeAgain = `
UPDATE events SET claimable = NULL, place_at = 0 WHERE seq = $1`

// returningThread returns of deleted events the threads of those that others were behind, or may have been behind until
// the next claim; "" of the others.
const returningThread = `
RETURNING CASE WHEN state = 'ready' OR place_at IS NOT NULL THEN thread ELSE '' END`

// placeNext has the next claim find out about the first event of a thread's queue ($1).
var placeNext = `
UPDATE events SET place_at = 0 WHERE seq IN (` + firstOf("$1") + `)`

// takeTurn corrects what claims of a lane ($3) choose the installation $1 by. If $2 is 1, it has its turn now ($4).
// takeTurnOfThread does it for the installation of the event of the thread $1 that can be claimed: a thread has events
// of two installations when the App was installed again. In PostgreSQL, placeThread leaves another one claimable if a
// transaction that ended meanwhile changed it; the next claim corrects that.
var (
	takeTurn         = takeTurnOf(`SELECT CAST($1 AS BIGINT)`)
	takeTurnOfThread = takeTurnOf(
		`SELECT c.installation FROM events c
		WHERE c.state = 'ready' AND c.claimable IS NOT NULL AND c.aside = 0 AND c.thread = $1 ORDER BY c.seq LIMIT 1`)
)

func takeTurnOf(installation string) string {
	return fmt.Sprintf(`
WITH of (installation) AS (%[1]s)
INSERT INTO turns (installation, aside, turn, begun, leased, first, fresh)
SELECT of.installation, CAST($3 AS INTEGER),
	CASE WHEN $2 = 1 THEN (SELECT coalesce(max(turn), 0) + 1 FROM turns) ELSE 0 END,
	CASE WHEN $2 = 1 THEN CAST($4 AS BIGINT) ELSE 0 END,
	(SELECT count(*) FROM events w
		WHERE w.state = 'working' AND w.aside = CAST($3 AS INTEGER) AND w.installation = of.installation),
	coalesce(f.seq, 0),
	CASE WHEN f.deaths > 0 AND f.deaths < %[2]d THEN 0 ELSE 1 END
FROM of LEFT JOIN (%[3]s) f ON true WHERE true
ON CONFLICT (installation, aside) DO UPDATE SET leased = excluded.leased, first = excluded.first,
	fresh = excluded.fresh, turn = CASE WHEN $2 = 1 THEN excluded.turn ELSE turns.turn END,
	begun = CASE WHEN $2 = 1 THEN excluded.begun ELSE turns.begun END
WHERE $2 = 1 OR (turns.leased, turns.first, turns.fresh) <> (excluded.leased, excluded.first, excluded.fresh)`,
		installation, suspectDeaths, firstClaimable)
}

// firstClaimable finds the event to claim next in a lane ($3) of the installation in "of". Like firstOf, it looks at
// the first of all that come in the index from there on.
const firstClaimable = `
SELECT n.seq, n.deaths FROM (
	SELECT c.seq, c.deaths, c.installation FROM events c
	WHERE c.state = 'ready' AND c.claimable IS NOT NULL AND c.aside = CAST($3 AS INTEGER)
		AND c.installation >= (SELECT installation FROM of)
	ORDER BY c.installation, c.claimable, c.seq LIMIT 1
) n WHERE n.installation = (SELECT installation FROM of)`

// findNext finds the installation whose turn it is in a lane ($1), its event to claim and the error of that: the
// installation with the fewest leased events, so that none has more than its share of the workers while others wait,
// and among such the one that had its last turn longest ago. Those whose event was interrupted come first: they had
// their turn, and never were more than there are workers.
//
// findNewcomer finds it only if the installation has nothing leased, and had its last turn at $2 or before.
var (
	findNext     = findNextOf("", "")
	findNewcomer = findNextOf("AND fresh = 1 AND leased = 0", "WHERE t.begun <= $2")
)

func findNextOf(among, when string) string {
	return fmt.Sprintf(`
SELECT t.installation, t.seq, coalesce(e.error, '') FROM (
	SELECT installation, begun, first AS seq FROM turns
	WHERE aside = CAST($1 AS INTEGER) AND first > 0 %s
	ORDER BY aside, fresh, leased, turn, first LIMIT 1
) t LEFT JOIN events e ON e.seq = t.seq %s`, among, when)
}

// claimEvent leases an event, and counts the attempt, if it can be claimed indeed. It clears the error of the previous
// attempt, so that an attempt that ends with the process has none. When all attempts ($5) are used up, it keeps the
// error: the event is claimed to become a dead letter because of it. A suspect is on trial from now on.
var claimEvent = `
UPDATE events AS e SET state = 'working', attempts = e.attempts + 1, lease_token = $2, lease_until = $3,
	claimable = NULL, place_at = CAST($3 AS BIGINT) + 1, changed = $4, held = 0,
	error = CASE WHEN e.attempts < $5 THEN '' ELSE e.error END, process = $6,
	tried = CASE WHEN e.deaths < ` + strconv.Itoa(suspectDeaths) + ` THEN 0 ELSE CAST($4 AS BIGINT) END
WHERE e.seq = $1 AND e.state = 'ready' AND e.claimable IS NOT NULL AND e.not_before <= $4
	AND (e.aside > 0 OR NOT (` + isBehind + `))
RETURNING delivery, thread, installation, version, body, attempts, waited, cancelled_in, cancelled_by, gave_up,
	acknowledged`

// refuseUnreadable makes a dead letter of an event that was leased in this transaction and that this program cannot
// read.
const refuseUnreadable = `
UPDATE events SET state = 'parked', attempts = attempts - 1, error = $2, lease_token = '', lease_until = 0,
	place_at = 0, changed = $3
WHERE seq = $1`

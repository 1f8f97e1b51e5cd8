package store

import (
	"fmt"
	"strings"
	"time"
)

const (
	// MaxDeaths is how often a process dies while it handles an event before that becomes a dead letter, if its run does
	// not record a step of a new kind in between. It is far more than MaxAttempts because most of these events only ran
	// beside the cause, and some were met by chance each time.
	MaxDeaths = 10
	// suspectDeaths is the number of deaths from which on an event is a suspect: each further claim is delayed, and a
	// process handles one suspect at a time, so that a suspect dies because of no other one.
	suspectDeaths = 3
	// minDeathDelay is the delay after the death by which an event becomes a suspect; each further one is twice as long,
	// maxDeathDelay at most.
	minDeathDelay = time.Second
	maxDeathDelay = 30 * time.Second
)

// deathDelay returns how long an event waits for its next claim after so many deaths. The end of an event that has
// MaxDeaths is reported at once.
func deathDelay(deaths int) time.Duration {
	if deaths < suspectDeaths || deaths >= MaxDeaths {
		return 0
	}
	return min(minDeathDelay<<(deaths-suspectDeaths), maxDeathDelay)
}

// afterDeath releases an event whose process died, or did not renew the lease in time; now is the parameter of the
// time. The attempt is not counted, until the event ended so often without getting further that it becomes a dead
// letter at the next claim.
func afterDeath(now string) string {
	var delays strings.Builder
	for deaths := suspectDeaths; deaths < MaxDeaths; deaths++ {
		_, _ = fmt.Fprintf(&delays, " WHEN %d THEN %d", deaths, deathDelay(deaths).Milliseconds())
	}
	return fmt.Sprintf(`state = 'ready', lease_token = '', lease_until = 0, deaths = deaths + 1, changed = %s,
	place_at = 0, not_before = CAST(%[1]s AS BIGINT) + CASE deaths + 1%s ELSE 0 END,
	attempts = CASE WHEN deaths + 1 < %d THEN attempts - 1 WHEN attempts < %d THEN %[4]d ELSE attempts END`,
		now, delays.String(), MaxDeaths, MaxAttempts)
}

// extendProgress is extendLease for an event whose run records a step, and returns its deaths. It got further if the
// run ($4) has no step of that kind yet: $5 is the kind, $6 the pattern of its numbered steps.
const extendProgress = `
UPDATE events SET lease_until = $3, deaths = CASE
	WHEN EXISTS (SELECT 1 FROM run_steps WHERE run = $4 AND (step = $5 OR step LIKE $6)) THEN deaths ELSE 0 END
WHERE delivery = $1 AND state = 'working' AND lease_token = $2 RETURNING deaths`

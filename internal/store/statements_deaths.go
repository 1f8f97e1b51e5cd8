package store

import (
	"fmt"
)

// afterDeath releases an event whose process died, or did not renew the lease in time. The attempt is not counted, until
// the event ended so often without getting further that it becomes a dead letter at the next claim.
var afterDeath = fmt.Sprintf(`state = 'ready', lease_token = '', lease_until = 0, deaths = deaths + 1,
	attempts = CASE WHEN deaths + 1 < %d THEN attempts - 1 WHEN attempts < %d THEN %[2]d ELSE attempts END`,
	MaxDeaths, MaxAttempts)

// extendProgress is extendLease for an event whose run records a step. It got further if the run ($4) has no step of
// that kind yet: $5 is the kind, $6 the pattern of its numbered steps.
const extendProgress = `
UPDATE events SET lease_until = $3, deaths = CASE
	WHEN EXISTS (SELECT 1 FROM run_steps WHERE run = $4 AND (step = $5 OR step LIKE $6)) THEN deaths ELSE 0 END
WHERE delivery = $1 AND state = 'working' AND lease_token = $2`

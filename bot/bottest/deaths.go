package bottest

import "time"

const (
	// MaxDeaths is how often a process dies while it handles an event alone, without a step in between, before that
	// becomes a dead letter.
	MaxDeaths = 6
	// suspectDeaths is the number of deaths from which on the next claim of an event is delayed.
	suspectDeaths = 3
)

// died counts a death of the process. The attempt is not counted, until there are too many deaths.
func (i *item) died(now time.Time) {
	if i.deaths++; i.deaths < MaxDeaths {
		i.attempts--
	} else {
		i.attempts = max(i.attempts, MaxAttempts)
	}
	i.notBefore = now.Add(DeathDelay(i.deaths))
}

// DeathDelay returns how long an event waits for its next claim after so many deaths.
func DeathDelay(deaths int) time.Duration {
	if deaths < suspectDeaths || deaths >= MaxDeaths {
		return 0
	}
	if deaths == suspectDeaths {
		return 5 * time.Second
	}
	return 10 * time.Second
}

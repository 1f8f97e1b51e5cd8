package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// When a process dies, one of the events that it handled may be the cause, or none. An event that was interrupted is
// claimed again at once, until it has suspectDeaths without getting further. Then it is a suspect: suspects that died
// together wait for a pause, and begin one after another. While they wait, the others show whether the process dies
// without them: then they are acquitted. Once claimed, a suspect is on trial for a while. If the process dies
// meanwhile, the suspect that clearly began last has a strike. It is alone on trial next, after a longer pause, and
// becomes a dead letter with maxStrikes in a row.
//
// A trial that is survived clears the strikes, a step of a new kind the deaths too.

const (
	// suspectDeaths is the number of deaths from which on an event is a suspect.
	suspectDeaths = 3
	// maxStrikes is how often in a row a process dies during an event's trial before that becomes a dead letter.
	maxStrikes = 3
	// maxDeaths is how often it dies during an event, whatever else it handles: for what ends a process that has worked on
	// it for longer than maxTrial.
	maxDeaths = 50
	// pause is how long suspects wait after a death, longPause if one of them has a strike.
	pause, longPause = 5 * time.Second, 10 * time.Second
	// minTrial is how long a trial takes, and how much later at most the next suspect begins. With patientDeaths, both are
	// twice as long, and so on until maxTrial: for what takes longer to end the process.
	minTrial, maxTrial = 5 * time.Second, time.Minute
	patientDeaths      = 8
	// apart is how much later than the others on trial an event began that has a strike.
	apart = time.Second
	// spread is within what time all suspects that died together begin, if they have fewer deaths than patientDeaths.
	spread = 16 * time.Second
)

// died is an event whose lease ended with the process that handled it.
type died struct {
	seq            int64
	lease, process string
	// deaths and strikes are those before this death.
	deaths, strikes int
	// tried is when its trial began, in the database's form; 0 if it was not on trial.
	tried int64
}

// columns are where to scan diedColumns.
func (d *died) columns() []any {
	return []any{&d.seq, &d.lease, &d.process, &d.deaths, &d.strikes, &d.tried}
}

func scanDied(rows *sql.Rows) (d died, err error) {
	err = rows.Scan(d.columns()...)
	return d, err
}

// release returns the statements that release events whose processes died: their leases were not renewed until a time.
func release(ctx context.Context, tx tx, all []died, until int64) (released calls, err error) {
	processes := map[string][]died{}
	for _, d := range all {
		processes[d.process] = append(processes[d.process], d)
	}
	for process, dead := range processes {
		onTrial, err := collect(ctx, tx, scanDied, findOnTrial, process)
		if err != nil {
			return nil, err
		}
		cause := causeOf(onTrial)
		switch {
		case len(onTrial) == 0: // so none of those that wait is the cause
			released.add(acquit, process, tx.after(0))
		case cause != 0: // it is to be alone on trial next
			released.add(postpone, tx.after(longPause+minTrial))
		}
		for i := range dead {
			switch dead[i].deaths++; {
			case dead[i].seq == cause:
				dead[i].strikes++
			case cause != 0:
				dead[i].strikes = 0
			}
		}
		delays := delaysOf(dead)
		for i, d := range dead {
			failed := ""
			if d.strikes >= maxStrikes || d.deaths >= maxDeaths {
				failed, delays[i] = fmt.Sprintf("the program ended %d times while it worked on this", d.deaths), 0
			}
			released.add(releaseDied, d.seq, d.lease, until, d.strikes, tx.after(delays[i]), failed, tx.after(0))
		}
	}
	return released, nil
}

// causeOf returns the event that seems to be the cause of a death, of the two that began their trial last; 0 if none
// does.
func causeOf(onTrial []died) (seq int64) {
	if len(onTrial) == 0 || len(onTrial) == 2 && onTrial[0].tried-onTrial[1].tried < apart.Milliseconds() {
		return 0
	}
	return onTrial[0].seq
}

// delaysOf sorts events that died together, those with the most strikes first and others in an order that differs from
// death to death, and returns when each is due.
func delaysOf(dead []died) []time.Duration {
	suspects, deaths := 0, 0
	for _, d := range dead {
		if d.deaths >= suspectDeaths {
			suspects++
			deaths = max(deaths, d.deaths)
		}
	}
	slices.SortFunc(dead, func(a, b died) int { return cmp.Compare(a.seq, b.seq) })
	order := rand.New(rand.NewPCG(uint64(dead[0].seq), uint64(deaths))) //nolint:gosec // no secret, and no negative number
	order.Shuffle(len(dead), func(i, j int) { dead[i], dead[j] = dead[j], dead[i] })
	slices.SortStableFunc(dead, func(a, b died) int { return cmp.Compare(b.strikes, a.strikes) })
	longer := min(max(deaths-patientDeaths+1, 0), 4)
	gap := min(minTrial<<longer, maxTrial, spread<<longer/time.Duration(max(suspects, 1)))
	delays := make([]time.Duration, len(dead))
	next := pause
	if dead[0].strikes > 0 {
		next = longPause
	}
	for i, d := range dead {
		if d.deaths >= suspectDeaths {
			delays[i] = next
			next += gap
		}
	}
	return delays
}

// MaxAttempts is how often an event is handled before it becomes a dead letter.
const MaxAttempts = 3

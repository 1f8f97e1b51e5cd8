package record

import (
	"fmt"

	"github.com/tenon-bot/tenon/bot/port"
)

// Store returns a record as Load reads it. A record that cannot be stored is a mistake in this program.
func Store(rec Record) (port.Run, error) {
	run := port.Run{ID: rec.ID, Started: rec.Started, Resumed: rec.Resumed, Forgotten: rec.Forgotten,
		Steps: map[string]port.Step{}}
	put := func(s loadable) (bool, error) {
		stored, ok, err := s.save(&rec)
		if ok && err == nil {
			run.Steps[s.stepName()] = stored
		}
		return ok, err
	}
	for _, s := range steps {
		if _, err := put(s); err != nil {
			return port.Run{}, err
		}
	}
	several := []func(n int) loadable{
		func(n int) loadable { return Asked(n) },
		func(n int) loadable { return Applied(n) },
		func(n int) loadable { return Verified(n) },
		func(n int) loadable { return Resolved(n) },
		func(n int) loadable { return PicksSettled(n) },
		func(n int) loadable { return PicksMade(n) },
		func(n int) loadable { return BackportOpened(n) },
	}
	for _, of := range several {
		for n := 1; ; n++ {
			if ok, err := put(of(n)); err != nil {
				return port.Run{}, err
			} else if !ok {
				break
			}
		}
	}
	for comment := range rec.ThreadAnswers {
		if _, err := put(AnsweredThread(comment)); err != nil {
			return port.Run{}, fmt.Errorf("storing an answer in a review thread: %w", err)
		}
	}
	return run, nil
}

// ForgetAll returns what is kept of a stored run when its sources are deleted, as Forget does of each step.
func ForgetAll(run port.Run) port.Run {
	steps := map[string]port.Step{}
	for name, stored := range run.Steps {
		steps[name] = Forget(name, stored)
	}
	run.Steps, run.Forgotten = steps, true
	return run
}

// Unread returns steps that no program can read, of a run that may have done anything: previewed, committed, answered.
func Unread() map[string]port.Step {
	steps := map[string]port.Step{}
	for _, s := range []loadable{Previewed, CommitMade, Asked(1), Reported} {
		steps[s.stepName()] = unreadable(port.Step{Version: 1})
	}
	return steps
}

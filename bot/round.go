package bot

import (
	"fmt"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// stoppedError ends a round of autofix for which there is no reason any more. It gets no answer: nobody asked for it.
type stoppedError struct{ why string }

func (e *stoppedError) Error() string { return "the round of autofix was stopped: " + e.why }

// isRound reports whether an event gives a round of autofix.
func isRound(ev port.Event) bool { return ev.Kind == port.Autofix && ev.Followed != nil }

// roundName says which round of autofix an event gives, as in "round 1 of autofix"; empty if it gives none.
func roundName(ev port.Event) string {
	if !isRound(ev) {
		return ""
	}
	return fmt.Sprintf("round %d of autofix", ev.Followed.Round)
}

// roundStops returns why a round of autofix is not to go on by settings, as a clause; empty for any other event.
func roundStops(ev port.Event, p policy.Policy) string {
	if isRound(ev) && (p.Autofix < ev.Followed.Round || p.CI == policy.IgnoreCI) {
		return sentence.AutofixOff
	}
	return ""
}

// refusedRound reports whether a refusal of a run gets no answer: it is a round of autofix of which nothing was shown
// yet, and nobody asked for it.
func refusedRound(ev port.Event, rec record.Record) bool {
	return isRound(ev) && rec.Answer == nil && rec.Final == nil && rec.Prompt == nil
}

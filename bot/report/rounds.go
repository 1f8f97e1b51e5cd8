package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// Round is a round of autofix, as the answer to the run that a person asked for lists it.
type Round struct {
	// N is its number, from 1, of Of.
	N, Of int
	// Commit is what it committed, empty if nothing or nothing yet, and CI what CI says of that. Links are those of
	// the repository that was committed to.
	Commit string
	Links  port.Links
	CI     CI
	// Answer is the page of its answer, empty if there is none yet.
	Answer string
	// Over reports that its run is done with.
	Over bool
}

// begins is what the line of a round begins with.
func (r Round) begins() string { return fmt.Sprintf("- Autofix round %d of ", r.N) }

func (r Round) line(links bool) string {
	what := hasBegun
	switch {
	case r.Commit != "":
		what = CommitLink(r.Links, r.Commit) + " · " + r.CI.words(r.Links, links)
	case r.Over:
		what = "nothing was committed"
	}
	if r.Answer != "" {
		what += " · [answer](" + r.Answer + ")"
	}
	return fmt.Sprintf("%s%d: %s", r.begins(), r.Of, what)
}

// hasBegun is what the line of a round ends with that has neither committed nor ended.
const hasBegun = "has begun"

// roundsIn returns of how many rounds a line tells; 0 if it tells of none.
func roundsIn(line string) int {
	var n, of int
	if _, err := fmt.Sscanf(line, "- Autofix round %d of %d:", &n, &of); err != nil {
		return 0
	}
	return of
}

// AutofixEnded reports whether an answer says that there is no further round; ok is false if it is not in its final
// form.
func AutofixEnded(body, run string) (ended, ok bool) {
	e, ok := endingOf(body, run)
	return slices.ContainsFunc(e.rounds, func(l string) bool { return strings.HasPrefix(l, lastRound) }), ok
}

// toldIn reports whether a line tells already what CI says of the commit of the round.
func (r Round) toldIn(line string) bool {
	return r.Commit != "" && strings.Contains(line, CommitLink(r.Links, r.Commit)+" · CI ")
}

// lastRound is what the line begins with that says why there is no further round.
const lastRound = "- Autofix ended: "

// Rounds is what is to be told of rounds of autofix in the answer to the run that a person asked for.
type Rounds struct {
	// Run is the run that the last line of the answer names.
	Run string
	// Rounds are those of which something is to be told.
	Rounds []Round
	// End is why there is no further round, as a clause; empty if that is not to be told.
	End string
	// Known means that only a round that is listed already is told of.
	Known bool
}

// In returns an answer that tells it; ok is false if the answer is not in its final form, or has no room for it.
func (r Rounds) In(body string) (told string, ok bool) {
	for _, links := range []bool{true, false} {
		e, ok := endingOf(body, r.Run)
		if !ok {
			return body, false
		}
		e.rounds = r.among(e.rounds, links)
		if told = e.body(); len([]rune(told)) <= markdown.MaxBody {
			return told, true
		}
	}
	return body, false
}

// among puts what is to be told among the lines that are there, of which those of other rounds stay as they are.
func (r Rounds) among(lines []string, links bool) []string {
	for _, round := range r.Rounds {
		i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, round.begins()) })
		if i >= 0 {
			round.Of = max(round.Of, roundsIn(lines[i]))
			if round.CI.Outcome != port.CheckPending || !round.toldIn(lines[i]) {
				lines[i] = round.line(links)
			}
			continue
		}
		if r.Known {
			continue
		}
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, lastRound) })
		lines = append(lines, round.line(links))
	}
	if r.End != "" {
		lines = slices.DeleteFunc(lines, func(l string) bool {
			return strings.HasPrefix(l, lastRound) || strings.HasSuffix(l, hasBegun)
		})
		lines = append(lines, lastRound+markdown.Plain(r.End, "")+".")
	}
	return lines
}

package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// Queued is a command that runs or waits.
type Queued struct {
	port.QueuedEvent
	// Verb is that of the command.
	Verb string
	// Run is the record of its run; the zero value if the run has not started.
	Run record.Record
}

// stage says how far the run is.
func (at Queued) stage() string {
	now := Status{Call: len(at.Run.Turns) + 1}
	if at.Run.Prompt != nil {
		now.Files = at.Run.Prompt.Files
	}
	switch {
	case at.Run.Committed != nil:
		return "writing its answer"
	case at.Run.Committing:
		return "applying and committing"
	case at.Run.Prompt != nil:
		return now.reading(true) + "; " + now.asking(false)
	}
	return now.reading(false)
}

// QueueBody is the answer to status: what runs and waits on a thread, in order, and what is left of the budgets.
func QueueBody(thread port.Thread, line []Queued, left []port.BudgetState, now time.Time) string {
	parts := []string{fmt.Sprintf("Nothing is in work on this %s, and nothing waits.", thread.Kind())}
	if len(line) > 0 {
		parts = nil
	}
	if len(line) > 0 && line[0].Running {
		parts = append(parts, fmt.Sprintf("⏳ **In work** %s: %s · %s", line[0].forTime(now), CommandWords(line[0].Verb, line[0].Event), line[0].stage()))
		line = line[1:]
	}
	return markdown.JoinSections(append(parts, queuedList(line, now), budgetTable(left)))
}

// forTime is how long something is in work, or waits.
func (at Queued) forTime(now time.Time) string {
	since := at.Event.Received
	if at.Running && at.Run.ID != "" {
		since = at.Run.Started
	}
	return "for " + duration(max(0, now.Sub(since)))
}

func queuedList(line []Queued, now time.Time) string {
	if len(line) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("**Waiting**, in this order:\n")
	for i, at := range line[:min(len(line), maxLineShown)] {
		fmt.Fprintf(&b, "\n%d. %s, %s", i+1, CommandWords(at.Verb, at.Event), at.forTime(now))
		if at.Run.ID != "" {
			b.WriteString("; something went wrong, and it is tried again")
		}
	}
	if n := len(line) - maxLineShown; n > 0 {
		fmt.Fprintf(&b, "\n\n… and %d more", n)
	}
	return b.String()
}

// budgetTable says what is left of each budget.
func budgetTable(left []port.BudgetState) string {
	if len(left) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| budget | left | of | begins anew |\n|---|---:|---:|---|")
	for _, l := range left {
		fmt.Fprintf(&b, "\n| %s | %s | %s | %s |", l.Of, markdown.Grouped(max(0, l.Limit-l.Used)), markdown.Grouped(l.Limit), l.Resets.UTC().Format("2 January at 15:04 UTC"))
	}
	return b.String()
}

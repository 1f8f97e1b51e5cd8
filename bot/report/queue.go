package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// far is how far a run is, by its record.
func (at Queued) far() (string, error) {
	q, gathered, err := record.Get[record.Prompt](record.JournalOf(at.Run), "context")
	if err != nil {
		return "", err
	}
	now := Status{Files: q.Files, Call: 1}
	for record.Has(at.Run, fmt.Sprintf("ask.%d", now.Call)) {
		now.Call++
	}
	switch {
	case record.Has(at.Run, "commit"):
		return "writing its answer", nil
	case record.PastNoReturn(at.Run):
		return "applying and committing", nil
	case gathered:
		return now.reading(true) + "; " + now.asking(false), nil
	}
	return now.reading(false), nil
}

// queued is a command in work or in line, and its run; without an id where it has not begun.
type Queued struct {
	port.QueuedEvent
	// verb is that of the command.
	Verb string
	Run  port.Run
}

func QueueBody(thread port.Thread, line []Queued, left []port.BudgetState, now time.Time) (string, error) {
	parts := []string{fmt.Sprintf("Nothing is in work on this %s, and nothing waits.", thread.Kind())}
	if len(line) > 0 {
		parts = nil
	}
	if len(line) > 0 && line[0].Running {
		far, err := line[0].far()
		if err != nil {
			return "", err
		}
		parts = append(parts, fmt.Sprintf("⏳ **In work** %s: %s · %s", line[0].forTime(now), CommandWords(line[0].Verb, line[0].Event), far))
		line = line[1:]
	}
	return markdown.JoinSections(append(parts, queuedList(line, now), budgetTable(left))), nil
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

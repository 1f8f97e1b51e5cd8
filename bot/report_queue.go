package bot

import (
	"fmt"
	"strings"
	"time"
)

// queued is a command in work or in line, and its run; without an id where it has not begun.
type queued struct {
	Waiting
	// verb is that of the command.
	verb string
	run  Run
}

func statusAnswer(thread Thread, line []queued, left []Spent, now time.Time) (string, error) {
	parts := []string{fmt.Sprintf("Nothing is in work on this %s, and nothing waits.", thread.kind())}
	if len(line) > 0 {
		parts = nil
	}
	if len(line) > 0 && line[0].Working {
		far, err := line[0].far()
		if err != nil {
			return "", err
		}
		parts = append(parts, fmt.Sprintf("⏳ **In work** %s: %s · %s", line[0].forTime(now), CommandWords(line[0].verb, line[0].Event), far))
		line = line[1:]
	}
	return joinSections(append(parts, waitingList(line, now), budgetTable(left))), nil
}

// forTime is how long something is in work, or waits.
func (at queued) forTime(now time.Time) string {
	since := at.Event.Received
	if at.Working && at.run.ID != "" {
		since = at.run.Started
	}
	return "for " + duration(max(0, now.Sub(since)))
}

func waitingList(line []queued, now time.Time) string {
	if len(line) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("**Waiting**, in this order:\n")
	for i, at := range line[:min(len(line), maxLineShown)] {
		fmt.Fprintf(&b, "\n%d. %s, %s", i+1, CommandWords(at.verb, at.Event), at.forTime(now))
		if at.run.ID != "" {
			b.WriteString("; something went wrong, and it is tried again")
		}
	}
	if n := len(line) - maxLineShown; n > 0 {
		fmt.Fprintf(&b, "\n\n… and %d more", n)
	}
	return b.String()
}

// budgetTable says what is left of each budget.
func budgetTable(left []Spent) string {
	if len(left) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| budget | left | of | begins anew |\n|---|---:|---:|---|")
	for _, l := range left {
		fmt.Fprintf(&b, "\n| %s | %s | %s | %s |", l.Of, grouped(max(0, l.Limit-l.Used)), grouped(l.Limit), l.Resets.UTC().Format("2 January at 15:04 UTC"))
	}
	return b.String()
}

package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// maxQueueShown is how many commands of a thread one answer lists.
const maxQueueShown = 20

// Queued is a command that runs or waits.
type Queued struct {
	port.QueuedEvent
	// Verb is the command's.
	Verb string
	// Run is the record of its run; without an id if the run has not begun.
	Run record.Record
}

// QueueBody returns the answer to status: what runs and waits on a thread, and what is left of the budgets.
func QueueBody(thread port.Thread, queue []Queued, left []port.BudgetState, now time.Time) string {
	if len(queue) == 0 {
		nothing := fmt.Sprintf("Nothing is in work on this %s, and nothing waits.", thread.Kind())
		return markdown.JoinSections([]string{nothing, budgetTable(left)})
	}
	running := ""
	if first := queue[0]; first.Running {
		running = fmt.Sprintf("⏳ **In work** %s: %s · %s",
			first.forTime(now), CommandLink(first.Verb, first.Event), StatusOf(first.Run).inWords())
		queue = queue[1:]
	}
	return markdown.JoinSections([]string{running, waitingList(queue, now), budgetTable(left)})
}

// forTime says for how long a command has been running or waiting.
func (q Queued) forTime(now time.Time) string {
	since := q.Event.Received
	if q.Running && q.Run.ID != "" {
		since = q.Run.Started
	}
	return "for " + duration(max(0, now.Sub(since)))
}

func waitingList(queue []Queued, now time.Time) string {
	if len(queue) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("**Waiting**, in this order:\n")
	for i, q := range queue[:min(len(queue), maxQueueShown)] {
		fmt.Fprintf(&b, "\n%d. %s, %s", i+1, CommandLink(q.Verb, q.Event), q.forTime(now))
		switch {
		case q.WaitsFor != "":
			fmt.Fprintf(&b, "; it waits because %s, and is tried again by itself", q.WaitsFor)
		case q.Run.ID != "":
			b.WriteString("; something went wrong, and it is tried again")
		}
	}
	if n := len(queue) - maxQueueShown; n > 0 {
		fmt.Fprintf(&b, "\n\n… and %d more", n)
	}
	return b.String()
}

func budgetTable(left []port.BudgetState) string {
	if len(left) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| budget | left | of | resets |\n|---|---:|---:|---|")
	for _, l := range left {
		fmt.Fprintf(&b, "\n| %s | %s | %s | %s |", l.Of, humanize.Comma(max(0, l.Limit-l.Used)), humanize.Comma(l.Limit),
			l.Resets.UTC().Format("2 January at 15:04 UTC"))
	}
	return b.String()
}

// Cancelled is a command that was to be cancelled.
type Cancelled struct {
	port.QueuedEvent
	// Verb is the command's.
	Verb string
	// Late reports that it was past its point of no return, and so goes on.
	Late bool
}

// CancelBody returns the answer to cancel.
func CancelBody(list []Cancelled, thread port.Thread) string {
	if len(list) == 0 {
		return fmt.Sprintf("Nothing was in work on this %s and nothing waited, so there was nothing to cancel.",
			thread.Kind())
	}
	text := "⏳ **Too late to cancel**\n"
	if slices.ContainsFunc(list, func(c Cancelled) bool { return !c.Late }) {
		text = "🛑 **Cancelled**\n"
	}
	for _, c := range list[:min(len(list), maxQueueShown)] {
		text += "\n- " + CommandLink(c.Verb, c.Event) + c.end()
	}
	return text + andMore(len(list), maxQueueShown)
}

// end says how the command ended.
func (c Cancelled) end() string {
	switch {
	case c.Late:
		return " is **not** cancelled: it was committing already. Its answer says what came of it"
	case c.Running:
		return ", which was in work; nothing of it was committed"
	}
	return ", which waited"
}

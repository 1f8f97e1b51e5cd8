package report

import (
	"fmt"
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

// Server is what an answer to status says of the server: what is left of budgets, and how busy it is, unless that is
// nil.
type Server struct {
	Left []port.BudgetState
	Load *port.Load
}

// QueueBody returns the answer to status: what runs and waits on a thread, and what the server has for it.
func QueueBody(thread port.Thread, queue []Queued, server Server, now time.Time) string {
	if len(queue) == 0 {
		nothing := fmt.Sprintf("Nothing is running or waiting on this %s.", thread.Kind())
		return markdown.JoinSections([]string{nothing, budgetList(server.Left), loadList(server.Load)})
	}
	running := ""
	if first := queue[0]; first.Running {
		running = fmt.Sprintf("⏳ **Running** %s: %s · %s",
			first.forTime(now), CommandLink(first.Verb, first.Event), StatusOf(first.Run).inWords())
		queue = queue[1:]
	}
	return markdown.JoinSections([]string{
		running, waitingList(queue, now), budgetList(server.Left), loadList(server.Load),
	})
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
			fmt.Fprintf(&b, "; it waits because %s, and continues by itself", q.WaitsFor)
		case q.Run.ID != "":
			b.WriteString("; something went wrong, so it will be retried")
		}
	}
	if n := len(queue) - maxQueueShown; n > 0 {
		fmt.Fprintf(&b, "\n\n… and %d more", n)
	}
	return b.String()
}

// budgetList says what is left of each budget, under the percentage of the one that is used most.
func budgetList(left []port.BudgetState) string {
	if len(left) == 0 {
		return ""
	}
	var lines []string
	var most int64
	for _, l := range left {
		most = max(most, 100*min(l.Used, l.Limit)/max(1, l.Limit))
		lines = append(lines, fmt.Sprintf("- %s: %s of %s left; resets on %s", l.Of, humanize.Comma(max(0, l.Limit-l.Used)),
			humanize.Comma(l.Limit), l.Resets.UTC().Format("2 January at 15:04 UTC")))
	}
	return markdown.Fold(fmt.Sprintf("Budgets: up to %d%% used", most), strings.Join(lines, "\n"))
}

// loadList says how many commands are in progress on the server, and how many of them wait for others.
func loadList(l *port.Load) string {
	if l == nil {
		return ""
	}
	var lines []string
	if l.Ready > 0 {
		lines = append(lines, fmt.Sprintf("- %d waiting for a processor", l.Ready))
	}
	for _, m := range l.Models {
		if m.Waiting > 0 {
			lines = append(lines, fmt.Sprintf("- %d waiting for %s, which answers %d at a time", m.Waiting,
				markdown.Code(m.Name), m.MostCalls))
		}
	}
	text := fmt.Sprintf("Server: %d of %d commands in progress", l.Runs, l.MostRuns)
	if len(lines) == 0 {
		return text
	}
	return markdown.Fold(text, strings.Join(lines, "\n"))
}

// Cancelled is a command that was to be cancelled.
type Cancelled struct {
	port.QueuedEvent
	// Verb is the command's.
	Verb string
	// Late reports that it was past its point of no return, and so goes on.
	Late bool
}

// autofixStopped says what a cancel does to rounds of autofix.
const autofixStopped = "tenon starts no further round of autofix for what it has committed here so far."

// CancelBody returns the answer to cancel. rounds reports that it keeps rounds of autofix from beginning.
func CancelBody(list []Cancelled, thread port.Thread, rounds bool) string {
	also := ""
	if rounds {
		also = autofixStopped
	}
	switch {
	case len(list) == 0 && rounds:
		return fmt.Sprintf("Nothing is running or waiting on this %s. 🛑 **Autofix is stopped:** %s", thread.Kind(), also)
	case len(list) == 0:
		return fmt.Sprintf("Nothing is running or waiting on this %s, so there is nothing to cancel.", thread.Kind())
	}
	text := "⏳ **Too late to cancel**\n"
	late := 0
	for _, c := range list {
		if c.Late {
			late++
		}
	}
	switch {
	case late == 0:
		text = "🛑 **Cancelled**\n"
	case late < len(list):
		text = fmt.Sprintf("🛑 **%d of %d cancelled**\n", len(list)-late, len(list))
	}
	for _, c := range list[:min(len(list), maxQueueShown)] {
		text += "\n- " + CommandLink(c.Verb, c.Event) + c.end()
	}
	return markdown.JoinSections([]string{text + andMore(len(list), maxQueueShown), also})
}

// end says how the command ended.
func (c Cancelled) end() string {
	switch {
	case c.Late:
		return ": too late, it was already committing; see its answer"
	case c.Running:
		return ", which was running; nothing was committed"
	}
	return ", which was waiting"
}

package report

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// maxLineShown is how many commands of a thread one answer lists.
const maxLineShown = 20

// ended is a command that was cancelled, or could not be any more.
type Cancelled struct {
	port.QueuedEvent
	// verb is that of the command.
	Verb string
	Late bool
}

// cancelBody is the answer to cancel.
func CancelBody(list []Cancelled, thread port.Thread) string {
	if len(list) == 0 {
		return fmt.Sprintf("Nothing was in work on this %s and nothing waited, so there was nothing to cancel.", thread.Kind())
	}
	var b strings.Builder
	b.WriteString("🛑 **Cancelled**\n")
	if !anyInTime(list) {
		b.Reset()
		b.WriteString("⏳ **Too late to cancel**\n")
	}
	for _, e := range list[:min(len(list), maxLineShown)] {
		b.WriteString("\n- " + CommandWords(e.Verb, e.Event) + e.words())
	}
	if n := len(list) - maxLineShown; n > 0 {
		fmt.Fprintf(&b, "\n- … and %d more", n)
	}
	return b.String()
}

func anyInTime(list []Cancelled) bool {
	for _, e := range list {
		if !e.Late {
			return true
		}
	}
	return false
}

// words say what became of the command.
func (e Cancelled) words() string {
	switch {
	case e.Late:
		return " is **not** cancelled: it was committing already. Its answer says what came of it"
	case e.Running:
		return ", which was in work; nothing of it was committed"
	}
	return ", which waited"
}

package command

import (
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// PageDelivery is the beginning of the delivery ids of commands that were given on pages. GitHub's begin otherwise.
const PageDelivery = "page-"

// OnPage returns the event of a command that sender gives on the page of the run of an event. id makes the
// delivery id, and is different for each command. An error is a *port.UserError: then nobody could carry the command
// out.
func OnPage(event port.Event, b port.Button, sender port.User, id string, now time.Time) (port.Event, error) {
	ev := port.Event{
		Delivery: PageDelivery + id, Kind: port.OnPage, Action: b.Verb, Repo: event.Repo, Thread: event.Thread,
		Sender:   sender,
		Received: now, Private: event.Private, Button: &b,
	}
	inv, ok := FromEvent(ev, "", "")
	switch {
	case !ok:
		return port.Event{}, &port.UserError{Reason: port.ReasonUsage,
			Text: fmt.Sprintf("A page cannot give the command %s.", markdown.Code(markdown.Clip(b.Verb, 40)))}
	case inv.Problem != "":
		return port.Event{}, &port.UserError{Text: inv.Problem, Reason: port.ReasonUsage}
	}
	ev.Immediate = inv.IsImmediate()
	return ev, nil
}

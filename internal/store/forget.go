package store

import (
	"context"

	"github.com/tenon-bot/tenon/bot/port"
)

// forgetText forgets what people wrote in an event that is done, unless its run recorded a step, which later commands
// may build on. In a public repository anybody can write commands; all that is kept of those that came to nothing is
// what tells that they were handled.
func forgetText(ctx context.Context, tx tx, ev port.Event) error {
	r, err := encodeEvent(withoutText(ev))
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, replaceText, r.delivery, r.version, r.body)
	return err
}

// withoutText returns an event with its keys, and nothing that a person wrote or is called.
func withoutText(ev port.Event) port.Event {
	if ev.Followed != nil {
		followed := *ev.Followed
		followed.Branch = ""
		ev.Followed = &followed
	}
	return port.Event{
		Delivery: ev.Delivery, Kind: ev.Kind, Action: ev.Action, Received: ev.Received, Immediate: ev.Immediate,
		Repo: ev.Repo, Thread: port.Thread{Number: ev.Thread.Number, Pull: ev.Thread.Pull},
		Comment:  port.Comment{Kind: ev.Comment.Kind, ID: ev.Comment.ID, Updated: ev.Comment.Updated},
		Followed: ev.Followed,
	}
}

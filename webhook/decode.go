package webhook

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot"
)

// decoder turns one action of one GitHub event into an event of the bot.
type decoder struct {
	event, action string
	decode        func(payload) (bot.Event, error)
}

// decoders are the deliveries that tenon needs; all others are answered 204.
var decoders = []decoder{
	{"issue_comment", "created", issueComment},
	{"pull_request_review_comment", "created", reviewComment},
}

// errUnneeded says that a delivery is in order and of no interest.
var errUnneeded = errors.New("not needed")

// decode reads the payload of an event. The error is errUnneeded, or a *refusal that names the field.
func decode(event string, body []byte) (bot.Event, error) {
	if !known(event) {
		return bot.Event{}, fmt.Errorf("%w: no command comes by this event", errUnneeded)
	}
	var p payload
	if err := json.Unmarshal(body, &p); err != nil {
		return bot.Event{}, unreadable(err)
	}
	if p.Action == "" {
		return bot.Event{}, missing("action")
	}
	for _, d := range decoders {
		if d.event == event && d.action == p.Action {
			return d.decode(p)
		}
	}
	return bot.Event{}, fmt.Errorf("%w: no command comes by this action", errUnneeded)
}

func known(event string) bool {
	for _, d := range decoders {
		if d.event == event {
			return true
		}
	}
	return false
}

func issueComment(p payload) (bot.Event, error) {
	if p.Issue == nil {
		return bot.Event{}, missing("issue")
	}
	return p.commented("issue", p.Issue.event(p.Issue.PullRequest != nil), bot.IssueComment)
}

func reviewComment(p payload) (bot.Event, error) {
	if p.PullRequest == nil {
		return bot.Event{}, missing("pull_request")
	}
	return p.commented("pull_request", p.PullRequest.event(true), bot.ReviewComment)
}

// commented is the event of a comment of either kind in thread t, which is the payload's field of that name.
func (p payload) commented(field string, t bot.Thread, kind bot.EventKind) (bot.Event, error) {
	if err := p.complete(field, t); err != nil {
		return bot.Event{}, err
	}
	if err := worthwhile(p.Sender, p.Comment.Body); err != nil {
		return bot.Event{}, err
	}
	return bot.Event{
		Kind:    kind,
		Action:  p.Action,
		Repo:    p.repo(),
		Thread:  t,
		Comment: p.Comment.event(kind),
		Sender:  p.Sender.event(),
	}, nil
}

// worthwhile spares the queue what certainly holds no command: a bot's comment, and one in which neither "/tenon" nor a
// mention can stand. What is a command, the bot decides.
func worthwhile(sender user, body string) error {
	if sender.event().Bot {
		return fmt.Errorf("%w: the sender is a bot", errUnneeded)
	}
	if !strings.Contains(body, "@") && !strings.Contains(strings.ToLower(body), "/tenon") {
		return fmt.Errorf("%w: the comment holds no command", errUnneeded)
	}
	return nil
}

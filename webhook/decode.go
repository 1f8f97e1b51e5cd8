package webhook

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
)

// decoder turns one action of one GitHub event into an event of the bot; slug is the App's name.
type decoder struct {
	event, action string
	decode        func(p payload, slug string) (port.Event, error)
	// bots says that it counts from bots too.
	bots bool
}

// decoders are the deliveries that tenon needs; all others are answered 204.
var decoders = []decoder{
	{event: "issue_comment", action: "created", decode: issueComment},
	{event: "issue_comment", action: "edited", decode: tick},
	{event: "pull_request_review_comment", action: "created", decode: reviewComment},
	{event: "pull_request_review", action: "submitted", decode: review},
	{event: "issues", action: "opened", decode: newIssue},
	{event: "issues", action: "labeled", decode: labelledIssue},
	{event: "issues", action: "closed", decode: closedIssue, bots: true},
	{event: "issues", action: "locked", decode: closedIssue, bots: true},
	{event: "issues", action: "transferred", decode: closedIssue, bots: true},
	{event: "issues", action: "deleted", decode: closedIssue, bots: true},
	{event: "pull_request", action: "labeled", decode: labelledPull},
	{event: "pull_request", action: "closed", decode: closedPull, bots: true},
	{event: "pull_request", action: "locked", decode: closedPull, bots: true},
	{event: "check_run", action: "requested_action", decode: press},
}

// errUnneeded says that a delivery is in order and of no interest.
var errUnneeded = errors.New("not needed")

// decode reads the payload of an event. The error is errUnneeded, or a *refusal that names the field.
func decode(event string, body []byte, slug string) (port.Event, error) {
	if !known(event) {
		return port.Event{}, fmt.Errorf("%w: no command comes by this event", errUnneeded)
	}
	var p payload
	if err := json.Unmarshal(body, &p); err != nil {
		return port.Event{}, unreadable(err)
	}
	if p.Action == "" {
		return port.Event{}, missing("action")
	}
	for _, d := range decoders {
		if d.event == event && d.action == p.Action {
			return p.decode(d, slug)
		}
	}
	return port.Event{}, fmt.Errorf("%w: no command comes by this action", errUnneeded)
}

func known(event string) bool {
	for _, d := range decoders {
		if d.event == event {
			return true
		}
	}
	return false
}

// decode fills what all events have. What counts is who sent one, whoever wrote the text: bots start nothing.
func (p payload) decode(d decoder, slug string) (port.Event, error) {
	if !d.bots && (p.Sender.event().Bot || strings.EqualFold(p.Sender.Login, slug+"[bot]")) {
		return port.Event{}, fmt.Errorf("%w: the sender is a bot", errUnneeded)
	}
	ev, err := d.decode(p, slug)
	if err != nil {
		return port.Event{}, err
	}
	ev.Action, ev.Repo, ev.Sender = p.Action, p.repo(), p.Sender.event()
	ev.Immediate = command.IsImmediate(ev, slug)
	return ev, nil
}

func issueComment(p payload, _ string) (port.Event, error) {
	if p.Issue == nil {
		return port.Event{}, missing("issue")
	}
	return p.said(port.IssueComment, p.Issue.event(p.Issue.PullRequest != nil), "comment", p.Comment, ofThread("issue", p.Issue))
}

func reviewComment(p payload, _ string) (port.Event, error) {
	if p.PullRequest == nil {
		return port.Event{}, missing("pull_request")
	}
	return p.said(port.ReviewComment, p.PullRequest.event(true), "comment", p.Comment, ofThread("pull_request", p.PullRequest))
}

// review is the text of a review; what it says on lines comes in events of its own.
func review(p payload, _ string) (port.Event, error) {
	if p.PullRequest == nil {
		return port.Event{}, missing("pull_request")
	}
	return p.said(port.Review, p.PullRequest.event(true), "review", p.Review, ofThread("pull_request", p.PullRequest))
}

// said is the event of a text in thread t, which is the payload's field of that name.
func (p payload) said(kind port.EventKind, t port.Thread, field string, c *comment, needs []needed) (port.Event, error) {
	if c == nil {
		return port.Event{}, missing(field)
	}
	if err := p.complete(append(needs, needed{field + ".id", c.ID > 0})...); err != nil {
		return port.Event{}, err
	}
	return port.Event{Kind: kind, Thread: t, Comment: c.event(kind)}, worthwhile(c.Body)
}

// newIssue is the text of a new issue. One that was transferred says what was asked for, and done, elsewhere.
func newIssue(p payload, _ string) (port.Event, error) {
	if p.Issue == nil {
		return port.Event{}, missing("issue")
	}
	if err := p.complete(ofThread("issue", p.Issue)...); err != nil {
		return port.Event{}, err
	}
	if p.Changes.OldIssue != nil {
		return port.Event{}, fmt.Errorf("%w: the issue comes from another repository", errUnneeded)
	}
	return port.Event{Kind: port.IssueBody, Thread: p.Issue.event(false), Comment: p.Issue.text()}, worthwhile(p.Issue.Body)
}

// worthwhile spares the queue what certainly holds no command: a text in which neither "/tenon" nor a mention can stand. What
// is a command, the bot decides.
func worthwhile(body string) error {
	if !strings.Contains(body, "@") && !strings.Contains(strings.ToLower(body), "/tenon") {
		return fmt.Errorf("%w: the text holds no command", errUnneeded)
	}
	return nil
}

package webhook

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
)

// decoder decodes one action of one GitHub event.
type decoder struct {
	event, action string
	decode        func(p payload, to receiver) (port.Event, error)
	// bots is true if the event counts when a bot sent it, too.
	bots bool
}

// decoders are the deliveries that tenon needs; the response to all others is 204.
var decoders = []decoder{
	{event: "issue_comment", action: "created", decode: issueComment},
	{event: "issue_comment", action: "edited", decode: ticked},
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
	{event: "check_run", action: "requested_action", decode: pressed},
}

// Needs reports whether tenon needs the deliveries of an event of GitHub's with an action.
func Needs(event, action string) bool {
	if event == uninstallEvent && action == uninstallAction {
		return true
	}
	for _, d := range decoders {
		if d.event == event && d.action == action {
			return true
		}
	}
	return false
}

// targetEvent is the event of GitHub Actions that is a pull_request in the context of the base branch.
const targetEvent = "pull_request_target"

// Decode decodes an event as GitHub Actions gives it to a job: its payload has no installation of an App. slug is the
// name by which comments address tenon, login the account that writes tenon's comments. The error wraps ErrUnneeded if
// the event gives no command; any other says what is wrong with the payload.
func Decode(event string, payload []byte, slug, login string) (port.Event, error) {
	if event == targetEvent {
		event = "pull_request"
	}
	ev, _, err := decode(event, payload, receiver{slug: slug, login: login, noApp: true})
	if refused, ok := errors.AsType[*refusal](err); ok {
		return port.Event{}, errors.New(refused.text)
	}
	return ev, err
}

// decode decodes the payload of an event, and returns when what it is about was last changed; zero if that is unknown.
// The error is ErrUnneeded, or a *refusal that names the field.
func decode(event string, body []byte, to receiver) (port.Event, time.Time, error) {
	if !known(event) {
		return port.Event{}, time.Time{}, fmt.Errorf("%w: no command comes by this event", ErrUnneeded)
	}
	var p payload
	if err := json.Unmarshal(body, &p); err != nil {
		return port.Event{}, time.Time{}, unreadable(err)
	}
	if p.Action == "" {
		return port.Event{}, time.Time{}, missing("action")
	}
	for _, d := range decoders {
		if d.event == event && d.action == p.Action {
			p.noApp = to.noApp
			ev, err := p.decode(d, to)
			return ev, p.changed(ev), err
		}
	}
	return port.Event{}, time.Time{}, fmt.Errorf("%w: no command comes by this action", ErrUnneeded)
}

// changed returns when the comment of an event, or else its thread or check run, was last changed. A check run is not
// changed by pressing one of its buttons.
func (p payload) changed(ev port.Event) time.Time {
	switch {
	case !ev.Comment.Updated.IsZero() || ev.Kind == port.Pressed:
		return ev.Comment.Updated
	case p.Issue != nil:
		return parseTime(p.Issue.UpdatedAt)
	case p.PullRequest != nil:
		return parseTime(p.PullRequest.UpdatedAt)
	}
	return time.Time{}
}

func known(event string) bool {
	for _, d := range decoders {
		if d.event == event {
			return true
		}
	}
	return false
}

// decode sets the fields of all events. Bots start nothing: that depends on the sender, not on the author of the text.
func (p payload) decode(d decoder, to receiver) (port.Event, error) {
	if !d.bots && (p.Sender.event().Bot || strings.EqualFold(p.Sender.Login, to.slug+"[bot]")) {
		return port.Event{}, fmt.Errorf("%w: the sender is a bot", ErrUnneeded)
	}
	ev, err := d.decode(p, to)
	if err != nil {
		return port.Event{}, err
	}
	ev.Action, ev.Repo, ev.Sender, ev.Private = p.Action, p.repo(), p.Sender.event(), p.Repository.Private
	var ok bool
	if ev.Immediate, ok = givesCommand(ev, to.slug); !ok {
		return port.Event{}, fmt.Errorf("%w: there is no command in it", ErrUnneeded)
	}
	return ev, nil
}

func issueComment(p payload, _ receiver) (port.Event, error) {
	if p.Issue == nil {
		return port.Event{}, missing("issue")
	}
	return p.textEvent(port.IssueComment, p.Issue.commanded(p.Issue.PullRequest != nil), "comment", p.Comment,
		threadFields("issue", p.Issue))
}

func reviewComment(p payload, _ receiver) (port.Event, error) {
	if p.PullRequest == nil {
		return port.Event{}, missing("pull_request")
	}
	return p.textEvent(port.ReviewComment, p.PullRequest.commanded(true), "comment", p.Comment,
		threadFields("pull_request", p.PullRequest))
}

// review decodes the text of a review. Its comments on lines have events of their own.
func review(p payload, _ receiver) (port.Event, error) {
	if p.PullRequest == nil {
		return port.Event{}, missing("pull_request")
	}
	return p.textEvent(port.Review, p.PullRequest.commanded(true), "review", p.Review,
		threadFields("pull_request", p.PullRequest))
}

// textEvent returns the event of a text c, the payload's field of that name, in thread t.
func (p payload) textEvent(kind port.EventKind, t port.Thread, field string, c *comment, more []required) (
	port.Event, error,
) {
	if c == nil {
		return port.Event{}, missing(field)
	}
	if err := p.validate(append(more, required{field + ".id", c.ID > 0})...); err != nil {
		return port.Event{}, err
	}
	return port.Event{Kind: kind, Thread: t, Comment: c.event(kind)}, nil
}

// newIssue decodes the text of a new issue. The command in a transferred one was handled in the other repository.
func newIssue(p payload, _ receiver) (port.Event, error) {
	if p.Issue == nil {
		return port.Event{}, missing("issue")
	}
	if err := p.validate(threadFields("issue", p.Issue)...); err != nil {
		return port.Event{}, err
	}
	if p.Changes.OldIssue != nil {
		return port.Event{}, fmt.Errorf("%w: the issue comes from another repository", ErrUnneeded)
	}
	return port.Event{Kind: port.IssueBody, Thread: p.Issue.commanded(false), Comment: p.Issue.text()}, nil
}

// givesCommand reports whether an event may give a command, or ends a thread, and whether that is immediate. All else
// would be stored for nothing. No Markdown is parsed here, where anybody's text arrives: that is the worker's part.
func givesCommand(ev port.Event, slug string) (immediate, ok bool) {
	if ev.Kind == port.Closed {
		return false, true
	}
	ok, immediate = command.Scan(ev, slug)
	return immediate, ok
}

// GitHub delivers this to every App, whatever it is subscribed to, when an owner removes it.
// https://docs.github.com/en/webhooks/webhook-events-and-payloads#installation
const (
	uninstallEvent  = "installation"
	uninstallAction = "deleted"
)

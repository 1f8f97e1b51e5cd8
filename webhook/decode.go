package webhook

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
)

// decoder decodes one action of one GitHub event; slug is the App's name, "" while it is unknown.
type decoder struct {
	event, action string
	decode        func(p payload, slug string) (port.Event, error)
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

// errUnneeded is the error for a valid delivery that tenon does not need.
var errUnneeded = errors.New("not needed")

// decode decodes the payload of an event. The error is errUnneeded, or a *refusal that names the field.
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

// decode sets the fields of all events. Bots start nothing: that depends on the sender, not on the author of the text.
func (p payload) decode(d decoder, slug string) (port.Event, error) {
	if !d.bots && (p.Sender.event().Bot || strings.EqualFold(p.Sender.Login, slug+"[bot]")) {
		return port.Event{}, fmt.Errorf("%w: the sender is a bot", errUnneeded)
	}
	ev, err := d.decode(p, slug)
	if err != nil {
		return port.Event{}, err
	}
	ev.Action, ev.Repo, ev.Sender = p.Action, p.repo(), p.Sender.event()
	var ok bool
	if ev.Immediate, ok = givesCommand(ev, slug); !ok {
		return port.Event{}, fmt.Errorf("%w: there is no command in it", errUnneeded)
	}
	return ev, nil
}

func issueComment(p payload, _ string) (port.Event, error) {
	if p.Issue == nil {
		return port.Event{}, missing("issue")
	}
	return p.textEvent(port.IssueComment, p.Issue.commanded(p.Issue.PullRequest != nil), "comment", p.Comment,
		threadFields("issue", p.Issue))
}

func reviewComment(p payload, _ string) (port.Event, error) {
	if p.PullRequest == nil {
		return port.Event{}, missing("pull_request")
	}
	return p.textEvent(port.ReviewComment, p.PullRequest.event(true), "comment", p.Comment,
		threadFields("pull_request", p.PullRequest))
}

// review decodes the text of a review. Its comments on lines have events of their own.
func review(p payload, _ string) (port.Event, error) {
	if p.PullRequest == nil {
		return port.Event{}, missing("pull_request")
	}
	return p.textEvent(port.Review, p.PullRequest.event(true), "review", p.Review,
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
func newIssue(p payload, _ string) (port.Event, error) {
	if p.Issue == nil {
		return port.Event{}, missing("issue")
	}
	if err := p.validate(threadFields("issue", p.Issue)...); err != nil {
		return port.Event{}, err
	}
	if p.Changes.OldIssue != nil {
		return port.Event{}, fmt.Errorf("%w: the issue comes from another repository", errUnneeded)
	}
	return port.Event{Kind: port.IssueBody, Thread: p.Issue.commanded(false), Comment: p.Issue.text()}, nil
}

// givesCommand reports whether an event gives a command as the bot reads it, or ends a thread, and whether that is
// immediate. All else would be stored for nothing. While the App's name is unknown, every "@" may be a mention of it.
func givesCommand(ev port.Event, slug string) (immediate, ok bool) {
	switch ev.Kind {
	case port.Closed:
		return false, true
	case port.IssueComment, port.ReviewComment, port.Review, port.IssueBody:
		if slug == "" && strings.Contains(ev.Comment.Body, "@") {
			return command.IsImmediate(ev, slug), true
		}
		// To search a text takes far less time than to parse it, and most comments are no commands.
		lower := strings.ToLower(ev.Comment.Body)
		if !strings.Contains(lower, "/tenon") && !strings.Contains(lower, "@"+strings.ToLower(slug)) {
			return false, false
		}
		inv, ok := command.FromEvent(ev, slug, "")
		return ok && inv.IsImmediate(), ok
	}
	_, ok = command.FromEvent(ev, slug, ev.Label) // which label starts a command is a setting, and read later
	return false, ok
}

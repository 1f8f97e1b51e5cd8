package webhook

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
)

// The events of people who act without writing a command: labels, closing, boxes, buttons.

// maxLabel bounds a label's name, in bytes: GitHub's have 50 characters at most.
const maxLabel = 200

// maxLabels is how many labels GitHub allows a pull request to have.
const maxLabels = 100

// labelledIssue decodes a label that was set on an issue. A label that the author set when opening it does nothing if
// the text has a command, which has an event of its own: whether it has one is found out when the event is handled.
func labelledIssue(p payload, to receiver) (port.Event, error) {
	ev, err := p.labelled("issue", p.Issue, false)
	if err != nil || p.Sender.ID != p.Issue.User.ID || !p.Issue.justOpened() {
		return ev, err
	}
	ev.Opening = command.MayContain(ev.Comment.Body, to.slug)
	return ev, nil
}

// labelledPull decodes a label that was set on a pull request. One that asks for a backport counts once that is merged.
func labelledPull(p payload, _ receiver) (port.Event, error) {
	ev, err := p.labelled("pull_request", p.PullRequest, true)
	if _, ok := command.BackportLabel(ev.Label); ok && err == nil && !p.PullRequest.Merged {
		return port.Event{}, fmt.Errorf("%w: the pull request is not merged", ErrUnneeded)
	}
	return ev, err
}

// labelled decodes a label that was set on thread t, the payload's field of that name. The repository's settings say
// which label starts a run, so all are accepted here.
func (p payload) labelled(field string, t *thread, pull bool) (port.Event, error) {
	switch {
	case t == nil:
		return port.Event{}, missing(field)
	case p.Label == nil:
		return port.Event{}, missing("label")
	}
	if err := p.validate(append(threadFields(field, t), required{"label.name", p.Label.Name != ""})...); err != nil {
		return port.Event{}, err
	}
	if len(p.Label.Name) > maxLabel {
		return port.Event{}, fmt.Errorf("%w: the label is longer than any that can be configured", ErrUnneeded)
	}
	text := t.text()
	text.App = "" // which opened it; whoever set the label is the sender
	return port.Event{Kind: port.Labeled, Thread: t.commanded(pull), Comment: text, Label: p.Label.Name}, nil
}

func closedIssue(p payload, _ receiver) (port.Event, error) { return p.closed("issue", p.Issue, false) }

func closedPull(p payload, _ receiver) (port.Event, error) {
	return p.closed("pull_request", p.PullRequest, true)
}

// closed decodes the end of work on thread t, the payload's field of that name.
func (p payload) closed(field string, t *thread, pull bool) (port.Event, error) {
	if t == nil {
		return port.Event{}, missing(field)
	}
	ev := port.Event{Kind: port.Closed, Thread: t.event(pull)}
	if pull && p.Action == "closed" && t.Merged {
		ev.Labels = t.backportLabels()
	}
	return ev, p.validate(threadFields(field, t)...)
}

// backportLabels returns the labels that ask for a backport.
func (t thread) backportLabels() (list []string) {
	for _, l := range t.Labels[:min(len(t.Labels), maxLabels)] {
		if _, ok := command.BackportLabel(l.Name); ok && len(l.Name) <= maxLabel {
			list = append(list, l.Name)
		}
	}
	return list
}

// hasBoxes reports whether a text may be one with boxes: that of a preview, of an offer to open a pull request, or of
// the conflicts of a merge.
func hasBoxes(text string) bool {
	return strings.Contains(text, "<!-- tenon:preview=") || strings.Contains(text, "<!-- tenon:offer=") ||
		strings.Contains(text, "<!-- tenon:resolve=")
}

// ticked decodes boxes that were ticked in a comment by the App.
func ticked(p payload, to receiver) (port.Event, error) {
	switch {
	case p.Comment == nil:
		return port.Event{}, missing("comment")
	case to.slug == "" && p.Comment.User.event().Bot && hasBoxes(p.Comment.Body):
		return port.Event{}, unknownApp()
	case !strings.EqualFold(p.Comment.User.Login, to.login):
		return port.Event{}, fmt.Errorf("%w: the comment is somebody else's", ErrUnneeded)
	case p.Changes.Body == nil || !hasBoxes(p.Comment.Body):
		return port.Event{}, fmt.Errorf("%w: no text with boxes was edited", ErrUnneeded)
	case p.Issue == nil:
		return port.Event{}, missing("issue")
	}
	if err := p.validate(append(threadFields("issue", p.Issue), required{"comment.id", p.Comment.ID > 0})...); err != nil {
		return port.Event{}, err
	}
	text := p.Comment.event(port.IssueComment)
	text.App = "" // this one, which wrote the boxes; whoever ticked them is the sender
	return port.Event{
		Kind: port.Ticked, Thread: p.Issue.event(p.Issue.PullRequest != nil), Comment: text, Before: p.Changes.Body.From,
	}, nil
}

var (
	externalID = regexp.MustCompile(`^([a-z0-9]{12})/([1-9][0-9]{0,8})$`)
	// A button's identifier has 20 characters at most.
	buttonVerb = regexp.MustCompile(`^[a-z]{1,20}$`)
)

// pressed decodes a button of tenon's check run that was pressed.
func pressed(p payload, to receiver) (port.Event, error) {
	switch {
	case p.CheckRun == nil:
		return port.Event{}, missing("check_run")
	case p.Requested == nil:
		return port.Event{}, missing("requested_action")
	case p.CheckRun.App.Slug != "" && to.slug == "":
		return port.Event{}, unknownApp()
	case p.CheckRun.App.Slug != "" && !strings.EqualFold(p.CheckRun.App.Slug, to.slug):
		return port.Event{}, fmt.Errorf("%w: the check run is another App's", ErrUnneeded)
	}
	err := p.validate(required{"repository.html_url", p.Repository.HTMLURL != ""},
		required{"check_run.id", p.CheckRun.ID > 0})
	if err != nil {
		return port.Event{}, err
	}
	id := externalID.FindStringSubmatch(p.CheckRun.ExternalID)
	if id == nil {
		return port.Event{}, refuse(http.StatusBadRequest,
			"the payload's check_run.external_id is %.80q, which tenon does not write into check runs", p.CheckRun.ExternalID)
	}
	if !buttonVerb.MatchString(p.Requested.Identifier) {
		return port.Event{}, refuse(http.StatusBadRequest,
			"the payload's requested_action.identifier is %.80q, which is on none of tenon's buttons", p.Requested.Identifier)
	}
	number, err := strconv.Atoi(id[2])
	if err != nil {
		return port.Event{}, fmt.Errorf("reading a number of digits: %w", err)
	}
	return port.Event{
		Kind:   port.Pressed,
		Thread: p.threadOf(number),
		Button: &port.Button{Verb: p.Requested.Identifier, Run: id[1], Check: p.CheckRun.ID},
	}, nil
}

// threadOf returns the thread with a number. It is a pull request if the check run names it as one.
func (p payload) threadOf(number int) port.Thread {
	t := port.Thread{Number: number, URL: fmt.Sprintf("%s/issues/%d", p.Repository.HTMLURL, number)}
	for _, pull := range p.CheckRun.PullRequests {
		if pull.Number == number {
			t.Pull, t.URL = true, fmt.Sprintf("%s/pull/%d", p.Repository.HTMLURL, number)
		}
	}
	return t
}

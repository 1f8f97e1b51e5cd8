package bottest

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// EventStage is a GitHub whose webhooks arrive, on which the contract of events is played: what people do there becomes
// the port.Event that the bot gets. The scene is that of GitHubStage, and all acts are on acme/lathe.
type EventStage interface {
	App() port.GitHub
	Ref() port.RepoRef
	// Accepted returns the events that were accepted since the last call.
	Accepted() []port.Event
	// Head is the tip of the branch speed.
	Head() string

	OpenIssue(as, title, body string) (number int)
	// OpenPull opens a pull request from speed to main.
	OpenPull(as, title, body string) (number int)
	Comment(as string, number int, body string) (id int64)
	Review(as string, number int, body string) (id int64)
	// ReviewComment comments on lines of speed.txt; Reply in the discussion that begins with a comment.
	ReviewComment(as string, number, start, line int, body string) (id int64)
	Reply(as string, number int, first int64, body string) (id int64)
	EditComment(as string, id int64, body string)
	Label(as string, number int, label string)
	Press(as string, check int64, verb string)
	SetOpen(number int, open bool)
	Merge(number int)
	Lock(number int)
	DeleteIssue(number int)
	Transfer(number int)
}

// EventContract plays the contract of events.
func EventContract(t *testing.T, open func(t *testing.T) EventStage) {
	t.Helper()
	runContract(t, open, []contractStory[EventStage]{
		{"a comment", commentEvent},
		{"a review", reviewEvent},
		{"a comment on a line", lineEvent},
		{"a new issue", issueEvent},
		{"a label", labelEvent},
		{"a button", buttonEvent},
		{"a box that was ticked", tickEvent},
		{"the end of a thread", closedEvent},
		{"what starts nothing", noEvent},
	})
}

// one returns the one event that was accepted since the last time, without what all events have.
func one(t *testing.T, s EventStage, by string) port.Event {
	t.Helper()
	all := s.Accepted()
	require.Len(t, all, 1)
	ev := all[0]
	require.NotEmpty(t, ev.Delivery)
	require.False(t, ev.Received.IsZero())
	require.Equal(t, s.Ref(), ev.Repo)
	require.Equal(t, by, ev.Sender.Login)
	require.NotZero(t, ev.Sender.ID)
	require.False(t, ev.Sender.Bot)
	ev.Delivery, ev.Received, ev.Repo, ev.Sender = "", time.Time{}, port.RepoRef{}, port.User{}
	ev.Signed = "" // what is signed is the adapter's affair
	return ev
}

// said returns an event's comment without what differs from one GitHub to the next.
func said(t *testing.T, ev *port.Event, id int64, by string) port.Comment {
	t.Helper()
	c := ev.Comment
	ev.Comment = port.Comment{}
	require.Equal(t, id, c.ID)
	require.Equal(t, by, c.Author.Login)
	require.NotZero(t, c.Author.ID)
	require.False(t, c.Updated.IsZero())
	require.Contains(t, c.URL, "/acme/lathe/")
	c.ID, c.Author, c.Updated, c.URL = 0, port.User{}, time.Time{}, ""
	return c
}

// where returns an event's thread without the address of the site.
func where(t *testing.T, ev *port.Event) port.Thread {
	t.Helper()
	at := ev.Thread
	ev.Thread = port.Thread{}
	_, page, found := strings.Cut(at.URL, "/acme/lathe/")
	require.True(t, found, at.URL)
	at.URL = page
	return at
}

// pullOf is where for the event of a pull request.
func pullOf(t *testing.T, ev *port.Event) port.Thread {
	t.Helper()
	at := where(t, ev)
	require.True(t, at.Pull)
	return at
}

func commentEvent(t *testing.T, s EventStage) {
	issue := s.OpenIssue("stranger", "It greets", "Too early.")
	pull := s.OpenPull("victor", "Be fast", "")
	require.Empty(t, s.Accepted())
	id := s.Comment("maria", pull, "/tenon fix it")
	ev := one(t, s, "maria")
	require.Equal(t, port.Thread{Number: pull, Pull: true, Title: "Be fast", State: "open", URL: "pull/2"}, where(t, &ev))
	require.Equal(t, port.Comment{Kind: port.IssueComment, Body: "/tenon fix it"}, said(t, &ev, id, "maria"))
	require.Equal(t, port.Event{Kind: port.IssueComment, Action: "created"}, ev)
	id = s.Comment("stranger", issue, "@tenon help")
	ev = one(t, s, "stranger")
	require.Equal(t, port.Thread{Number: issue, Title: "It greets", State: "open", URL: "issues/1",
		Text: new("Too early.")}, where(t, &ev))
	require.Equal(t, port.Comment{Kind: port.IssueComment, Body: "@tenon help"}, said(t, &ev, id, "stranger"))
	require.Equal(t, port.Event{Kind: port.IssueComment, Action: "created", Immediate: true}, ev)
}

func reviewEvent(t *testing.T, s EventStage) {
	pull := s.OpenPull("victor", "Be fast", "")
	id := s.Review("maria", pull, "/tenon fix it")
	ev := one(t, s, "maria")
	require.Equal(t, s.Head(), pullOf(t, &ev).Head)
	c := said(t, &ev, id, "maria")
	require.NotEmpty(t, c.NodeID, "GraphQL takes reactions to it")
	read, err := s.App().Comment(t.Context(), s.Ref(), pull, port.Comment{Kind: port.Review, ID: id})
	require.NoError(t, err)
	require.Equal(t, read.NodeID, c.NodeID)
	c.NodeID = ""
	require.Equal(t, port.Comment{Kind: port.Review, Body: "/tenon fix it"}, c)
	require.Equal(t, port.Event{Kind: port.Review, Action: "submitted"}, ev)
}

func lineEvent(t *testing.T, s EventStage) {
	pull := s.OpenPull("victor", "Be fast", "")
	first := s.ReviewComment("maria", pull, 1, 2, "/tenon fix it")
	ev := one(t, s, "maria")
	require.Equal(t, s.Head(), pullOf(t, &ev).Head)
	want := port.Comment{
		Kind: port.ReviewComment, Body: "/tenon fix it", Commit: s.Head(),
		Path: "speed.txt", StartLine: 1, Line: 2, Side: "RIGHT", Hunk: "@@ -0,0 +1,3 @@\n+one\n+two",
	}
	require.Equal(t, want, said(t, &ev, first, "maria"))
	require.Equal(t, port.Event{Kind: port.ReviewComment, Action: "created"}, ev)
	id := s.Reply("victor", pull, first, "/tenon ask why?")
	ev = one(t, s, "victor")
	require.Equal(t, s.Head(), pullOf(t, &ev).Head)
	want.Body, want.InReplyTo = "/tenon ask why?", first
	require.Equal(t, want, said(t, &ev, id, "victor"))
}

func issueEvent(t *testing.T, s EventStage) {
	number := s.OpenIssue("stranger", "It greets", "Too early.\n\n/tenon fix it")
	ev := one(t, s, "stranger")
	require.Equal(t, port.Thread{Number: number, Title: "It greets", State: "open", URL: "issues/1",
		Text: new("Too early.\n\n/tenon fix it")}, where(t, &ev))
	c := said(t, &ev, int64(number), "stranger")
	require.Equal(t, port.Comment{Kind: port.IssueBody, Body: "Too early.\n\n/tenon fix it"}, c)
	require.Equal(t, port.Event{Kind: port.IssueBody, Action: "opened"}, ev)
}

func labelEvent(t *testing.T, s EventStage) {
	issue := s.OpenIssue("stranger", "It greets", "Too early.")
	pull := s.OpenPull("victor", "Be fast", "Much faster.")
	s.Label("maria", issue, "tenon")
	ev := one(t, s, "maria")
	require.Equal(t, port.Thread{Number: issue, Title: "It greets", State: "open", URL: "issues/1",
		Text: new("Too early.")}, where(t, &ev))
	require.Equal(t, port.Comment{Kind: port.IssueBody, Body: "Too early."}, said(t, &ev, int64(issue), "stranger"))
	require.Equal(t, port.Event{Kind: port.Labeled, Action: "labeled", Label: "tenon"}, ev)
	s.Label("maria", pull, "bug")
	ev = one(t, s, "maria")
	require.Equal(t, s.Head(), pullOf(t, &ev).Head)
	require.Equal(t, port.Comment{Kind: port.IssueBody, Body: "Much faster."}, said(t, &ev, int64(pull), "victor"))
	require.Equal(t, port.Event{Kind: port.Labeled, Action: "labeled", Label: "bug"}, ev)
}

func buttonEvent(t *testing.T, s EventStage) {
	pull := s.OpenPull("victor", "Be fast", "")
	check, err := s.App().CreateCheck(t.Context(), s.Ref(), port.Check{
		Name: "tenon", SHA: s.Head(), Run: "abcdefghijkl", Thread: pull, Conclusion: "success",
		Buttons: []port.CheckButton{{Label: "Undo", Description: "Revert it", Verb: "undo"}},
	})
	require.NoError(t, err)
	s.Press("maria", check, "undo")
	ev := one(t, s, "maria")
	require.Equal(t, port.Thread{Number: pull, Pull: true, URL: "pull/1"}, where(t, &ev), "of the thread no more is known")
	require.Equal(t, port.Event{Kind: port.Pressed, Action: "requested_action",
		Button: &port.Button{Verb: "undo", Run: "abcdefghijkl", Check: check}}, ev)
	s.SetOpen(pull, false)
	s.Accepted()
	s.Press("maria", check, "undo")
	ev = one(t, s, "maria")
	require.Equal(t, port.Thread{Number: pull, URL: "issues/1"}, where(t, &ev), "a closed pull request is not named")
}

func tickEvent(t *testing.T, s EventStage) {
	const preview = "Preview\n\n- [ ] **1** `a.go:1` <!-- tenon:block=1 -->\n\n<!-- tenon:preview=abcdefghijkl -->"
	pull := s.OpenPull("victor", "Be fast", "")
	made, err := s.App().Post(t.Context(), s.Ref(), conversation(pull), preview)
	require.NoError(t, err)
	s.EditComment("maria", made.ID, "Edited\n\n"+preview)
	require.Empty(t, s.Accepted(), "no box was ticked")
	ticked := strings.Replace(preview, "[ ]", "[x]", 1)
	s.EditComment("maria", made.ID, preview)
	s.EditComment("victor", made.ID, ticked)
	ev := one(t, s, "victor")
	require.True(t, where(t, &ev).Pull)
	require.Equal(t, port.Comment{Kind: port.IssueComment, Body: ticked}, said(t, &ev, made.ID, Slug+"[bot]"))
	require.Equal(t, port.Event{Kind: port.Ticked, Action: "edited", Before: preview}, ev)
	s.EditComment("victor", made.ID, preview)
	require.Empty(t, s.Accepted(), "nor when a tick is removed")
	other := s.Comment("maria", pull, preview)
	s.EditComment("maria", other, ticked)
	require.Empty(t, s.Accepted(), "nor in the comment of somebody else")
}

func closedEvent(t *testing.T, s EventStage) {
	pull := s.OpenPull("victor", "Be fast", "")
	closed := func(action string) port.Thread {
		t.Helper()
		ev := one(t, s, "maria")
		at := where(t, &ev)
		require.Equal(t, port.Event{Kind: port.Closed, Action: action}, ev)
		return at
	}
	s.Lock(pull)
	locked := port.Thread{Number: pull, Pull: true, Title: "Be fast", State: "open", Locked: true, URL: "pull/1"}
	require.Equal(t, locked, closed("locked"))
	s.SetOpen(pull, false)
	require.Equal(t, "closed", closed("closed").State)
	s.SetOpen(pull, true)
	require.Empty(t, s.Accepted())
	s.Merge(pull)
	require.Equal(t, "closed", closed("closed").State)
	issue := s.OpenIssue("maria", "It greets", "")
	s.SetOpen(issue, false)
	require.Equal(t, port.Thread{Number: issue, Title: "It greets", State: "closed", URL: "issues/2"}, closed("closed"))
	s.Transfer(s.OpenIssue("maria", "It moves", ""))
	closed("transferred")
	s.DeleteIssue(s.OpenIssue("maria", "It goes", ""))
	closed("deleted")
}

func noEvent(t *testing.T, s EventStage) {
	pull := s.OpenPull("victor", "Be fast", "/tenon fix it")
	s.Comment("maria", pull, "Looks good.")
	s.Comment("maria", pull, "> /tenon fix it\n\n@victor, would you?")
	s.Comment("other[bot]", pull, "/tenon fix it")
	s.Review("maria", pull, "Looks good.")
	s.OpenIssue("maria", "It greets", "Too early.")
	_, err := s.App().Post(t.Context(), s.Ref(), conversation(pull), "@maria /tenon fix it")
	require.NoError(t, err)
	require.Empty(t, s.Accepted())
}

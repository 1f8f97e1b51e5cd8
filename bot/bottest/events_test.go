package bottest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// What people do on GitHub becomes the events that the bot gets: the webhook makes them of GitHub's deliveries.
func TestEventContract(t *testing.T) {
	t.Parallel()
	for _, story := range []struct {
		name string
		play func(t *testing.T, s *eventStage)
	}{
		{"a comment", commentEvent},
		{"a review", reviewEvent},
		{"a comment on a line", lineEvent},
		{"a new issue", issueEvent},
		{"a label", labelEvent},
		{"a button", buttonEvent},
		{"a box that was ticked", tickEvent},
		{"the end of a thread", closedEvent},
		{"what starts nothing", noEvent},
	} {
		t.Run(story.name, func(t *testing.T) {
			t.Parallel()
			story.play(t, newEventStage(t))
		})
	}
}

// eventStage is where the stories of events are played. maria owns acme; victor may write to acme/lathe; there are a
// stranger and the app other[bot]. The branch speed has one commit more, of speed.txt.
type eventStage struct {
	*bottest.World
	lathe    *bottest.Repo
	comments map[int64]*bottest.Comment
	seen     int
}

func newEventStage(t *testing.T) *eventStage {
	t.Helper()
	w := bottest.New(t)
	w.GitHub.AddUser("other[bot]")
	w.Repo.SetRole("victor", port.PermissionWrite)
	w.Repo.Push("speed", map[string]string{"speed.txt": "one\ntwo\nthree\n"})
	return &eventStage{World: w, lathe: w.Repo, comments: map[int64]*bottest.Comment{}}
}

func (s *eventStage) App() port.GitHub { return s.GitHub }

func (s *eventStage) Ref() port.RepoRef { return s.lathe.Ref() }

// Accepted returns the events that were accepted since the last call.
func (s *eventStage) Accepted() []port.Event {
	all := s.World.Accepted()[s.seen:]
	s.seen += len(all)
	return all
}

func (s *eventStage) Head() string { return s.lathe.Branch("speed") }

func (s *eventStage) OpenIssue(as, title, body string) int {
	return s.lathe.OpenIssue(as, title, body).Number()
}

func (s *eventStage) OpenPull(as, title, body string) int {
	return s.lathe.OpenPullWith(as, title, body, "speed", "main").Number()
}

func (s *eventStage) note(c *bottest.Comment) int64 {
	id := c.Port().ID
	s.comments[id] = c
	return id
}

func (s *eventStage) Comment(as string, number int, body string) int64 {
	return s.note(s.lathe.Thread(number).Comment(as, body))
}

func (s *eventStage) Review(as string, number int, body string) int64 {
	return s.note(s.lathe.Thread(number).Review(as, body))
}

func (s *eventStage) ReviewComment(as string, number, start, line int, body string) int64 {
	return s.note(s.lathe.Thread(number).ReviewLines(as, "speed.txt", start, line, body))
}

func (s *eventStage) Reply(as string, first int64, body string) int64 {
	return s.note(s.comments[first].Reply(as, body))
}

// EditComment edits a comment of the conversation, also of the app.
func (s *eventStage) EditComment(as string, number int, id int64, body string) {
	for _, c := range s.lathe.Thread(number).Comments(port.IssueComment) {
		if c.Port().ID == id {
			c.Edit(as, body)
		}
	}
}

func (s *eventStage) Press(as string, check int64, verb string) {
	for _, c := range s.lathe.CheckRuns() {
		if c.ID == check {
			s.lathe.Press(as, c, verb)
		}
	}
}

// conversation is the place of a thread's conversation.
func conversation(number int) port.Place { return port.Place{Number: number, Kind: port.IssueComment} }

// one returns the one event that was accepted since the last time, without what all events have.
func one(t *testing.T, s *eventStage, by string) port.Event {
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

func commentEvent(t *testing.T, s *eventStage) {
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

func reviewEvent(t *testing.T, s *eventStage) {
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

func lineEvent(t *testing.T, s *eventStage) {
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
	id := s.Reply("victor", first, "/tenon ask why?")
	ev = one(t, s, "victor")
	require.Equal(t, s.Head(), pullOf(t, &ev).Head)
	want.Body, want.InReplyTo = "/tenon ask why?", first
	require.Equal(t, want, said(t, &ev, id, "victor"))
}

func issueEvent(t *testing.T, s *eventStage) {
	number := s.OpenIssue("stranger", "It greets", "Too early.\n\n/tenon fix it")
	ev := one(t, s, "stranger")
	require.Equal(t, port.Thread{Number: number, Title: "It greets", State: "open", URL: "issues/1",
		Text: new("Too early.\n\n/tenon fix it")}, where(t, &ev))
	c := said(t, &ev, int64(number), "stranger")
	require.Equal(t, port.Comment{Kind: port.IssueBody, Body: "Too early.\n\n/tenon fix it"}, c)
	require.Equal(t, port.Event{Kind: port.IssueBody, Action: "opened"}, ev)
}

func labelEvent(t *testing.T, s *eventStage) {
	issue := s.OpenIssue("stranger", "It greets", "Too early.")
	pull := s.OpenPull("victor", "Be fast", "Much faster.")
	s.lathe.Thread(issue).Label("maria", "tenon")
	ev := one(t, s, "maria")
	require.Equal(t, port.Thread{Number: issue, Title: "It greets", State: "open", URL: "issues/1",
		Text: new("Too early.")}, where(t, &ev))
	require.Equal(t, port.Comment{Kind: port.IssueBody, Body: "Too early."}, said(t, &ev, int64(issue), "stranger"))
	require.Equal(t, port.Event{Kind: port.Labeled, Action: "labeled", Label: "tenon"}, ev)
	s.lathe.Thread(pull).Label("maria", "bug")
	ev = one(t, s, "maria")
	require.Equal(t, s.Head(), pullOf(t, &ev).Head)
	require.Equal(t, port.Comment{Kind: port.IssueBody, Body: "Much faster."}, said(t, &ev, int64(pull), "victor"))
	require.Equal(t, port.Event{Kind: port.Labeled, Action: "labeled", Label: "bug"}, ev)
}

func buttonEvent(t *testing.T, s *eventStage) {
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
	s.lathe.Thread(pull).SetOpen(false)
	s.Accepted()
	s.Press("maria", check, "undo")
	ev = one(t, s, "maria")
	require.Equal(t, port.Thread{Number: pull, URL: "issues/1"}, where(t, &ev), "a closed pull request is not named")
}

func tickEvent(t *testing.T, s *eventStage) {
	const preview = "Preview\n\n- [ ] **1** `a.go:1` <!-- tenon:block=1 -->\n\n<!-- tenon:preview=abcdefghijkl -->"
	pull := s.OpenPull("victor", "Be fast", "")
	made, err := s.App().Post(t.Context(), s.Ref(), conversation(pull), preview)
	require.NoError(t, err)
	s.EditComment("maria", pull, made.ID, "Edited\n\n"+preview)
	require.Empty(t, s.Accepted(), "no box was ticked")
	ticked := strings.Replace(preview, "[ ]", "[x]", 1)
	s.EditComment("maria", pull, made.ID, preview)
	s.EditComment("victor", pull, made.ID, ticked)
	ev := one(t, s, "victor")
	require.True(t, where(t, &ev).Pull)
	require.Equal(t, port.Comment{Kind: port.IssueComment, Body: ticked}, said(t, &ev, made.ID, bottest.Slug+"[bot]"))
	require.Equal(t, port.Event{Kind: port.Ticked, Action: "edited", Before: preview}, ev)
	s.EditComment("victor", pull, made.ID, preview)
	require.Empty(t, s.Accepted(), "nor when a tick is removed")
	other := s.Comment("maria", pull, preview)
	s.EditComment("maria", pull, other, ticked)
	require.Empty(t, s.Accepted(), "nor in the comment of somebody else")
}

func closedEvent(t *testing.T, s *eventStage) {
	pull := s.OpenPull("victor", "Be fast", "")
	closed := func(action string) port.Thread {
		t.Helper()
		ev := one(t, s, "maria")
		at := where(t, &ev)
		require.Equal(t, port.Event{Kind: port.Closed, Action: action}, ev)
		return at
	}
	s.lathe.Thread(pull).Lock(true)
	locked := port.Thread{Number: pull, Pull: true, Title: "Be fast", State: "open", Locked: true, URL: "pull/1"}
	require.Equal(t, locked, closed("locked"))
	s.lathe.Thread(pull).SetOpen(false)
	require.Equal(t, "closed", closed("closed").State)
	s.lathe.Thread(pull).SetOpen(true)
	require.Empty(t, s.Accepted())
	s.lathe.Thread(pull).Merge()
	require.Equal(t, "closed", closed("closed").State)
	issue := s.OpenIssue("maria", "It greets", "")
	s.lathe.Thread(issue).SetOpen(false)
	require.Equal(t, port.Thread{Number: issue, Title: "It greets", State: "closed", URL: "issues/2"}, closed("closed"))
	other := s.GitHub.AddRepo("acme/other", map[string]string{"a": "a\n"})
	s.lathe.OpenIssue("maria", "It moves", "").Transfer(other)
	closed("transferred")
	s.lathe.OpenIssue("maria", "It goes", "").Delete()
	closed("deleted")
}

func noEvent(t *testing.T, s *eventStage) {
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

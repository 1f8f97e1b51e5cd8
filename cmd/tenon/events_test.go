package main

import (
	"context"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/ghtest"
	"github.com/tenon-bot/tenon/webhook"
)

// The events that stories in memory are told by are those that the webhook makes of GitHub's deliveries.
func TestEventContract(t *testing.T) {
	t.Parallel()
	bottest.EventContract(t, func(t *testing.T) bottest.EventStage { return newEventStage(t) })
}

// eventStage is a bottest.EventStage: ghtest, whose deliveries the webhook decodes.
type eventStage struct {
	t      *testing.T
	github *ghtest.Server
	app    *gh.Client
	ref    port.RepoRef

	mu       sync.Mutex
	accepted []port.Event
}

const eventRepo = "acme/lathe"

func newEventStage(t *testing.T) *eventStage {
	t.Helper()
	s := &eventStage{t: t}
	var err error
	s.github, err = ghtest.New(ghtest.Options{Dir: t.TempDir(), Key: sharedKey()})
	s.do(err)
	t.Cleanup(func() { require.NoError(t, s.github.Close()) })
	s.do(s.github.Start())
	s.do(s.github.AddOrg("acme", "maria"))
	for _, login := range []string{"victor", "stranger"} {
		s.do(s.github.AddUser(login))
	}
	s.do(s.github.AddBot("other[bot]"))
	for _, name := range []string{eventRepo, "acme/other"} {
		s.do(s.github.AddRepo(ghtest.Repo{Name: name, Files: map[string]string{"README.md": "hello\n"}, Public: true}))
	}
	s.do(s.github.SetRole(eventRepo, "victor", ghtest.RoleWrite))
	_, err = s.github.Push(eventRepo, "speed", map[string]string{"speed.txt": "one\ntwo\nthree\n"}, "Be fast\n")
	s.do(err)
	installation, err := s.github.Install(ghtest.Installation{Owner: "acme"})
	s.do(err)
	s.app, err = gh.New(gh.Options{
		AppID: s.github.AppID(), PrivateKey: s.github.PrivateKeyPEM(), APIURL: s.github.APIURL(),
	})
	s.do(err)
	lathe := port.RepoRef{Installation: installation, ID: 1, Owner: "acme", Name: "lathe"}
	s.ref, err = s.app.Sibling(t.Context(), lathe, "lathe")
	s.do(err)
	secret := []byte(s.github.WebhookSecret())
	hook, err := webhook.New(webhook.Options{Secret: secret, Queue: s, Slug: s.github.Slug})
	s.do(err)
	server := httptest.NewServer(hook)
	t.Cleanup(server.Close)
	s.github.SetHookURL(server.URL)
	return s
}

func (s *eventStage) do(err error) {
	s.t.Helper()
	require.NoError(s.t, err)
}

// Submit implements webhook.Queue.
func (s *eventStage) Submit(_ context.Context, ev port.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accepted = append(s.accepted, ev)
	return nil
}

func (s *eventStage) App() port.GitHub { return s.app }

func (s *eventStage) Ref() port.RepoRef { return s.ref }

func (s *eventStage) Accepted() []port.Event {
	s.github.WaitDeliveries()
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.accepted
	s.accepted = nil
	return all
}

func (s *eventStage) Head() string {
	list, err := s.github.Commits(eventRepo, "speed")
	s.do(err)
	return list[0].SHA
}

func (s *eventStage) OpenIssue(as, title, body string) int {
	s.t.Helper()
	number, err := s.github.OpenIssue(as, eventRepo, title, body)
	s.do(err)
	return number
}

func (s *eventStage) OpenPull(as, title, body string) int {
	s.t.Helper()
	number, err := s.github.OpenPull(ghtest.Pull{As: as, Repo: eventRepo, Title: title, Body: body, Head: "speed"})
	s.do(err)
	return number
}

func (s *eventStage) Comment(as string, number int, body string) int64 {
	s.t.Helper()
	id, err := s.github.Comment(as, eventRepo, number, body)
	s.do(err)
	return id
}

func (s *eventStage) Review(as string, number int, body string) int64 {
	s.t.Helper()
	id, err := s.github.Review(as, eventRepo, number, ghtest.NewReview{Body: body})
	s.do(err)
	return id
}

func (s *eventStage) ReviewComment(as string, number, start, line int, body string) int64 {
	s.t.Helper()
	at := ghtest.Place{Path: "speed.txt", StartLine: start, Line: line}
	id, err := s.github.ReviewComment(as, eventRepo, number, at, body)
	s.do(err)
	return id
}

func (s *eventStage) Reply(as string, number int, first int64, body string) int64 {
	s.t.Helper()
	id, err := s.github.ReplyTo(as, eventRepo, number, first, body)
	s.do(err)
	return id
}

func (s *eventStage) EditComment(as string, id int64, body string) {
	s.t.Helper()
	s.do(s.github.EditComment(as, id, body))
}

func (s *eventStage) Label(as string, number int, label string) {
	s.t.Helper()
	s.do(s.github.Label(as, eventRepo, number, label))
}

func (s *eventStage) Press(as string, check int64, verb string) {
	s.t.Helper()
	s.do(s.github.PressButton(as, check, verb))
}

func (s *eventStage) SetOpen(number int, open bool) {
	s.t.Helper()
	s.do(s.github.SetOpen(eventRepo, number, open))
}

func (s *eventStage) Merge(number int) {
	s.t.Helper()
	s.do(s.github.Merge(eventRepo, number))
}

func (s *eventStage) Lock(number int) {
	s.t.Helper()
	s.do(s.github.Lock(eventRepo, number, true))
}

func (s *eventStage) DeleteIssue(number int) {
	s.t.Helper()
	s.do(s.github.DeleteIssue(eventRepo, number))
}

func (s *eventStage) Transfer(number int) {
	s.t.Helper()
	_, err := s.github.TransferIssue(eventRepo, number, "acme/other")
	s.do(err)
}

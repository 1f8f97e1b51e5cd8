package bottest_test

import (
	"testing"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestEventContract(t *testing.T) {
	t.Parallel()
	bottest.EventContract(t, func(t *testing.T) bottest.EventStage { return &eventStage{s: newStage(t)} })
}

// eventStage is a bottest.EventStage of the fake.
type eventStage struct {
	s    *stage
	seen int
}

const repoName = "acme/lathe"

func (e *eventStage) App() port.GitHub { return e.s.App() }

func (e *eventStage) Ref() port.RepoRef { return e.s.Ref(repoName) }

func (e *eventStage) Accepted() []port.Event {
	all := e.s.w.Accepted()[e.seen:]
	e.seen += len(all)
	return all
}

func (e *eventStage) Head() string { return e.s.BranchAt(repoName, "speed") }

func (e *eventStage) OpenIssue(as, title, body string) int {
	return e.s.OpenIssue(as, repoName, title, body)
}

func (e *eventStage) OpenPull(as, title, body string) int {
	return e.s.repo(repoName).OpenPullWith(as, title, body, "speed", "main").Number()
}

func (e *eventStage) Comment(as string, number int, body string) int64 {
	return e.s.Comment(as, repoName, number, body).ID
}

func (e *eventStage) Review(as string, number int, body string) int64 {
	return e.s.Review(as, repoName, number, body).ID
}

func (e *eventStage) ReviewComment(as string, number, start, line int, body string) int64 {
	return e.s.ReviewComment(as, repoName, number, "speed.txt", start, line, body).ID
}

func (e *eventStage) Reply(as string, number int, first int64, body string) int64 {
	return e.s.Reply(as, repoName, number, port.Comment{Kind: port.ReviewComment, ID: first}, body).ID
}

func (e *eventStage) EditComment(as string, id int64, body string) {
	e.s.EditComment(as, port.Comment{Kind: port.IssueComment, ID: id}, body)
}

func (e *eventStage) Label(as string, number int, label string) {
	e.s.thread(repoName, number).Label(as, label)
}

func (e *eventStage) Press(as string, check int64, verb string) {
	for _, c := range e.s.CheckRuns(repoName) {
		if c.ID == check {
			e.s.repo(repoName).Press(as, c, verb)
		}
	}
}

func (e *eventStage) SetOpen(number int, open bool) { e.s.SetOpen(repoName, number, open) }

func (e *eventStage) Merge(number int) { e.s.Merge(repoName, number) }

func (e *eventStage) Lock(number int) { e.s.Lock(repoName, number) }

func (e *eventStage) DeleteIssue(number int) { e.s.DeleteIssue(repoName, number) }

func (e *eventStage) Transfer(number int) {
	e.s.AddRepo("acme/other", map[string]string{"a": "a\n"})
	e.s.Transfer(repoName, number, "acme/other")
}

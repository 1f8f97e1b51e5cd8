package report

import (
	"fmt"
	"testing"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// queued is a command of somebody, given so many minutes ago, whose run has recorded steps.
func queued(login, body string, minutes int, running bool, steps ...string) Queued {
	ev := aFix().Event
	ev.Sender.Login, ev.Comment.Body = login, body
	ev.Received = started.Add(took).Add(-time.Duration(minutes) * time.Minute)
	q := Queued{QueuedEvent: port.QueuedEvent{Event: ev, Running: running}, Verb: "fix"}
	if len(steps) > 0 || running {
		q.Run = record.Record{ID: "k3v9x1p7q2m4", Started: ev.Received.Add(20 * time.Second)}
	}
	for _, step := range steps {
		switch step {
		case "context":
			q.Run.Prompt = &record.Prompt{Selection: retrieve.Selection{
				Files: []retrieve.ShownFile{{Path: "server/start.go"}, {Path: "a`b|c.go"}},
			}}
		case "ask.1", "ask.2":
			q.Run.Turns = append(q.Run.Turns, record.Turn{})
		case "committing":
			q.Run.Committing = true
		case "commit":
			q.Run.Committed = &record.Committed{}
		}
	}
	return q
}

func TestTheAnswerToAStatus(t *testing.T) {
	t.Parallel()
	pull := aFix().Event.Thread
	issue := pull
	issue.Pull = false
	resets := time.Date(2026, 5, 5, 0, 0, 0, 0, time.UTC)
	left := []port.BudgetState{
		{Of: "your commands today", Used: 3, Limit: 20, Resets: resets},
		{Of: "this repository's tokens today", Used: 3_100_000, Limit: 3_000_000, Resets: resets},
		{Of: "this owner's tokens of the month", Used: 1_234_567, Limit: 40_000_000, Resets: resets.AddDate(0, 1, -4)},
	}
	const fix, committing = "/tenon fix it", "committing"
	asleep := queued("maria", fix, 3, false, "open")
	asleep.WaitsFor = port.GitHubOutage
	next := queued("jan", "@tenon go on", 2, false)
	var many []Queued
	for i := range maxQueueShown + 5 {
		many = append(many, queued("maria", fix, 30-i, false))
	}
	load := &port.Load{Runs: 240, MostRuns: 256, Working: 2, Slots: 2, Ready: 7, Models: []port.ModelLoad{
		{Name: "gpt-5", Calls: 200}, {Name: "lo`cal", Calls: 2, MostCalls: 2, Waiting: 31}}}
	for name, c := range map[string]struct {
		thread port.Thread
		queue  []Queued
		server Server
	}{
		"quiet":   {issue, nil, Server{}},
		"left":    {pull, nil, Server{Left: left}},
		"reading": {pull, []Queued{queued("maria", fix, 1, true, "open")}, Server{}},
		"asking":  {pull, []Queued{queued("ma`ria", fix, 3, true, "open", "context", "ask.1"), next}, Server{Left: left}},
		"committing": {
			pull, []Queued{queued("maria", fix, 3, true, "open", "context", "ask.1", committing, "apply.1")}, Server{},
		},
		"answering": {
			pull, []Queued{queued("maria", fix, 3, true, "open", "context", "ask.1", committing, "apply.1", "commit")}, Server{},
		},
		"again":  {pull, []Queued{queued("maria", fix, 3, false, "open"), next}, Server{}},
		"asleep": {pull, []Queued{asleep, next}, Server{}},
		"many":   {pull, many, Server{}},
		"idle":   {pull, nil, Server{Left: left, Load: &port.Load{MostRuns: 256}}},
		"busy":   {pull, []Queued{next}, Server{Load: load}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := QueueBody(c.thread, c.queue, c.server, started.Add(took))
			requireGolden(t, fmt.Sprintf("status/%s.txtar", name), got)
		})
	}
}

func TestTheAnswerToACancel(t *testing.T) {
	t.Parallel()
	running := Cancelled{QueuedEvent: queued("maria", "/tenon fix it", 3, true).QueuedEvent, Verb: "fix"}
	waiting := Cancelled{QueuedEvent: queued("jan", "@tenon go on", 2, false).QueuedEvent, Verb: "fix"}
	late := running
	late.Late = true
	var many []Cancelled
	for range maxQueueShown + 5 {
		many = append(many, waiting)
	}
	for name, list := range map[string][]Cancelled{
		"nothing":     nil,
		"both":        {running, waiting},
		"late":        {late},
		"partly-late": {late, waiting},
		"many":        many,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireGolden(t, fmt.Sprintf("cancel/%s.txtar", name), CancelBody(list, aFix().Event.Thread, false))
		})
	}
}

func TestTheAnswerOfARunThatWaits(t *testing.T) {
	t.Parallel()
	for name, reason := range map[string]port.WaitReason{
		"github-limit": port.GitHubLimit, "github-outage": port.GitHubOutage, "app-refused": port.AppRefused,
		"model-limit": port.ModelLimit, "model-outage": port.ModelOutage, "model-break": port.ModelBreak,
		"database-outage": port.DatabaseOutage,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireGolden(t, fmt.Sprintf("wait/%s.txtar", name), WaitingBody(aFix(), reason))
		})
	}
}

package bot

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// inLine is a command of somebody, given so many minutes ago.
func (s *session) inLine(login, body string, ago int, working bool, steps ...string) queued {
	ev := s.ev
	ev.Sender.Login, ev.Comment.Body, ev.Received = login, body, s.Now().Add(-time.Duration(ago)*time.Minute)
	at := queued{Waiting: Waiting{Event: ev, Working: working}, verb: "fix"}
	if len(steps) > 0 || working {
		at.run = Run{ID: "k3v9x1p7q2m4", Started: ev.Received.Add(20 * time.Second), Steps: map[string][]byte{}}
	}
	for _, step := range steps {
		at.run.Steps[step], _ = json.Marshal(question{Selection: Selection{Files: []shownFile{{Path: "server/start.go"}, {Path: "a`b|c.go"}}}})
	}
	return at
}

// holds says whether want is what the golden file holds, as Markdown and as GitHub shows it.
func holds(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	text := txtar.Format(&txtar.Archive{Files: []txtar.File{{Name: "want.md", Data: []byte(got + "\n")}, {Name: "want.html", Data: []byte(page(t, got))}}})
	if *update {
		require.NoError(t, os.WriteFile(name, text, 0o644))
		return
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(want), string(text))
}

func TestTheAnswerToAStatus(t *testing.T) {
	t.Parallel()
	s := testSession()
	issue := testSession()
	issue.ev.Thread.Pull = false
	resets := time.Date(2026, 5, 5, 0, 0, 0, 0, time.UTC)
	left := []Spent{
		{Of: "your commands of today", Used: 3, Limit: 20, Resets: resets},
		{Of: "this repository's tokens of today", Used: 3_100_000, Limit: 3_000_000, Resets: resets},
		{Of: "this owner's tokens of the month", Used: 1_234_567, Limit: 40_000_000, Resets: resets.AddDate(0, 1, -4)},
	}
	var many []queued
	for i := range maxLineShown + 5 {
		many = append(many, s.inLine("maria", "/tenon fix it", 30-i, false))
	}
	for name, c := range map[string]struct {
		s    *session
		line []queued
		left []Spent
	}{
		"quiet":      {issue, nil, nil},
		"left":       {s, nil, left},
		"reading":    {s, []queued{s.inLine("maria", "/tenon fix it", 1, true, "open")}, nil},
		"asking":     {s, []queued{s.inLine("ma`ria", "/tenon fix it", 3, true, "open", "context", "ask.1"), s.inLine("jan", "@tenon go on", 2, false)}, left},
		"committing": {s, []queued{s.inLine("maria", "/tenon fix it", 3, true, "open", "context", "ask.1", deliverStep, "apply.1")}, nil},
		"answering":  {s, []queued{s.inLine("maria", "/tenon fix it", 3, true, "open", "context", "ask.1", deliverStep, "apply.1", "commit")}, nil},
		"again":      {s, []queued{s.inLine("maria", "/tenon fix it", 3, false, "open"), s.inLine("jan", "@tenon go on", 2, false)}, nil},
		"many":       {s, many, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := statusAnswer(c.s.ev.Thread, c.line, c.left, c.s.Now())
			require.NoError(t, err)
			holds(t, fmt.Sprintf("status/%s.txtar", name), got)
		})
	}
}

func TestTheAnswerToACancel(t *testing.T) {
	t.Parallel()
	s := testSession()
	working, waiting := ended{Waiting: s.inLine("maria", "/tenon fix it", 3, true).Waiting, verb: "fix"}, ended{Waiting: s.inLine("jan", "@tenon go on", 2, false).Waiting, verb: "fix"}
	late := working
	late.late = true
	var many []ended
	for range maxLineShown + 5 {
		many = append(many, waiting)
	}
	for name, list := range map[string][]ended{
		"nothing":     nil,
		"both":        {working, waiting},
		"late":        {late},
		"partly-late": {late, waiting},
		"many":        many,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			holds(t, fmt.Sprintf("cancel/%s.txtar", name), cancelBody(list, s.ev.Thread))
		})
	}
}

func TestALineTellsOnlyOfCommands(t *testing.T) {
	t.Parallel()
	s := testSession()
	fix := s.inLine("maria", "/tenon fix it", 1, false).Waiting
	quoted := s.inLine("maria", "> /tenon fix it", 1, false).Waiting
	bot := s.inLine("tenon[bot]", "/tenon fix it", 1, false).Waiting
	label := fix
	label.Event.Kind, label.Event.Label = Labeled, "bug"
	require.Equal(t, []Waiting{fix}, s.commandsOf([]Waiting{quoted, fix, bot, label}))
}

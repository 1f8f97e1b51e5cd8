package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// runStatus shows what is in work and waits on the thread, and what is left of the budgets.
func runStatus(ctx context.Context, s *session) error {
	line, err := s.Line.Line(ctx, s.ev)
	if err != nil {
		return fmt.Errorf("reading the line: %w", err)
	}
	var all []queued
	for _, w := range s.commandsOf(line) {
		run, _, err := s.Line.FindRun(ctx, RunID(w.Event.Delivery))
		if err != nil && !errors.Is(err, ErrNotFound) {
			return fmt.Errorf("looking how far a run is: %w", err)
		}
		all = append(all, queued{w, run})
	}
	var left []Spent
	if s.has.allows(PermissionWrite) {
		if left, err = s.Budget.Left(ctx, s.ev, s.policy.Budget); err != nil {
			return fmt.Errorf("reading the budgets: %w", err)
		}
	}
	text, err := s.statusAnswer(all, left)
	if err != nil {
		return err
	}
	return s.reply(ctx, text)
}

// queued is a command in work or in line, and its run; without an id where it has not begun.
type queued struct {
	Waiting
	run Run
}

func (s *session) statusAnswer(line []queued, left []Spent) (string, error) {
	parts := []string{fmt.Sprintf("Nothing is in work on this %s, and nothing waits.", s.ev.Thread.kind())}
	if len(line) > 0 {
		parts = nil
	}
	if len(line) > 0 && line[0].Working {
		far, err := line[0].far()
		if err != nil {
			return "", err
		}
		parts = append(parts, fmt.Sprintf("⏳ **In work** %s: %s · %s", s.forTime(line[0]), s.commandWords(line[0].Event), far))
		line = line[1:]
	}
	return joinSections(append(parts, s.waitingList(line), budgetTable(left))), nil
}

// far is how far a run is, by its record.
func (at queued) far() (string, error) {
	q, gathered, err := recorded[question](journalOf(at.run), "context")
	if err != nil {
		return "", err
	}
	now := status{files: q.Files, call: 1}
	for has(at.run, fmt.Sprintf("ask.%d", now.call)) {
		now.call++
	}
	switch {
	case has(at.run, "commit"):
		return "writing its answer", nil
	case delivers(at.run):
		return "applying and committing", nil
	case gathered:
		return now.reading(true) + "; " + now.asking(false), nil
	}
	return now.reading(false), nil
}

// forTime is how long something is in work, or waits.
func (s *session) forTime(at queued) string {
	since := at.Event.Received
	if at.Working && at.run.ID != "" {
		since = at.run.Started
	}
	return "for " + duration(max(0, s.Now().Sub(since)))
}

func (s *session) waitingList(line []queued) string {
	if len(line) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("**Waiting**, in this order:\n")
	for i, at := range line[:min(len(line), maxLineShown)] {
		fmt.Fprintf(&b, "\n%d. %s, %s", i+1, s.commandWords(at.Event), s.forTime(at))
		if at.run.ID != "" {
			b.WriteString("; something went wrong, and it is tried again")
		}
	}
	if n := len(line) - maxLineShown; n > 0 {
		fmt.Fprintf(&b, "\n\n… and %d more", n)
	}
	return b.String()
}

// budgetTable says what is left of each budget.
func budgetTable(left []Spent) string {
	if len(left) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| budget | left | of | begins anew |\n|---|---:|---:|---|")
	for _, l := range left {
		fmt.Fprintf(&b, "\n| %s | %s | %s | %s |", l.Of, grouped(max(0, l.Limit-l.Used)), grouped(l.Limit), l.Resets.UTC().Format("2 January at 15:04 UTC"))
	}
	return b.String()
}

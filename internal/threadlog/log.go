// Package threadlog reads what earlier runs of an issue or pull request recorded from the marks in their answers, where
// no database keeps it.
package threadlog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/tenon-bot/tenon/bot/marks"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// maxRuns bounds the runs of one thread that are read.
const maxRuns = 100

// GitHub lists comments.
type GitHub interface {
	// OwnComments returns the newest comments, reviews and comments on the diff of an issue or pull request that are the
	// bot's own and contain a text, oldest first of each kind. pull reports whether it is a pull request.
	OwnComments(ctx context.Context, repo port.RepoRef, number int, pull bool, text string) ([]port.Comment, error)
}

// Log is the queue of one event, with the earlier runs of its thread. It implements port.ThreadQueue. Safe for
// concurrent use.
type Log struct {
	port.ThreadQueue
	github GitHub
	key    *marks.Key
	ev     port.Event
	log    *slog.Logger

	mu   sync.Mutex
	read map[int][]port.PastRun // by the number of the thread, newest first
}

var _ port.ThreadQueue = (*Log)(nil)

// New returns the log of an event. Everything but earlier runs is asked of queue. key opens the marks.
func New(queue port.ThreadQueue, github GitHub, key *marks.Key, ev port.Event, log *slog.Logger) *Log {
	return &Log{ThreadQueue: queue, github: github, key: key, ev: ev, log: log, read: map[int][]port.PastRun{}}
}

// Past implements port.ThreadQueue.
func (l *Log) Past(ctx context.Context, ev port.Event, most int) ([]port.PastRun, error) {
	all, err := l.runs(ctx, ev.Thread.Number)
	if err != nil {
		return nil, err
	}
	own := port.RunID(l.ev.Delivery)
	all = slices.DeleteFunc(slices.Clone(all), func(p port.PastRun) bool { return p.ID == own })
	return all[:min(len(all), most, maxRuns)], nil
}

// FindRun implements port.ThreadQueue. It finds the runs of the event's thread, and of those that Past was asked for.
func (l *Log) FindRun(ctx context.Context, id string) (port.Run, port.Event, error) {
	if _, err := l.runs(ctx, l.ev.Thread.Number); err != nil {
		return port.Run{}, port.Event{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, runs := range l.read {
		for _, p := range runs {
			if p.ID == id {
				return p.Run, p.Event, nil
			}
		}
	}
	return port.Run{}, port.Event{}, fmt.Errorf("looking for run %s: %w", id, port.ErrNotFound)
}

// Finished returns the run of the event itself if an earlier attempt at it gave its final answer; ok is false if none
// did.
func (l *Log) Finished(ctx context.Context) (run record.Record, ok bool, err error) {
	stored, _, err := l.FindRun(ctx, port.RunID(l.ev.Delivery))
	if errors.Is(err, port.ErrNotFound) {
		return record.Record{}, false, nil
	}
	if err != nil {
		return record.Record{}, false, err
	}
	run, err = record.Load(stored)
	return run, err == nil && run.Final != nil, err
}

// runs returns the runs of a thread, newest first. They are read once.
func (l *Log) runs(ctx context.Context, number int) ([]port.PastRun, error) {
	l.mu.Lock()
	known, ok := l.read[number]
	l.mu.Unlock()
	if ok {
		return known, nil
	}
	// Another thread than the event's is the pull request of an issue, or the issue of a pull request.
	pull := l.ev.Thread.Pull == (number == l.ev.Thread.Number)
	comments, err := l.github.OwnComments(ctx, l.ev.Repo, number, pull, marks.Prefix)
	if err != nil && !errors.Is(err, port.ErrNotFound) {
		return nil, fmt.Errorf("reading the answers in #%d: %w", number, err)
	}
	all := l.runsIn(ctx, marks.Place{Repo: l.ev.Repo.ID, Number: number}, comments)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.read[number] = all
	return all, nil
}

func (l *Log) runsIn(ctx context.Context, at marks.Place, comments []port.Comment) []port.PastRun {
	found := map[string]port.PastRun{}
	for _, c := range comments {
		for _, m := range marks.In(c.Body) {
			past, err := l.open(at, m, c)
			if err != nil {
				l.log.WarnContext(ctx, "the record of a run is not read", "run", m.Run, "comment", c.URL, "error", err)
				past = unreadable(l.ev, m, c)
			}
			if earlier, ok := found[m.Run]; ok {
				past = joined(earlier, past)
			}
			found[m.Run] = past
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b port.PastRun) int {
		return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(b.ID, a.ID))
	})
}

func (l *Log) open(at marks.Place, m marks.Mark, c port.Comment) (port.PastRun, error) {
	run, err := l.key.Open(at, m)
	if err != nil {
		return port.PastRun{}, err
	}
	return run.Answered(c)
}

// joined returns one run of two marks of it: those of its answer and of its offer, or those of a comment and of a copy
// of it. What the first does not have is taken from the second.
func joined(first, second port.PastRun) port.PastRun {
	_, err := record.Load(first.Run)
	if err != nil {
		return second
	}
	if _, err := record.Load(second.Run); err != nil {
		return first
	}
	steps := maps.Clone(second.Steps)
	maps.Copy(steps, first.Steps)
	first.Steps = steps
	return first
}

// unreadable returns a run of whose record nothing can be read, with the steps that keep later commands from taking an
// older run for the newest.
func unreadable(ev port.Event, m marks.Mark, c port.Comment) port.PastRun {
	p := port.PastRun{Event: port.Event{Repo: ev.Repo, Thread: ev.Thread, Received: c.Updated}}
	p.ID, p.Started = m.Run, c.Updated
	p.Steps = record.Unread()
	return p
}

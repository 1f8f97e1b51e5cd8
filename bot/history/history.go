// Package history reads what earlier runs of a thread did: what they committed, previewed, suggested and failed to do.
package history

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// maxPastRuns is how many runs of a thread are read.
const maxPastRuns = 100

// Thread is the history of the thread of an event, before the event. Safe for concurrent use if Skipped is.
type Thread struct {
	Queue port.ThreadQueue
	Event port.Event
	// Skipped is called with each run whose record this program cannot read. Such a run is left out: it must not be fatal
	// for its thread.
	Skipped func(run string, err error)
}

// Run is a past run and the event that it handled.
type Run struct {
	record.Record
	Event port.Event
}

// issueBranch is the name of a branch that an issue was worked on.
var issueBranch = regexp.MustCompile(`^tenon/issue-([1-9][0-9]{0,8})(-[0-9]+)?$`)

// numbers are those of the threads in which commands for a branch are given: the event's, and with an issue that of its
// pull request, or the other way round.
func (t Thread) numbers(target record.Target) []int {
	all := []int{t.Event.Thread.Number}
	other := target.Pull
	if t.Event.Thread.Pull {
		if m := issueBranch.FindStringSubmatch(target.Branch); m != nil && target.Fork == nil {
			other, _ = strconv.Atoi(m[1])
		}
	}
	if other != 0 && other != t.Event.Thread.Number {
		all = append(all, other)
	}
	return all
}

// ofBranch returns the runs of the threads in which commands for a branch are given, newest first.
func (t Thread) ofBranch(ctx context.Context, target record.Target) ([]Run, error) {
	var past []Run
	for _, number := range t.numbers(target) {
		more, err := t.ofThread(ctx, number)
		if err != nil {
			return nil, err
		}
		past = append(past, more...)
	}
	slices.SortStableFunc(past, func(a, b Run) int { return b.Started.Compare(a.Started) })
	return past, nil
}

// ofThread returns the runs of one thread, newest first.
func (t Thread) ofThread(ctx context.Context, number int) ([]Run, error) {
	ev := t.Event
	ev.Thread.Number = number
	stored, err := t.Queue.Past(ctx, ev, maxPastRuns)
	if err != nil {
		return nil, fmt.Errorf("reading the earlier runs of #%d: %w", number, err)
	}
	var past []Run
	for _, p := range stored {
		rec, err := record.Load(p.Run)
		if err != nil {
			t.skip(p.ID, err)
			continue
		}
		past = append(past, Run{rec, p.Event})
	}
	return past, nil
}

func (t Thread) skip(run string, err error) {
	if t.Skipped != nil {
		t.Skipped(run, err)
	}
}

// Commits are commits that runs made, newest first.
type Commits []record.Commit

// Commits returns the commits on the branch of a target.
func (t Thread) Commits(ctx context.Context, target record.Target) (Commits, error) {
	past, err := t.ofBranch(ctx, target)
	if err != nil {
		return nil, err
	}
	var out Commits
	for _, p := range past {
		if c, ok := p.Commit(); ok && c.Branch == target.Branch {
			out = append(out, c)
		}
	}
	return out, nil
}

// Undoer returns the run that undid a run, empty if none did or that one was undone itself.
func (all Commits) Undoer(run string) string {
	for _, c := range all {
		if c.Undoes == run && all.Undoer(c.Run) == "" {
			return c.Run
		}
	}
	return ""
}

// Newest returns the newest commit that undoes nothing, other than those to pass over.
func (all Commits) Newest(passOver func(record.Commit) bool) (record.Commit, bool) {
	for _, c := range all {
		if c.Undoes == "" && !passOver(c) {
			return c, true
		}
	}
	return record.Commit{}, false
}

// CommitOf returns the commit of a run that a person named; ok is false if the run committed nothing. It returns
// port.ErrNotFound if there is no such run in the threads of the target, and an error if its record cannot be read.
func (t Thread) CommitOf(ctx context.Context, id string, target record.Target) (c record.Commit, ok bool, err error) {
	stored, ev, err := t.Queue.FindRun(ctx, id)
	if err == nil && (ev.Repo.ID != t.Event.Repo.ID || !slices.Contains(t.numbers(target), ev.Thread.Number)) {
		err = port.ErrNotFound
	}
	if errors.Is(err, port.ErrNotFound) {
		return record.Commit{}, false, port.ErrNotFound
	}
	if err != nil {
		return record.Commit{}, false, fmt.Errorf("looking for run %s: %w", id, err)
	}
	rec, err := record.Load(stored)
	if err != nil {
		return record.Commit{}, false, unreadable(id, err)
	}
	c, ok = rec.Commit()
	return c, ok, nil
}

// unreadable is the error for a run that a command needs and this program cannot read.
func unreadable(run string, err error) error {
	return errors.Join(err, &port.UserError{Text: fmt.Sprintf("The record of run `%s` cannot be read by this version of tenon, so nothing was "+
		"done. Whoever runs this app finds the cause in its log.", run)})
}

// Suggestions are the shell commands that an answer suggests.
type Suggestions struct {
	// Run is the run that answered, Answer its answer.
	Run    string
	Answer record.AnswerComment
	List   []engine.Suggestion
}

// Suggestions returns those of the newest answer with any; ok is false if there is none.
func (t Thread) Suggestions(ctx context.Context, target record.Target) (s Suggestions, ok bool, err error) {
	past, err := t.ofBranch(ctx, target)
	if err != nil {
		return Suggestions{}, false, err
	}
	for _, p := range past {
		c, err := conversation.Recorded(p.Record)
		if err != nil {
			t.skip(p.ID, err)
			continue
		}
		if list := c.Suggestions(); p.Final != nil && !c.IsQuestion() && len(list) > 0 {
			return Suggestions{p.ID, *p.Final, list}, true, nil
		}
	}
	return Suggestions{}, false, nil
}

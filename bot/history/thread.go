// Package history reads what earlier runs of a thread did: what they committed, previewed and suggested, and which of
// their edits can be tried again.
package history

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/tenon-bot/tenon/bot/backport"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// maxPastRuns is how many runs of a thread are searched.
const maxPastRuns = 100

// Thread is the history of the thread of an event, before the event. Safe for concurrent use if Skipped is.
type Thread struct {
	Queue port.ThreadQueue
	Event port.Event
	// Skipped, unless nil, is called for an earlier run whose record this program cannot read. It may be called more than
	// once for a run. What a method returns then is in its own comment: a command that is about the newest run must not
	// take an older one for it, and the others go on without the run.
	Skipped func(run string, err error)
}

// Run is an earlier run, and the event that it handled.
type Run struct {
	record.Record
	Event port.Event
}

// issueBranch matches the name of a branch for an issue.
var issueBranch = regexp.MustCompile(`^tenon/issue-([1-9][0-9]{0,8})(-[0-9]+)?$`)

// numbers returns the numbers of the threads in which people give commands for a branch: the event's own, for an
// issue that of its pull request, or the other way round, and for a backport that of the pull request that it is of.
func (t Thread) numbers(target record.Target) []int {
	all := []int{t.Event.Thread.Number}
	other := target.Pull
	if t.Event.Thread.Pull {
		if m := issueBranch.FindStringSubmatch(target.Branch); m != nil && target.Fork == nil {
			other, _ = strconv.Atoi(m[1])
		}
		if of, ok := backport.PullOf(target.Branch); ok && target.Fork == nil {
			other = of
		}
	}
	if other != 0 && other != t.Event.Thread.Number {
		all = append(all, other)
	}
	return all
}

// past returns the stored runs of threads, newest first.
func (t Thread) past(ctx context.Context, numbers ...int) ([]port.PastRun, error) {
	var past []port.PastRun
	for _, number := range numbers {
		ev := t.Event
		ev.Thread.Number = number
		more, err := t.Queue.Past(ctx, ev, maxPastRuns)
		if err != nil {
			return nil, fmt.Errorf("reading the earlier runs of #%d: %w", number, err)
		}
		past = append(past, more...)
	}
	if len(numbers) > 1 {
		slices.SortStableFunc(past, func(a, b port.PastRun) int { return b.Started.Compare(a.Started) })
	}
	return past, nil
}

// load reads the record of a stored run, and reports an error to Skipped.
func (t Thread) load(stored port.PastRun) (Run, error) {
	rec, err := record.Load(stored.Run)
	if err != nil {
		t.skip(stored.ID, err)
		return Run{}, err
	}
	return Run{rec, stored.Event}, nil
}

func (t Thread) skip(run string, err error) {
	if t.Skipped != nil {
		t.Skipped(run, err)
	}
}

// find returns a stored run by its id. It returns port.ErrNotFound if there is none whose event satisfies here.
func (t Thread) find(ctx context.Context, id string, here func(port.Event) bool) (port.PastRun, error) {
	stored, ev, err := t.Queue.FindRun(ctx, id)
	switch {
	case errors.Is(err, port.ErrNotFound), err == nil && !here(ev):
		return port.PastRun{}, port.ErrNotFound
	case err != nil:
		return port.PastRun{}, fmt.Errorf("looking for run %s: %w", id, err)
	}
	return port.PastRun{Run: stored, Event: ev}, nil
}

// Unreadable returns the error for a run that a command needs and that this program cannot read. It is a
// *port.UserError.
func Unreadable(run string, err error) error {
	return errors.Join(err, sentence.RecordUnreadable(run))
}

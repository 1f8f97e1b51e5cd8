package history

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// maxPastRuns is how many runs of a thread are looked through.
const maxPastRuns = 100

// issueBranch is the name of a branch that an issue was worked on.
var issueBranch = regexp.MustCompile(`^tenon/issue-([1-9][0-9]{0,8})(-[0-9]+)?$`)

// history is what happened on the thread of an event before it.
type Thread struct {
	Line port.ThreadQueue
	Ev   port.Event
}

// threads are those in which commands for the branch are given: this one, and with an issue its pull request, or the other way round.
func (h Thread) Threads(t record.Target) []int {
	all := []int{h.Ev.Thread.Number}
	other := t.Pull
	if h.Ev.Thread.Pull {
		if m := issueBranch.FindStringSubmatch(t.Branch); m != nil && t.Fork == nil {
			other, _ = strconv.Atoi(m[1])
		}
	}
	if other != 0 && other != h.Ev.Thread.Number {
		all = append(all, other)
	}
	return all
}

// past are the runs of these threads, the newest first.
func (h Thread) Past(ctx context.Context, t record.Target) ([]port.PastRun, error) {
	var past []port.PastRun
	for _, number := range h.Threads(t) {
		ev := h.Ev
		ev.Thread.Number = number
		more, err := h.Line.Past(ctx, ev, maxPastRuns)
		if err != nil {
			return nil, fmt.Errorf("looking for earlier runs of #%d: %w", number, err)
		}
		past = append(past, more...)
	}
	slices.SortStableFunc(past, func(a, b port.PastRun) int { return b.Started.Compare(a.Started) })
	return past, nil
}

// deeds are commits of runs, the newest first.
type Commits []record.Commit

func (h Thread) Commits(ctx context.Context, t record.Target) (Commits, error) {
	past, err := h.Past(ctx, t)
	if err != nil {
		return nil, err
	}
	var out Commits
	for _, p := range past {
		d, ok, err := record.CommitOf(p.Run)
		if err != nil {
			return nil, err
		}
		if ok && d.Branch == t.Branch {
			out = append(out, d)
		}
	}
	return out, nil
}

// undoer is the run that took a run back, if that still holds: a run that was taken back itself takes nothing back.
func (all Commits) Undoer(run string) string {
	for _, d := range all {
		if d.Undoes == run && all.Undoer(d.Run) == "" {
			return d.Run
		}
	}
	return ""
}

// newest is the newest commit that took nothing back, other than those of the runs that are passed over.
func (all Commits) Newest(passOver func(record.Commit) bool) (record.Commit, bool) {
	for _, d := range all {
		if d.Undoes == "" && !passOver(d) {
			return d, true
		}
	}
	return record.Commit{}, false
}

package main

import (
	"bytes"
	"errors"
	"slices"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/worktree"
)

// applied is the result of applying a reply.
type applied struct {
	reply   engine.Reply
	results []engine.Result
	dryRun  bool
	// changed are the files that were written, or would be without a dry run. before and after are their contents.
	changed       []string
	before, after map[string][]byte
	staged        bool
	commit        string // the git commit that was made of them; empty if none was
	// failure is why a file was not written, or not staged.
	failure error
}

// complete reports whether every block was applied, now or before, every file parses if that was checked, and the reply
// has no error.
func (d applied) complete() bool {
	if len(d.results) == 0 || !parses(d.results) || d.failure != nil && !isOnlyUnstaged(d.failure) {
		return false
	}
	for _, r := range d.results {
		if r.Status != engine.Applied && r.Reason != engine.AlreadyApplied && r.Reason != engine.NoChange {
			return false
		}
	}
	for _, p := range d.reply.Problems {
		if p.Severity == engine.SeverityError {
			return false
		}
	}
	return true
}

// isOnlyUnstaged reports whether an error means that tenon cannot stage a file, and not that git failed to.
func isOnlyUnstaged(err error) bool {
	var filtered *worktree.FilterError
	return errors.Is(err, worktree.ErrNoGit) || errors.As(err, &filtered)
}

// isStagedInPart reports whether some of the files were staged, and others left out for their filters.
func (d applied) isStagedInPart() bool {
	var filtered *worktree.FilterError
	return errors.As(d.failure, &filtered) && len(filtered.Filters) < len(d.changed)
}

// renamed returns the old names of the files that changed under another name, by their new ones: as git does, it takes
// a file for another one if most of its lines are the same.
func (d applied) renamed() map[string]string {
	var removed, made []string
	for _, name := range d.changed {
		switch before, after := d.before[name], d.after[name]; {
		case before == nil && len(after) > 0:
			made = append(made, name)
		case after == nil && len(before) > 0:
			removed = append(removed, name)
		}
	}
	old := map[string]string{}
	for _, from := range removed {
		best, at := 0.5, -1
		for i, to := range made {
			if share := sharedLines(d.before[from], d.after[to]); share >= best {
				best, at = share, i
			}
		}
		if at >= 0 {
			old[made[at]] = from
			made = slices.Delete(made, at, at+1)
		}
	}
	return old
}

// sharedLines returns which share of the lines of two texts both have.
func sharedLines(a, b []byte) float64 {
	left, all, same := map[string]int{}, 0, 0
	for line := range bytes.Lines(a) {
		left[string(line)]++
		all++
	}
	for line := range bytes.Lines(b) {
		if all++; left[string(line)] > 0 {
			left[string(line)]--
			same += 2
		}
	}
	return float64(same) / float64(all)
}

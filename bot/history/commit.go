package history

import (
	"context"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// Commits are commits that runs made, newest first. One without a SHA is that of a run that cannot be read.
type Commits []record.Commit

// Commits returns the commits that runs made on the branch of a target.
func (t Thread) Commits(ctx context.Context, target record.Target) (Commits, error) {
	past, err := t.past(ctx, t.numbers(target)...)
	if err != nil {
		return nil, err
	}
	var out Commits
	for _, p := range past {
		run, err := t.load(p)
		if err != nil {
			if record.CommitMade.In(p.Run) {
				out = append(out, record.Commit{Run: p.ID})
			}
			continue
		}
		for _, c := range run.AllCommits() {
			if c.Branch == target.Branch {
				out = append(out, c)
			}
		}
	}
	return out, nil
}

// Undoer returns the run that undid a run; empty if none did, or if that one was undone itself.
func (all Commits) Undoer(run string) string {
	for _, c := range all {
		if c.Undoes == run && all.Undoer(c.Run) == "" {
			return c.Run
		}
	}
	return ""
}

// UndoneMerge returns the newest run that undid a merge of another branch, of which git still takes all for merged;
// empty if none did.
func (all Commits) UndoneMerge() string {
	for _, c := range all {
		if c.Merges && !all.HasMerge(c) && all.Undoer(c.Run) == "" {
			return c.Run
		}
	}
	return ""
}

// HasMerge reports whether a commit merges another branch, or restores one that does and was undone, rather than
// undoing it.
func (all Commits) HasMerge(c record.Commit) bool {
	i := slices.IndexFunc(all, func(o record.Commit) bool { return o.Run == c.Undoes })
	if c.Undoes == "" || i < 0 {
		return c.Merges && c.Undoes == ""
	}
	return c.Merges && !all[i+1:].HasMerge(all[i])
}

// Lead reports whether the commits alone moved the branch from one commit to another.
func (all Commits) Lead(from, to string) bool {
	for range all {
		i := slices.IndexFunc(all, func(c record.Commit) bool { return c.SHA != "" && c.Base == from })
		if i < 0 {
			return false
		}
		if from = all[i].SHA; from == to {
			return true
		}
	}
	return false
}

// Newest returns the newest commit that undoes nothing and that skip does not report.
func (all Commits) Newest(skip func(record.Commit) bool) (record.Commit, bool) {
	for _, c := range all {
		if c.Undoes == "" && !skip(c) {
			return c, true
		}
	}
	return record.Commit{}, false
}

// CommitOf returns the commit of a run that a person named; ok is false if the run made none. It returns
// port.ErrNotFound if there is no such run in the threads of the target, and a *port.UserError if its record cannot be
// read.
func (t Thread) CommitOf(ctx context.Context, id string, target record.Target) (c record.Commit, ok bool, err error) {
	stored, err := t.find(ctx, id, func(ev port.Event) bool {
		return ev.Repo.ID == t.Event.Repo.ID && slices.Contains(t.numbers(target), ev.Thread.Number)
	})
	if err != nil {
		return record.Commit{}, false, err
	}
	rec, err := record.Load(stored.Run)
	if err != nil {
		return record.Commit{}, false, Unreadable(id, err)
	}
	for _, made := range rec.AllCommits() {
		if c, ok = made, true; c.Branch == target.Branch {
			break
		}
	}
	return c, ok, nil
}

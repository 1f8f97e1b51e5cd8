package bot

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// maxPastRuns is how many runs of a thread are looked through.
const maxPastRuns = 100

// deed is a commit that a run made.
type deed struct {
	Run string `json:"run"`
	// SHA is the commit, Base the one before it.
	SHA     string   `json:"sha"`
	Base    string   `json:"base"`
	Branch  string   `json:"branch"`
	Subject string   `json:"subject,omitempty"`
	Changed []string `json:"changed"`
	// Undoes is the run that it took back; empty for any other.
	Undoes string `json:"undoes,omitempty"`
}

// deedOf reads what a run committed; ok is false when that is nothing.
func deedOf(run Run) (d deed, ok bool, err error) {
	j := journalOf(run)
	made, _, err := recorded[committed](j, "commit")
	if err != nil || made.SHA == "" {
		return deed{}, false, err
	}
	t, _, err := recorded[target](j, "open")
	if err != nil {
		return deed{}, false, err
	}
	taken, _, err := recorded[deed](j, "undo")
	return deed{Run: run.ID, SHA: made.SHA, Base: made.Base, Branch: t.Branch, Subject: made.Subject, Changed: made.Changed, Undoes: taken.Run}, true, err
}

// issueBranch is the name of a branch that an issue was worked on.
var issueBranch = regexp.MustCompile(`^tenon/issue-([1-9][0-9]{0,8})(-[0-9]+)?$`)

// history is what happened on the thread of an event before it.
type history struct {
	line Line
	ev   Event
}

func (s *session) history() history { return history{s.Line, s.ev} }

// threads are those in which commands for the branch are given: this one, and with an issue its pull request, or the other way round.
func (h history) threads(t target) []int {
	all := []int{h.ev.Thread.Number}
	other := t.Pull
	if h.ev.Thread.Pull {
		if m := issueBranch.FindStringSubmatch(t.Branch); m != nil && t.Fork == nil {
			other, _ = strconv.Atoi(m[1])
		}
	}
	if other != 0 && other != h.ev.Thread.Number {
		all = append(all, other)
	}
	return all
}

// past are the runs of these threads, the newest first.
func (h history) past(ctx context.Context, t target) ([]PastRun, error) {
	var past []PastRun
	for _, number := range h.threads(t) {
		ev := h.ev
		ev.Thread.Number = number
		more, err := h.line.Past(ctx, ev, maxPastRuns)
		if err != nil {
			return nil, fmt.Errorf("looking for earlier runs of #%d: %w", number, err)
		}
		past = append(past, more...)
	}
	slices.SortStableFunc(past, func(a, b PastRun) int { return b.Started.Compare(a.Started) })
	return past, nil
}

// deeds are commits of runs, the newest first.
type deeds []deed

func (h history) deeds(ctx context.Context, t target) (deeds, error) {
	past, err := h.past(ctx, t)
	if err != nil {
		return nil, err
	}
	var out deeds
	for _, p := range past {
		d, ok, err := deedOf(p.Run)
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
func (all deeds) undoer(run string) string {
	for _, d := range all {
		if d.Undoes == run && all.undoer(d.Run) == "" {
			return d.Run
		}
	}
	return ""
}

// newest is the newest commit that took nothing back, other than those of the runs that are passed over.
func (all deeds) newest(passOver func(deed) bool) (deed, bool) {
	for _, d := range all {
		if d.Undoes == "" && !passOver(d) {
			return d, true
		}
	}
	return deed{}, false
}

// named finds the commit of a run of these threads.
func (s *session) named(ctx context.Context, id string, t target) (deed, error) {
	run, ev, err := s.Line.FindRun(ctx, id)
	if errors.Is(err, ErrNotFound) || err == nil && (ev.Repo.ID != s.ev.Repo.ID || !slices.Contains(s.history().threads(t), ev.Thread.Number)) {
		return deed{}, &UserError{fmt.Sprintf("There is no run `%s` on this thread. A run's id is at the end of its answer; give the command where that answer stands.", id)}
	}
	if err != nil {
		return deed{}, fmt.Errorf("looking for run %s: %w", id, err)
	}
	d, ok, err := deedOf(run)
	switch {
	case err != nil:
		return deed{}, err
	case !ok:
		return deed{}, &UserError{fmt.Sprintf("Run `%s` committed nothing, so there is nothing to undo.", id)}
	case d.Branch != t.Branch:
		return deed{}, &UserError{fmt.Sprintf("The commit of run `%s` is on the branch %s, which is not the one that is worked on here now. Nothing was done; revert %s by git.", id, codeSpan(d.Branch), CommitLink(s.repoURL(), d.SHA))}
	}
	return d, nil
}

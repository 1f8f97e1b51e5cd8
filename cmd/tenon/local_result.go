package main

import (
	"slices"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/localrepo"
)

// localDone is what a command came to.
type localDone struct {
	record record.Record
	// answer is what was said in the thread, as Markdown.
	answer string
	// made is what was written; wrote is false if nothing was.
	made  localrepo.Made
	wrote bool
	// failure is why the command was given up; nil if it was not.
	failure error
	// previewed is what an earlier command showed of which this one made the edits; nil if there was none.
	previewed *record.Record
}

// results returns what became of each edit: of those of a preview, the ones that do not fit, and the chosen ones.
func (d localDone) results() (results []engine.Result) {
	if d.previewed != nil {
		for _, r := range d.previewed.Preview.Results {
			if r.Status != record.StatusApplied {
				results = append(results, resultOf(r))
			}
		}
	}
	if len(d.record.Applications) > 0 {
		for _, r := range d.record.LastApplication().Results {
			results = append(results, resultOf(r))
		}
	}
	return results
}

// statuses are the engine's, by how they are recorded.
var statuses = map[record.Status]engine.Status{
	record.StatusApplied: engine.Applied, record.StatusFailed: engine.Failed, record.StatusSkipped: engine.Skipped,
}

// resultOf returns a recorded result as the engine returned it, as far as it is recorded.
func resultOf(r record.Result) engine.Result {
	out := engine.Result{
		Path: r.Path, Status: statuses[r.Status], Reason: engine.Reason(r.Reason), Detail: r.Detail, Line: r.Line,
		Level: engine.Level(r.Level), MatchLines: r.Places, MoreMatches: r.MorePlaces,
		Unchecked: r.Unchecked,
	}
	out.Block.Line = r.ReplyLine
	if len(r.Nearest) > 0 {
		out.ClosestMatch = &engine.Excerpt{Line: r.NearestLine, Lines: r.Nearest}
	}
	if r.Differs > 0 {
		out.Difference = &engine.Difference{Line: r.Differs, Want: r.Want, Have: r.Have}
	}
	return out
}

// unchosen returns how many edits of a preview fit and were not chosen.
func (d localDone) unchosen() (n int) {
	if d.previewed == nil {
		return 0
	}
	for _, r := range d.previewed.Preview.Results {
		if r.Status == record.StatusApplied {
			n++
		}
	}
	if len(d.record.Applications) > 0 {
		n -= len(d.record.LastApplication().Results)
	}
	return n
}

// lost reports whether edits that fit were not written.
func (d localDone) lost() bool {
	return !d.wrote && slices.ContainsFunc(d.results(), func(r engine.Result) bool { return r.Status == engine.Applied })
}

// asked returns the record of the run that asked the model.
func (d localDone) asked() record.Record {
	if d.previewed != nil {
		return *d.previewed
	}
	return d.record
}

// dirty returns the files that had changes of the person in no commit.
func (d localDone) dirty() (names []string) {
	for _, f := range d.made.Files {
		if f.Dirty {
			names = append(names, f.Path)
		}
	}
	return names
}

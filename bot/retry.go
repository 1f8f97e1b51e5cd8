package bot

import (
	"slices"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on what a retry says of the edits before, in bytes and files.
const (
	maxLostDiffs = 24_000
	maxLostFiles = maxOptionFiles
)

// edits are those of an earlier run, by whether they stand.
type edits struct {
	made []prompts.MadeEdit
	lost []prompts.LostEdit
	// hopeless says that there are others, which no words of the model would bring in.
	hopeless bool
}

// editsOf reads what became of the edits of a run. Where nothing was committed, none stands.
func editsOf(run Run) (edits, error) {
	j := journalOf(run)
	last, _, err := j.lastApplied()
	if err != nil {
		return edits{}, err
	}
	made, _, err := recorded[committed](j, "commit")
	if err != nil {
		return edits{}, err
	}
	var e edits
	room := maxLostDiffs
	for i, r := range last.Results {
		e.add(i+1, r, made.SHA != "", &room)
	}
	return e, nil
}

func (e *edits) add(number int, r row, committed bool, room *int) {
	path, why := oneLine(clip(r.Path, maxCell)), oneLine(clip(r.Detail, maxQuoted))
	switch reason := engine.Reason(r.Reason); {
	case reason == engine.AlreadyApplied, r.Status == engine.Applied.String() && committed:
		e.made = append(e.made, prompts.MadeEdit{Number: number, Path: path, Line: r.Line})
		return
	case r.Status == engine.Applied.String():
		why = "It fits, but nothing was committed"
	case reason == engine.NoChange:
		return
	case slices.Contains(hopeless, reason):
		e.hopeless = true
		return
	}
	l := prompts.LostEdit{Number: number, Path: path, Why: why}
	if len(r.Diff) <= *room {
		l.Diff = r.Diff
		*room -= len(r.Diff)
	}
	e.lost = append(e.lost, l)
}

// asked is what the model is told of them.
func (e edits) asked() *prompts.Retry { return &prompts.Retry{Made: e.made, Failed: e.lost} }

// files are those of the edits that were not made.
func (e edits) files() (out []TaskFile) {
	for _, l := range e.lost {
		if f := (TaskFile{Path: l.Path}); len(out) < maxLostFiles && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

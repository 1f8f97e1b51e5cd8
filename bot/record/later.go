package record

import (
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// ForLater returns what later commands of the thread may need of a run: without what only the run itself, or a later
// attempt at it, reads again.
func ForLater(rec Record) Record {
	rec.Resumed = false
	rec.Answer, rec.Waiting, rec.Check, rec.ThreadAnswers, rec.Verifications = nil, nil, nil, nil, nil
	rec.FileChoice = choiceForLater(rec.FileChoice)
	if rec.Prompt != nil {
		rec.Prompt = promptForLater(*rec.Prompt)
	}
	rec.Turns = slices.Clone(rec.Turns)
	for i := range rec.Turns {
		t := &rec.Turns[i]
		t.Ask, t.Warning = "", ""
		if t.Kind == TurnResolve { // its resolution has what came of it
			t.Answer.Text = ""
		}
		if t.More != nil {
			t.More = promptForLater(*t.More)
		}
	}
	if last, ok := rec.LastResolution(); ok {
		rec.Resolutions = []Resolution{last}
	}
	if n := len(rec.Applications); n > 0 {
		rec.Applications = rec.Applications[n-1:]
	}
	if rec.Backport != nil {
		rec.Backport = &Backport{Base: rec.Backport.Base}
	}
	if rec.Committed != nil { // the answer shows them
		made := *rec.Committed
		made.Patch, made.Conflicts, made.Notes = Patch{}, Patch{}, nil
		rec.Committed = &made
	}
	return rec
}

// choiceForLater returns a choice of files without what the model was told, and what it said.
func choiceForLater(c *FileChoice) *FileChoice {
	if c == nil {
		return nil
	}
	later := *c
	later.Request, later.Warning = port.Request{Model: c.Request.Model, Only: c.Request.Only}, ""
	later.Answer.Text = ""
	return &later
}

// promptForLater returns a prompt without what the model was told.
func promptForLater(p Prompt) *Prompt {
	p.Request = port.Request{Model: p.Request.Model, Only: p.Request.Only}
	return &p
}

// WithoutQuotes returns a record without what only explains, in the answer, why a block did not fit and which files
// the model was shown. What was shown whole stays: it can still be committed.
func WithoutQuotes(rec Record) Record {
	if rec.Prompt != nil {
		p := *rec.Prompt
		p.Selection, p.CI = retrieve.Selection{Shown: p.Shown, ReadOnly: p.ReadOnly}, nil
		rec.Prompt = &p
	}
	rec.Applications = slices.Clone(rec.Applications)
	for i := range rec.Applications {
		rec.Applications[i].Results = withoutQuotes(rec.Applications[i].Results)
	}
	if rec.Committed != nil {
		made := *rec.Committed
		made.Results = withoutQuotes(made.Results)
		rec.Committed = &made
	}
	return rec
}

func withoutQuotes(results []Result) []Result {
	out := slices.Clone(results)
	for i := range out {
		r := &out[i]
		r.Nearest, r.Around, r.Sides, r.Want, r.Have = nil, nil, nil, "", ""
		if r.Status.Applied() && len(r.Problems) == 0 {
			r.Diff, r.Whole = "", ""
		}
	}
	return out
}

// OnlyCommit returns what is needed to revert the commit of a run, without its other steps; ok is false if the run made
// none.
func OnlyCommit(rec Record) (out Record, ok bool) {
	out = Record{ID: rec.ID, Started: rec.Started, Forgotten: true, Undo: rec.Undo, Final: rec.Final}
	if len(rec.backports()) > 0 {
		out.Backports = rec.Backports
		for _, p := range rec.Picks {
			last := p.Made[max(0, len(p.Made)-1):]
			out.Picks = append(out.Picks, Picked{Branch: p.Branch, Tip: p.Tip, Head: p.Head, Made: last, Changed: p.Changed})
		}
		return out, true
	}
	if _, ok = rec.Commit(); !ok {
		return Record{}, false
	}
	made := rec.Committed
	out.Committed = &Committed{Application: Application{Base: made.Base, Changed: made.Changed}, SHA: made.SHA,
		Subject: made.Subject}
	if rec.Target != nil {
		out.Target = &Target{Branch: rec.Target.Branch, SHA: rec.Target.SHA, Pull: rec.Target.Pull}
	}
	return out, true
}

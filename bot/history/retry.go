package history

import (
	"context"
	"errors"
	"slices"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on what a retry shows the model of the earlier edits.
const (
	maxFailedDiffs = 24_000 // bytes of all diffs
	maxFailedFiles = command.MaxOptionFiles
)

// Edits are the edits of an earlier run, by whether they were made.
type Edits struct {
	Made   []prompts.MadeEdit
	Failed []prompts.LostEdit
	// Unrepairable means that there are others, which would fail whatever the model says.
	Unrepairable bool
}

// EditsOf returns the edits of a run, but for those that later runs committed, by their numbers. If nothing was
// committed, none was made.
func EditsOf(rec record.Record, later ...int) Edits {
	var e Edits
	room := maxFailedDiffs
	_, committed := rec.Commit()
	for i, r := range rec.LastApplication().Results {
		if !slices.Contains(later, r.NumberAt(i)) {
			e.add(r.NumberAt(i), r, committed, &room)
		}
	}
	return e
}

// EditsLeft returns the edits of a run of the thread but for those that a later run committed.
func (t Thread) EditsLeft(ctx context.Context, rec record.Record) (Edits, error) {
	past, err := t.past(ctx, t.Event.Thread.Number)
	if err != nil {
		return Edits{}, err
	}
	var later []int
	for _, p := range past {
		if run, err := t.load(p); err == nil && run.Choice != nil && run.Choice.Run == rec.ID {
			later = append(later, committedNumbers(run.Record)...)
		}
	}
	return EditsOf(rec, later...), nil
}

// committedNumbers returns the numbers of the blocks that a run committed.
func committedNumbers(rec record.Record) (out []int) {
	if _, ok := rec.Commit(); !ok {
		return nil
	}
	for i, r := range rec.Committed.Results {
		if r.Status.Applied() {
			out = append(out, r.NumberAt(i))
		}
	}
	return out
}

func (e *Edits) add(number int, r record.Result, committed bool, room *int) {
	path := markdown.OneLine(markdown.Clip(r.Path, markdown.MaxCell))
	r = record.Masked(r) // an earlier version recorded it
	why := markdown.OneLine(markdown.Clip(r.Detail, conversation.MaxQuoted))
	switch reason := engine.Reason(r.Reason); {
	case reason == engine.AlreadyApplied, r.Status.Applied() && committed:
		e.Made = append(e.Made, prompts.MadeEdit{Number: number, Path: path, Line: r.Line})
		return
	case r.Status.Applied():
		why = "It fits, but nothing was committed"
	case reason == engine.NoChange:
		return
	case conversation.Unrepairable(reason):
		e.Unrepairable = true
		return
	}
	lost := prompts.LostEdit{Number: number, Path: path, Why: why}
	if engine.Reason(r.Reason) == engine.SyntaxError && len(r.Problems) > 0 {
		lost.Why = "It broke its file, so it was not applied"
		told := slices.ContainsFunc(e.Failed, func(o prompts.LostEdit) bool { return o.Path == path && o.Problems != nil })
		if !told { // the edits of a file have the same
			lost.Problems = problemsOf(r, room)
		}
	}
	if len(r.Diff) <= *room {
		lost.Diff = r.Diff
		*room -= len(r.Diff)
	}
	e.Failed = append(e.Failed, lost)
}

// problemsOf returns what was wrong with the file of a result after its edits, as far as there is room.
func problemsOf(r record.Result, room *int) (out []string) {
	for _, p := range r.Problems {
		if text := markdown.OneLine(p.String()); len(text) <= *room {
			out = append(out, text)
			*room -= len(text)
		}
	}
	return out
}

// Prompt returns what the prompt of a retry says about the edits.
func (e Edits) Prompt() *prompts.Retry { return &prompts.Retry{Made: e.Made, Failed: e.Failed} }

// Files returns the files of the edits that failed.
func (e Edits) Files() (out []retrieve.TaskFile) {
	for _, lost := range e.Failed {
		if f := (retrieve.TaskFile{Path: lost.Path}); len(out) < maxFailedFiles && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// ErrNothingToRetry is the error for a thread, or a named run, without anything to try again.
var ErrNothingToRetry = errors.New("nothing to try again")

// UnrepairableError is the error for a run whose failed edits would fail again, whatever the model says.
type UnrepairableError struct{ Run string }

func (e *UnrepairableError) Error() string { return "the edits of run " + e.Run + " would fail again" }

// Retry finds the newest run with edits that failed and that nobody has tried again since; or the newest run of all, if
// the model never answered it. An empty name means any run. It returns a *port.UserError if the record of the named run
// cannot be read, or what failed in the newest run is not stored any more. commandOf returns the command of an event.
func (t Thread) Retry(
	ctx context.Context, target record.Target, name string, commandOf func(port.Event) (command.Command, bool),
) (record.Retry, error) {
	past, err := t.past(ctx, t.numbers(target)...)
	if err != nil {
		return record.Retry{}, err
	}
	var done []string           // runs that were tried again, or have nothing left to try
	later := map[string][]int{} // by run, the numbers of its edits that a later run committed
	for _, p := range past {
		run, err := t.load(p)
		if err != nil {
			if p.ID == name {
				return record.Retry{}, Unreadable(name, err)
			}
			done = append(done, p.ID) // a run before it is not the newest
			continue
		}
		if run.Choice != nil {
			later[run.Choice.Run] = append(later[run.Choice.Run], committedNumbers(run.Record)...)
		}
		c, known := commandOf(p.Event)
		if known && c.Retryable && run.Forgotten && !slices.Contains(done, p.ID) && (name == "" || name == p.ID) &&
			len(EditsOf(run.Record, later[p.ID]...).Failed) > 0 {
			return record.Retry{}, sentence.RecordGone()
		}
		retry, edits := retryOf(run.Record, c, known, later[p.ID])
		switch {
		case retry.Run == "" || slices.Contains(done, p.ID) || name != "" && name != p.ID:
		case len(edits.Failed) > 0, retry.Whole && len(done) == 0:
			return retry, nil
		case edits.Unrepairable:
			return record.Retry{}, &UnrepairableError{p.ID}
		}
		if len(run.Applications) > 0 {
			done = append(done, p.ID)
			if run.Retry != nil {
				done = append(done, run.Retry.Run)
			}
		}
	}
	return record.Retry{}, ErrNothingToRetry
}

// retryOf returns what could be tried again of a run; the zero values if nothing could. later are the numbers of its
// edits that a later run committed.
func retryOf(rec record.Record, c command.Command, known bool, later []int) (record.Retry, Edits) {
	if !known || rec.Forgotten {
		return record.Retry{}, Edits{}
	}
	retry := record.Retry{Run: rec.ID, First: rec.ID, Whole: rec.Prompt != nil && len(rec.Turns) == 0}
	if rec.Choice != nil && rec.Choice.Run != "" {
		retry.First = rec.Choice.Run
	}
	if rec.Retry != nil && rec.Retry.First != "" {
		retry.First = rec.Retry.First
	}
	switch {
	case c.Retryable && rec.Retry != nil && retry.Whole: // what this run tried again is still to be tried
		return record.Retry{}, Edits{}
	case c.Retryable:
		return retry, EditsOf(rec, later...)
	case retry.Whole:
		return retry, Edits{}
	}
	return record.Retry{}, Edits{}
}

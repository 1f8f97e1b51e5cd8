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
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on what a retry says of the edits before, in bytes and files.
const (
	maxFailedDiffs = 24_000
	maxFailedFiles = command.MaxOptionFiles
)

// Edits are those of an earlier run, by whether they were made.
type Edits struct {
	made   []prompts.MadeEdit
	Failed []prompts.LostEdit
	// Hopeless reports whether there are others, which would fail whatever the model says.
	Hopeless bool
}

// EditsOf returns the edits of a run. If nothing was committed, none was made.
func EditsOf(rec record.Record) Edits {
	var e Edits
	room := maxFailedDiffs
	_, committed := rec.Commit()
	for i, r := range rec.LastApplication().Results {
		e.add(i+1, r, committed, &room)
	}
	return e
}

func (e *Edits) add(number int, r record.Result, committed bool, room *int) {
	path, why := markdown.OneLine(markdown.Clip(r.Path, markdown.MaxCell)), markdown.OneLine(markdown.Clip(r.Detail, conversation.MaxQuoted))
	switch reason := engine.Reason(r.Reason); {
	case reason == engine.AlreadyApplied, r.Status.Applied() && committed:
		e.made = append(e.made, prompts.MadeEdit{Number: number, Path: path, Line: r.Line})
		return
	case r.Status.Applied():
		why = "It fits, but nothing was committed"
	case reason == engine.NoChange:
		return
	case conversation.Unrepairable(reason):
		e.Hopeless = true
		return
	}
	l := prompts.LostEdit{Number: number, Path: path, Why: why}
	if len(r.Diff) <= *room {
		l.Diff = r.Diff
		*room -= len(r.Diff)
	}
	e.Failed = append(e.Failed, l)
}

// Prompt is what the model is told of them.
func (e Edits) Prompt() *prompts.Retry { return &prompts.Retry{Made: e.made, Failed: e.Failed} }

// Files are those of the edits that were not made.
func (e Edits) Files() (out []retrieve.TaskFile) {
	for _, l := range e.Failed {
		if f := (retrieve.TaskFile{Path: l.Path}); len(out) < maxFailedFiles && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// ErrNothingToRetry is the error for a thread, or a named run, without anything to try again.
var ErrNothingToRetry = errors.New("nothing to try again")

// HopelessError is the error for a run whose failed edits would fail again, whatever the model says.
type HopelessError struct{ Run string }

func (e *HopelessError) Error() string { return "the edits of run " + e.Run + " would fail again" }

// Retry finds the newest run with edits that were not made and that nobody has tried again since; or the newest of all
// if the model never answered it. An empty name means any run. commandOf returns the command of an event.
func (t Thread) Retry(ctx context.Context, target record.Target, name string, commandOf func(port.Event) (command.Command, bool)) (record.Retry, error) {
	past, err := t.ofBranch(ctx, target)
	if err != nil {
		return record.Retry{}, err
	}
	var done []string // runs that were tried again, or had nothing left
	for _, p := range past {
		c, ok := commandOf(p.Event)
		retry, edits := retryOf(p.Record, c, ok)
		switch {
		case retry.Run == "" || slices.Contains(done, p.ID) || name != "" && name != p.ID:
		case len(edits.Failed) > 0, retry.Whole && len(done) == 0:
			return retry, nil
		case edits.Hopeless:
			return record.Retry{}, &HopelessError{p.ID}
		}
		if len(p.Applications) > 0 {
			done = append(done, p.ID)
			if p.Retry != nil {
				done = append(done, p.Retry.Run)
			}
		}
	}
	return record.Retry{}, ErrNothingToRetry
}

// retryOf returns what could be tried again of a run of a command; nothing if the model cannot mend it.
func retryOf(rec record.Record, c command.Command, known bool) (record.Retry, Edits) {
	if !known {
		return record.Retry{}, Edits{}
	}
	retry := record.Retry{Run: rec.ID, First: rec.ID, Whole: rec.Prompt != nil && len(rec.Turns) == 0}
	if rec.Choice != nil && rec.Choice.Run != "" {
		retry.First = rec.Choice.Run
	}
	if rec.Retry != nil && rec.Retry.First != "" {
		retry.First = rec.Retry.First
	}
	if c.Retryable {
		if rec.Retry != nil && retry.Whole { // what it tried again is still to be tried
			return record.Retry{}, Edits{}
		}
		return retry, EditsOf(rec)
	}
	if !retry.Whole {
		return record.Retry{}, Edits{}
	}
	return retry, Edits{}
}

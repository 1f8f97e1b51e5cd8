package history

import (
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

// edits are those of an earlier run, by whether they stand.
type Edits struct {
	made   []prompts.MadeEdit
	Failed []prompts.LostEdit
	// hopeless says that there are others, which no words of the model would bring in.
	Hopeless bool
}

// editsOf reads what became of the edits of a run. Where nothing was committed, none stands.
func EditsOf(run port.Run) (Edits, error) {
	j := record.JournalOf(run)
	last, _, err := j.LastApplied()
	if err != nil {
		return Edits{}, err
	}
	made, _, err := record.Get[record.Committed](j, "commit")
	if err != nil {
		return Edits{}, err
	}
	var e Edits
	room := maxFailedDiffs
	for i, r := range last.Results {
		e.add(i+1, r, made.SHA != "", &room)
	}
	return e, nil
}

func (e *Edits) add(number int, r record.Result, committed bool, room *int) {
	path, why := markdown.OneLine(markdown.Clip(r.Path, markdown.MaxCell)), markdown.OneLine(markdown.Clip(r.Detail, conversation.MaxQuoted))
	switch reason := engine.Reason(r.Reason); {
	case reason == engine.AlreadyApplied, r.Status == engine.Applied.String() && committed:
		e.made = append(e.made, prompts.MadeEdit{Number: number, Path: path, Line: r.Line})
		return
	case r.Status == engine.Applied.String():
		why = "It fits, but nothing was committed"
	case reason == engine.NoChange:
		return
	case slices.Contains(conversation.Hopeless, reason):
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

// asked is what the model is told of them.
func (e Edits) Prompt() *prompts.Retry { return &prompts.Retry{Made: e.made, Failed: e.Failed} }

// files are those of the edits that were not made.
func (e Edits) Files() (out []retrieve.TaskFile) {
	for _, l := range e.Failed {
		if f := (retrieve.TaskFile{Path: l.Path}); len(out) < maxFailedFiles && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

package bot

import (
	"fmt"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// Replay is what the record of a run says, for people and for replays.
type Replay struct {
	// Calls are the questions to the model and its answers, in order.
	Calls []Call
	// Results are what became of the edits, after the last application; nil when the run did not get there.
	Results []Result
	// Commit is the SHA of the commit; empty when there is none.
	Commit string
	// Answer is the URL of the answer; empty when none was posted.
	Answer string
}

// Call is one question to the model, with the whole conversation before it, and the answer.
type Call struct {
	// Kind is what it was asked for: "fix", "blocks", "continue", "repair".
	Kind    string
	Request port.Request
	Answer  port.Answer
	// Fault is why there is no answer.
	Fault string
}

// Result is what became of an edit; the codes are the engine's.
type Result struct {
	Path, Status, Reason, Detail string
	Line                         int
}

// ReadReplay reads the steps of a run. The error says which step this program cannot read.
func ReadReplay(run port.Run) (Replay, error) {
	j := record.JournalOf(run)
	var r Replay
	q, _, err := record.Get[record.Prompt](j, "context")
	if err != nil {
		return r, err
	}
	var t conversation.Conversation
	for {
		next, ok, err := record.Get[record.Turn](j, t.NextStep())
		if err != nil {
			return r, err
		}
		if !ok {
			break
		}
		r.Calls = append(r.Calls, Call{Kind: string(next.Kind), Request: t.Request(q, next.Ask), Answer: next.Answer, Fault: next.Fault})
		t.Turns = append(t.Turns, next)
	}
	return r, r.readEnd(j)
}

func (r *Replay) readEnd(j *record.Journal) error {
	last, tries, err := j.LastApplied()
	if err != nil {
		return err
	}
	for _, row := range last.Results {
		r.Results = append(r.Results, Result{row.Path, row.Status, row.Reason, row.Detail, row.Line})
	}
	if tries == 0 {
		return nil
	}
	made, _, err := record.Get[record.Committed](j, "commit")
	if err != nil {
		return err
	}
	answer, _, err := record.Get[record.AnswerComment](j, "report")
	if err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	r.Commit, r.Answer = made.SHA, answer.URL
	return nil
}

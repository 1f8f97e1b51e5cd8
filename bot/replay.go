package bot

import (
	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// Replay is a run as its record tells it, for people and for recordings.
type Replay struct {
	// Calls are the calls of the model, in order.
	Calls []Call
	// Results are those of the edits at their last application; nil if the run did not get that far.
	Results []Result
	// Commit is the SHA of the commit, empty if there is none.
	Commit string
	// Answer is the URL of the answer to edits, empty if none was posted.
	Answer string
	// Forgotten means that the questions, the answers and all lines of files were deleted, by the server's retention.
	Forgotten bool
}

// Call is one question to the model, with the whole conversation before it, and the answer.
type Call struct {
	// Kind is what the call was made for: "fix", "blocks", "continue", "repair", …
	Kind    string
	Request port.Request
	Answer  port.Answer
	// Fault is why there is no answer.
	Fault string
	// Given says what the model was given for each thing that it had asked for; nil in runs of older versions, and in
	// other calls.
	Given []Given
}

// Given says what the model was given for an ask: its text, such as "NEED: server/start.go:12-40", and the result.
type Given struct {
	Ask string
	// Lines are the lines that were shown, each as "path:from-to". Names counts the names that were listed, Hits the lines
	// with a text that were shown, of All.
	Lines            []string
	Names, Hits, All int
	// Why is why not all of it was given; empty if it was.
	Why string
}

// Result is the result of an edit; status and reason are the engine's.
type Result struct {
	Path, Status, Reason, Detail string
	Line                         int
}

// ReadReplay reads the record of a run. It returns a *record.UnreadableError if this program cannot.
func ReadReplay(stored port.Run) (Replay, error) {
	rec, err := record.Load(stored)
	if err != nil {
		return Replay{}, err
	}
	r := Replay{Forgotten: rec.Forgotten}
	var c conversation.Conversation
	if choice := rec.FileChoice; choice != nil && choice.Asked {
		call := choice.Call()
		r.Calls = append(r.Calls, Call{
			Kind: string(call.Kind), Request: choice.Request, Answer: call.Answer, Fault: call.Fault,
		})
	}
	for _, turn := range rec.Turns {
		request := c.Request(promptOf(rec), turn.Ask)
		r.Calls = append(r.Calls, Call{
			Kind: string(turn.Kind), Request: request, Answer: turn.Answer, Fault: turn.Fault, Given: givenIn(turn),
		})
		c.Turns = append(c.Turns, turn)
	}
	for _, res := range rec.LastApplication().Results {
		r.Results = append(r.Results, Result{res.Path, string(res.Status), res.Reason, res.Detail, res.Line})
	}
	if len(rec.Applications) > 0 && rec.Committed != nil {
		r.Commit = rec.Committed.SHA
	}
	if len(rec.Applications) > 0 && rec.Final != nil {
		r.Answer = rec.Final.URL
	}
	return r, nil
}

// givenIn returns what the model was given in a turn.
func givenIn(turn record.Turn) (out []Given) {
	for _, g := range turn.Given {
		given := Given{Ask: g.Ask, Names: g.Names, Hits: g.Hits, All: g.All, Why: g.Why}
		for _, f := range g.Lines {
			given.Lines = append(given.Lines, f.String())
		}
		out = append(out, given)
	}
	return out
}

func promptOf(rec record.Record) record.Prompt {
	if rec.Prompt == nil {
		return record.Prompt{}
	}
	return *rec.Prompt
}

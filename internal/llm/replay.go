package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sync"

	"github.com/tenon-bot/tenon/bot/port"
)

// Exchange is one request to a model and its answer.
type Exchange struct {
	Request port.Request `json:"request"`
	Answer  port.Answer  `json:"answer"`
}

// Replay is a model that gives recorded answers again. A recorded request gets its own answer, as often as it was
// recorded. Any other gets the next unused answer, because prompts change from version to version, and the answers can
// be shown nevertheless. Safe for concurrent use.
type Replay struct {
	mu         sync.Mutex
	left       []Exchange
	mismatches int
}

// NewReplay returns a model that gives the answers of these exchanges.
func NewReplay(exchanges []Exchange) *Replay {
	return &Replay{left: slices.Clone(exchanges)}
}

// ReadExchanges reads a recording: JSON objects of the form of Exchange, one after another.
func ReadExchanges(in io.Reader) ([]Exchange, error) {
	var list []Exchange
	for dec := json.NewDecoder(in); ; {
		var e Exchange
		switch err := dec.Decode(&e); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("reading recorded exchange %d: %w", len(list)+1, err)
		}
		list = append(list, e)
	}
}

// errRecordEnded is the error for a request without an unused answer.
var errRecordEnded = &port.UserError{
	Text: "This model replays recorded answers, and there are none left.",
}

// Complete implements port.Model.
func (r *Replay) Complete(ctx context.Context, req port.Request, onText func(string)) (port.Answer, error) {
	if err := ctx.Err(); err != nil {
		return port.Answer{}, err
	}
	answer, err := r.next(req)
	if err == nil && onText != nil && answer.Text != "" {
		onText(answer.Text)
	}
	return answer, err
}

// Mismatches returns the number of requests so far that were not recorded.
func (r *Replay) Mismatches() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mismatches
}

func (r *Replay) next(req port.Request) (port.Answer, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.left) == 0 {
		return port.Answer{}, errRecordEnded
	}
	i := slices.IndexFunc(r.left, func(e Exchange) bool { return reflect.DeepEqual(e.Request, req) })
	if i < 0 {
		i, r.mismatches = 0, r.mismatches+1
	}
	answer := r.left[i].Answer
	r.left = slices.Delete(r.left, i, i+1)
	return answer, nil
}

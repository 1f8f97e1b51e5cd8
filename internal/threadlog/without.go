package threadlog

import (
	"context"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// Without is the queue of one event where nothing is known of earlier runs. It implements port.ThreadQueue: commands
// about earlier runs are refused.
type Without struct{ port.ThreadQueue }

// Past implements port.ThreadQueue. It returns a *port.UserError.
func (Without) Past(context.Context, port.Event, int) ([]port.PastRun, error) {
	return nil, sentence.NoHistory()
}

// FindRun implements port.ThreadQueue. It returns a *port.UserError.
func (Without) FindRun(context.Context, string) (port.Run, port.Event, error) {
	return port.Run{}, port.Event{}, sentence.NoHistory()
}

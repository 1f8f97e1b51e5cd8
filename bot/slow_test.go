package bot_test

import (
	"context"
	"time"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// slowModel takes a time for each piece that it writes.
type slowModel struct {
	*bottest.Model
	pause time.Duration
}

func (m slowModel) Complete(ctx context.Context, r port.Request, onText func(string)) (port.Answer, error) {
	return m.Model.Complete(ctx, r, func(piece string) {
		time.Sleep(m.pause)
		onText(piece)
	})
}

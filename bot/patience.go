package bot

import (
	"context"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// maxAsk is how long a command may wait for the model, all calls together.
const maxAsk = 20 * time.Minute

// patience is the time that is left for a model. It does not pass between calls, nor while a call waits for those of
// others, which is not the model's fault.
type patience struct {
	most, left time.Duration

	since time.Time
	timer *time.Timer
}

// newPatience returns a patience of so long.
func newPatience(most time.Duration) *patience { return &patience{most: most, left: most} }

// begin returns the context for a call, which ends when the time is over. The time stops when end is called. queued is
// told when the call begins to wait for those of others, and when that is over.
func (p *patience) begin(ctx context.Context, queued func(bool)) (asking context.Context, end func()) {
	asking, cancel := context.WithCancelCause(ctx)
	over := func() { cancel(sentence.ModelTooSlow(int(p.most.Minutes()))) }
	p.run(over)
	asking = port.WithBusy(asking, func() (begins func()) {
		p.stop()
		queued(true)
		return func() {
			queued(false)
			p.run(over)
		}
	})
	return asking, func() { p.stop(); cancel(nil) }
}

func (p *patience) run(over func()) { p.since, p.timer = time.Now(), time.AfterFunc(p.left, over) }

func (p *patience) stop() {
	p.timer.Stop()
	p.left -= time.Since(p.since)
}

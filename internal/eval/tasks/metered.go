package tasks

import (
	"context"
	"sync"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/eval/scores"
)

// metered counts what a model takes. Safe for concurrent use.
type metered struct {
	model port.Model

	mu        sync.Mutex
	calls     int
	usage     port.Usage
	estimated bool
	replies   []string
	err       error // of the last call
}

// Complete implements port.Model.
func (m *metered) Complete(ctx context.Context, req port.Request, onText func(string)) (port.Answer, error) {
	answer, err := m.model.Complete(ctx, req, onText)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	m.err = err
	if err != nil {
		return answer, err
	}
	m.replies = append(m.replies, answer.Text)
	usage := answer.Usage
	if usage.In+usage.Out == 0 {
		usage = port.Usage{In: int(req.Tokens()), Out: len(answer.Text) / port.BytesPerToken}
		m.estimated = true
	}
	m.usage.In, m.usage.Cached, m.usage.Out = m.usage.In+usage.In, m.usage.Cached+usage.Cached, m.usage.Out+usage.Out
	return answer, nil
}

// failed returns why the last call has no answer; nil if it has.
func (m *metered) failed() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.err
}

func (m *metered) sum(out *scores.Result, price port.Price) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out.Calls, out.In, out.Cached, out.Out = m.calls, m.usage.In, m.usage.Cached, m.usage.Out
	out.Estimated = m.estimated
	if price != (port.Price{}) {
		cost := price.Of(m.usage)
		out.Cost = &cost
	}
}

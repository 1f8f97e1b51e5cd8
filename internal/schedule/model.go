package schedule

import (
	"context"

	"github.com/tenon-bot/tenon/bot/port"
)

// Model returns a model that has at most so many calls at a time, 0 for any number: others wait for their turn. A call
// uses no slot of its run. Without a schedule, it returns the model.
func (s *Schedule) Model(name string, most int, next port.Model) port.Model {
	if s == nil {
		return next
	}
	m := &model{name: name, calls: newSemaphore(most), next: next}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = append(s.models, m)
	return m
}

type model struct {
	name  string
	calls *semaphore
	next  port.Model
}

// Complete implements port.Model.
func (m *model) Complete(ctx context.Context, req port.Request, onText func(string)) (answer port.Answer, err error) {
	port.Waiting(ctx, func() { answer, err = m.complete(ctx, req, onText) })
	return answer, err
}

func (m *model) complete(ctx context.Context, req port.Request, onText func(string)) (port.Answer, error) {
	var installation int64
	if s, ok := port.SlotOf(ctx).(*slot); ok {
		installation = s.installation
	}
	turn := m.calls.take(installation)
	select {
	case <-turn.has:
	default:
		begins := port.Busy(ctx)
		err := m.calls.wait(ctx, turn)
		begins()
		if err != nil {
			return port.Answer{}, err
		}
	}
	defer m.calls.release(turn)
	return m.next.Complete(ctx, req, onText)
}

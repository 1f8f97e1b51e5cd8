package schedule

import (
	"context"

	"github.com/tenon-bot/tenon/bot/port"
)

// Model returns a model of which at most so many calls are under way, 0 for any number: the others wait in a line.
// A call uses no slot of its run. Without a schedule, it returns the model.
func (s *Schedule) Model(name string, most int, next port.Model) port.Model {
	if s == nil {
		return next
	}
	m := &model{name: name, line: newLine(most), next: next}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = append(s.models, m)
	return m
}

type model struct {
	name string
	line *line
	next port.Model
}

// Complete implements port.Model.
func (m *model) Complete(ctx context.Context, req port.Request, onText func(string)) (answer port.Answer, err error) {
	port.Away(ctx, func() { answer, err = m.complete(ctx, req, onText) })
	return answer, err
}

func (m *model) complete(ctx context.Context, req port.Request, onText func(string)) (port.Answer, error) {
	var installation int64
	if p, ok := port.SlotOf(ctx).(*slot); ok {
		installation = p.installation
	}
	if !m.line.tryEnter(installation) {
		turn := port.StandInLine(ctx)
		err := m.line.enter(ctx, installation)
		turn()
		if err != nil {
			return port.Answer{}, err
		}
	}
	defer m.line.leave(installation)
	return m.next.Complete(ctx, req, onText)
}

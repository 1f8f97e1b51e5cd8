package bot

import (
	"context"
	"encoding/json"
	"fmt"
)

// step returns what a former attempt recorded under name; else it does the work and records its outcome, before anything
// that follows may begin.
func step[T any](ctx context.Context, s *session, name string, do func() (T, error)) (T, error) {
	out, ok, err := recorded[T](s, name)
	if ok || err != nil {
		return out, err
	}
	out, err = do()
	if err != nil {
		return out, err
	}
	return out, record(ctx, s, name, out)
}

func recorded[T any](s *session, name string) (out T, ok bool, err error) {
	s.steps.Lock()
	data, ok := s.run.Steps[name]
	s.steps.Unlock()
	if !ok {
		return out, false, nil
	}
	if err := json.Unmarshal(data, &out); err != nil {
		return out, false, fmt.Errorf("reading step %s of run %s: %w", name, s.run.ID, err)
	}
	return out, true, nil
}

func record[T any](ctx context.Context, s *session, name string, out T) error {
	data, err := json.Marshal(out)
	if err != nil {
		return fmt.Errorf("recording step %s: %w", name, err)
	}
	if err := s.Runs.Record(ctx, s.ev, s.run.ID, name, data); err != nil {
		return fmt.Errorf("recording step %s: %w", name, err)
	}
	s.steps.Lock()
	defer s.steps.Unlock()
	if s.run.Steps == nil {
		s.run.Steps = map[string][]byte{}
	}
	s.run.Steps[name] = data
	return nil
}

package offline

import (
	"context"
	"sync"

	"github.com/tenon-bot/tenon/engine"
)

// shared is a source for several checkouts at once. Safe for concurrent use.
type shared struct {
	mu     sync.Mutex
	source Source
}

var _ Source = (*shared)(nil)

// Share returns a source for several checkouts at once, which is safe for concurrent use.
func Share(s Source) Source { return &shared{source: s} }

// SHA implements Source, as all methods do.
func (s *shared) SHA() string { return s.source.SHA() }

// Tree implements Source.
func (s *shared) Tree() string { return s.source.Tree() }

// Kind implements Source.
func (s *shared) Kind(name string) (engine.Kind, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source.Kind(name)
}

// Files implements Source.
func (s *shared) Files() ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source.Files()
}

// ReadFile implements Source.
func (s *shared) ReadFile(name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source.ReadFile(name)
}

// Load implements Source.
func (s *shared) Load(ctx context.Context, names ...string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source.Load(ctx, names...)
}

// LoadSome implements Source.
func (s *shared) LoadSome(ctx context.Context, bytes int64, names ...string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source.LoadSome(ctx, bytes, names...)
}

// Blob implements Source.
func (s *shared) Blob(name string) (id string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source.Blob(name)
}

// Executable implements Source.
func (s *shared) Executable(name string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source.Executable(name)
}

// Links implements Source.
func (s *shared) Links(folder string) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source.Links(folder)
}

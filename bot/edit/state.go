package edit

import (
	"bytes"

	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
)

// fileState is what a checkout has at a path. Content and mode are those of a regular file.
type fileState struct {
	kind       engine.Kind
	data       []byte
	executable bool
}

func (s fileState) equal(o fileState) bool {
	return s.kind == o.kind && s.executable == o.executable && bytes.Equal(s.data, o.data)
}

func (s fileState) isFile() bool { return s.kind == engine.File }

// readState reads a path. What is below a file or a link is absent.
func readState(c repo.Checkout, path string) (s fileState, err error) {
	if s.kind, err = c.Kind(path); err != nil || !s.isFile() {
		return s, err
	}
	if s.data, err = c.ReadFile(path); err != nil {
		return s, err
	}
	s.executable, err = c.Executable(path)
	return s, err
}

func writeState(c repo.Checkout, path string, s fileState) error {
	if !s.isFile() {
		return c.Remove(path)
	}
	if err := c.WriteFile(path, s.data); err != nil {
		return err
	}
	return c.SetExecutable(path, s.executable)
}

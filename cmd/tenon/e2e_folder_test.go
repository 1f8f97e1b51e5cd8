package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What keeps a server from starting is one sentence that says what to do.
func TestADataFolderThatCannotBeUsedIsToldInOneSentence(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		arrange func(t *testing.T, s *stage)
		want    string
	}{
		"another server uses it": {func(_ *testing.T, s *stage) { s.start() }, "in use by another tenon (process "},
		"the database is damaged": {func(t *testing.T, s *stage) {
			s.start()
			s.comment("maria", "/tenon help")
			s.until("the help", func() bool { return len(s.answers()) == 1 })
			s.stop()
			file := filepath.Join(s.data, "tenon.db")
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(file, append(data[:100:100], make([]byte, len(data)-100)...), 0o600))
		}, "is damaged: restore it from a backup"},
		"it is a file": {func(t *testing.T, s *stage) {
			s.data = filepath.Join(s.data, "file")
			require.NoError(t, os.WriteFile(s.data, nil, 0o600))
		}, "cannot be written: make it a folder of the user that runs tenon, or name another"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, goodReply)
			c.arrange(t, s)
			log, err := s.serveOnce()
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "\n")
			for line := range strings.Lines(log) {
				require.True(t, strings.Contains(line, `"level":"WARN"`) || strings.Contains(line, `"msg":"starting"`), line)
			}
		})
	}
}

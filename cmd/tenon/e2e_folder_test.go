package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What keeps a server from starting is one sentence that says what to do, and exit code 2.
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
			require.NoError(t, s.server.Process.Signal(os.Interrupt))
			<-s.ended
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
			second := s.serve()
			var said strings.Builder
			second.Stderr = &said
			require.Error(t, second.Run())
			require.Equal(t, exitUsage, second.ProcessState.ExitCode(), said.String())
			require.Contains(t, said.String(), c.want)
			var sentences []string
			for line := range strings.Lines(said.String()) {
				if !strings.Contains(line, `"level":"WARN"`) && !strings.Contains(line, `"msg":"starting"`) {
					sentences = append(sentences, line)
				}
			}
			require.Len(t, sentences, 1)
		})
	}
}

package bot_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestACommandThroughAnAppIsABotsUnlessTheSettingsNameTheApp(t *testing.T) {
	t.Parallel()
	for settings, counts := range map[string]bool{
		"":                          false,
		"apps: []\n":                false,
		"apps: [other]\n":           false,
		"apps: [scribe]\n":          true,
		"apps: [other, SCRIBE]\n":   true,
		"apps: [scribe\n":           false, // cannot be read
		"apps: [not a name]\n":      false,
		"verbs: [fix, ask, help]\n": false,
	} {
		t.Run(settings, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, goodbye)
			s.settings(settings)
			for _, text := range []string{"/tenon fix `main.go`", "/tenon help", "/tenon nonsense"} {
				c := s.pull.CommentVia("maria", "scribe", text)
				s.NotifyQueued()
				s.Run()
				require.Equal(t, counts, len(reactions(c)) > 0, text)
			}
			require.Equal(t, counts, len(s.pull.Answers()) > 0)
			if !counts {
				require.Empty(t, s.Calls("Permission"), "no more is asked than the settings")
			}
		})
	}
}

func commandsThroughApps(t *testing.T, s *story) {
	other := s.pull.CommentVia("maria", "other", "/tenon fix `main.go`")
	s.Run()
	require.Empty(t, reactions(other))
	named := s.pull.CommentVia("maria", "scribe", "/tenon fix `main.go`")
	s.Run()
	require.Contains(t, reactions(named), "rocket")
}

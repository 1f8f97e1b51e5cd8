package bot_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The webhook looks at bytes alone, and leaves it to a worker to see that a command is in code.
func TestWhatOnlyLooksLikeACommandEndsWithoutAWord(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	for _, body := range []string{
		"```\n/tenon fix it\n```", "<!--\n/tenon status\n-->", "    @tenon fix it", "<pre>\n/tenon help\n</pre>",
	} {
		before, accepted := len(s.Calls("")), len(s.Accepted())
		c := s.pull.Comment("maria", body)
		require.Len(t, s.Accepted(), accepted+1, body)
		require.NoError(t, s.bot.Acknowledge(t.Context(), s.LastEvent()))
		told, err := s.bot.NotifyQueued(t.Context(), s.LastEvent(), s.LastEvent())
		require.NoError(t, err)
		require.False(t, told)
		s.Run()
		for _, call := range s.Calls("")[before:] {
			require.Contains(t, []string{"Complete"}, call.Op, body)
		}
		require.Empty(t, reactions(c))
	}
	require.Empty(t, s.pull.Answers())
}

// It is no reason to tell somebody else that they wait.
func TestACommandBehindWhatOnlyLooksLikeOneGetsNoNotice(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.pull.Comment("maria", "```\n/tenon fix it\n```")
	code := s.LastEvent()
	c := s.pull.Comment("maria", "/tenon fix `main.go`")
	told, err := s.bot.NotifyQueued(t.Context(), s.LastEvent(), code)
	require.NoError(t, err)
	require.False(t, told)
	require.Empty(t, reactions(c))
	require.Empty(t, s.pull.Answers())
	s.Run()
	require.Len(t, s.pull.Answers(), 1)
}

package bot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// plainForge is a forge that lacks all that a forge may lack.
type plainForge struct{ port.GitHub }

func (plainForge) Has(port.Feature) bool { return false }

// Where there are no reactions, checks, suggestions and verified commits, nobody asks for any; the rest is as it is.
func TestAForgeIsNotAskedForWhatItLacks(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, threeEdits, forkReply)
	s.bot.GitHub = plainForge{s.GitHub}
	fixed := s.say("/tenon fix `main.go`")
	require.Contains(t, fixed.answer, " · 1 edit committed")
	require.NotContains(t, fixed.answer, "/checks")
	require.Len(t, s.Commits("speed"), 1)
	s.tick("maria", s.preview(previewThree), 2)
	require.Len(t, s.Commits("speed"), 2)
	s.say("/tenon undo")
	require.Len(t, s.Commits("speed"), 3)

	s.fromFork("stranger")
	s.pull.RefuseEdits()
	offered := s.say("/tenon fix `theirs.txt`")
	require.Contains(t, offered.answer, "-two\n+2\n", "the patch")
	require.NotContains(t, offered.answer, "uggestion")
	for _, op := range []string{"React", "CreateCheck", "UpdateCheck", "Suggest", "Upload"} {
		require.Empty(t, s.Calls(op), op)
	}
	require.Empty(t, s.Queue.DeadLetters())
}

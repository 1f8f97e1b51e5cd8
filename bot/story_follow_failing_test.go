package bot_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// Looks that fail are nobody's dead letter, and the next report is looked at.
func TestLooksThatFailLeaveTheLineToTheNextReport(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	got := s.fixed()
	s.Before("CommitChecks").Times(3).Fail(errors.New("GitHub answered 422"))
	s.ci().Fails("test", "FAIL\n")
	s.Run()
	require.Equal(t, lastLine(got.answer), s.lineOf(got))
	require.Empty(t, s.Queue.DeadLetters())
	require.Len(t, s.pull.Said(), 1, "nobody is told")
	s.ci().Check("ci-of-another-app", "lint", "success", "")
	s.Run()
	require.Contains(t, s.lineOf(got), "CI failed")
}

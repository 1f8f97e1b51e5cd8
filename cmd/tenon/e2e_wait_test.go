package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The quota of the model is used up: the run sleeps, says so, survives a restart, and goes on by itself.
func TestARunSleepsUntilTheQuotaIsBack(t *testing.T) {
	t.Parallel()
	s := newStage(t, quotaMark, goodReply)
	s.start()
	id := s.comment("maria", "/tenon fix `main.go`")
	s.said("⏳ **Waiting**: the quota of the model is used up.")
	s.until("the run sleeps", func() bool { return strings.Contains(s.log.all(), "an event waits") })
	s.stop()
	s.start()
	require.Equal(t, []string{"eyes", "rocket"}, s.settled(id))
	require.Len(t, s.answers(), 1)
	require.Contains(t, s.answers()[0], " · 1 edit committed")
	require.Len(t, s.model.questions(), 2)
}

// The stream of the model breaks off again and again: the run sleeps as while the model answers with errors, and there
// is one commit and one answer.
func TestARunSleepsWhileTheStreamOfTheModelBreaksOff(t *testing.T) {
	t.Parallel()
	torn := "I look." + breakMark
	s := newStage(t, torn, torn, torn, torn, goodReply)
	s.start()
	id := s.comment("maria", "/tenon fix `main.go`")
	s.said("⏳ **Waiting**: the model is not answering.")
	require.Equal(t, []string{"eyes", "rocket"}, s.settled(id))
	require.Len(t, s.answers(), 1)
	require.Contains(t, s.answers()[0], " · 1 edit committed")
	require.NotContains(t, s.answers()[0], "limit")
	require.Len(t, s.model.questions(), 5)
	require.Equal(t, s.model.questions()[3], s.model.questions()[4], "the last part is asked for again")
}

// TENON_PATIENCE ends a wait, and people are told.
func TestPatienceIsASetting(t *testing.T) {
	t.Parallel()
	s := newStage(t, quotaMark)
	s.env = append(s.env, "TENON_PATIENCE=1s")
	s.start()
	id := s.comment("maria", "/tenon fix `main.go`")
	require.Equal(t, []string{"eyes", "confused"}, s.settled(id))
	require.Len(t, s.answers(), 1)
	require.Contains(t, s.answers()[0], "The quota of the model was used up for as long as tenon waited")
}

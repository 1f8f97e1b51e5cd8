package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestABudgetThatIsUsedUpIsToldAndCostsNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.env = []string{"TENON_BUDGET_USER_COMMANDS=1"}
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	require.Contains(t, s.answers()[0], "over 90% of your commands today used")
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `greet.go`")), "confused")
	require.Contains(t, s.answers()[1],
		"The budget for your commands today is used up (1), so the model was not asked. It resets on ")
	require.Len(t, s.model.questions(), 1)
	s.comment("maria", "/tenon help")
	s.until("the help, which costs nothing", func() bool { return len(s.answers()) == 3 })
}

func TestARepairBeyondTheBudgetEndsWithWhatThereIs(t *testing.T) {
	t.Parallel()
	s := newStage(t, edit("main.go", helloLine, byeLine)+edit("greet.go", badGreet, betterGreet))
	s.env = []string{"TENON_BUDGET_REPOSITORY_TOKENS=16000"}
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go` and `greet.go`")), "rocket")
	require.Len(t, s.model.questions(), 1)
	require.Contains(t, s.answers()[0], " · 1 of 2 edits committed")
	require.Contains(t, s.answers()[0],
		"The model could not be asked again. The budget for this repository's tokens today is used up (16000)")
	require.Contains(t, s.file("main.go"), "goodbye")
}

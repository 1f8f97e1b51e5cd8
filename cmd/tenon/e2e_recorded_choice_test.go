package main

import (
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/testdata"
)

func recordChoice(s *stage) {
	_, err := s.github.Push(s.repo, "main", testdata.Machine(), "Build a machine\n")
	require.NoError(s.t, err)
	s.settings("main", "budget: {repository: {commands: 3}}\n")
	s.model.script(
		"NEED: "+testdata.MachinePart(31)+"\nNEED: "+testdata.MachinePart(17)+" Speed17\n", testdata.SlowPart(31),
		"I would look at the parts.", "The belt.",
		noMark, "It is the belt.",
	)
	s.start()
	number, err := s.github.OpenIssue("maria", s.repo, "The lathe", "The belt turns the spindle too fast.")
	require.NoError(s.t, err)
	require.Equal(s.t, "rocket", s.sayIn(number, "/tenon fix").verdict)
	for _, answer := range []string{"The belt.", "It is the belt."} {
		s.commentIn(number, "/tenon ask what turns the spindle?")
		s.until(answer, func() bool { return strings.Contains(strings.Join(s.answersIn(number), "\n"), answer) })
	}
}

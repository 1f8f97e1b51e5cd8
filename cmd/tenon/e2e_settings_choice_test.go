package main

import (
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/testdata"
)

// tooFast has a command on an issue committed that names no file of testdata.Machine. The issue tells whose it is.
func (s *stage) tooFast(setting string) {
	s.t.Helper()
	text := "The belt turns the spindle too fast. Setting: " + setting
	number, err := s.github.OpenIssue("maria", s.repo, "The lathe", text)
	require.NoError(s.t, err)
	require.Contains(s.t, s.settled(s.commentIn(number, "/tenon fix")), "rocket")
}

// retrievalEffect and chooseModelEffect show the effects of the settings of how files are chosen.
var retrievalEffect = settingEffect{
	name:       "retrieval",
	repository: "retrieval: rank\n", files: testdata.Machine(), replies: []string{testdata.SlowPart(2)},
	shown: func(s *stage, asked *askedModels) {
		s.tooFast("retrieval")
		text := asked.of("retrieval")[0].text
		require.NotContains(s.t, text, "files to choose from>>")
		require.NotEmpty(s.t, testdata.MachinePartsIn(text))
	},
}

var chooseModelEffect = settingEffect{
	name:       "choose_model",
	repository: "choose_model: slow\n", files: testdata.Machine(),
	replies: []string{"NEED: " + testdata.MachinePart(31), testdata.SlowPart(31)},
	shown: func(s *stage, asked *askedModels) {
		s.tooFast("choose_model")
		all := asked.of("choose_model")
		require.Len(s.t, all, 2)
		require.Equal(s.t, "model-slow", all[0].model)
		require.Contains(s.t, all[0].text, "files to choose from>>")
		require.Equal(s.t, "model-fast", all[1].model)
		require.Contains(s.t, testdata.MachinePartsIn(all[1].text), testdata.MachinePart(31))
	},
}

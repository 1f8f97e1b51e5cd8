package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/testdata"
)

func TestFixHasTheModelChooseFilesOfTheWorkTree(t *testing.T) {
	dir, m := asking(t, testdata.Machine(), "NEED: "+testdata.MachinePart(31), testdata.SlowPart(31))
	code, out, errOut := tenon(t, "", "fix", "the belt turns the spindle too fast")
	require.Equal(t, exitOK, code, errOut)
	require.Contains(t, out, "Applied 1, failed 0, skipped 0 of 1 edit")
	require.Contains(t, fileText(t, filepath.Join(dir, testdata.MachinePart(31))), "const Speed31 = 0")
	require.Len(t, m.asked, 2)
	require.Contains(t, m.asked[0], "files to choose from>>")
	require.Contains(t, testdata.MachinePartsIn(m.asked[1]), testdata.MachinePart(31))
}

func TestAskWorksIfTheModelChoosesNothing(t *testing.T) {
	_, m := asking(t, testdata.Machine(), "The belt is everywhere.", "It is the belt.")
	code, out, errOut := tenon(t, "", "ask", "what turns the spindle?")
	require.Equal(t, exitOK, code, errOut)
	require.Contains(t, out, "It is the belt.")
	require.NotContains(t, out, "everywhere", "a choice is no answer")
	require.Len(t, m.asked, 2)
}

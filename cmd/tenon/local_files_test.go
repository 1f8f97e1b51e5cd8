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

// partnerReply names a host that no file has.
const partnerReply = "main.go\n<<<<<<< SEARCH\n\tprintln(\"hello\")\n=======\n" +
	"\tprintln(\"https://api.partner.io\")\n>>>>>>> REPLACE\n"

func TestFixSaysWhatDeservesALook(t *testing.T) {
	asking(t, map[string]string{"main.go": helloGo}, partnerReply)
	code, out, errOut := tenon(t, "", "fix", "tell the partner", "main.go")
	require.Equal(t, exitOK, code, errOut)
	require.Contains(t, out, "caution: new host: api.partner.io in main.go\n")
}

func TestFixWritesNothingThatTheSettingsHold(t *testing.T) {
	dir, _ := asking(t, map[string]string{"main.go": helloGo, ".github/tenon.yml": "caution: hold\n"}, partnerReply)
	code, _, errOut := tenon(t, "", "fix", "tell the partner", "main.go")
	require.NotEqual(t, exitOK, code)
	require.Contains(t, errOut, "nothing was written, because caution: hold in the settings leaves such edits to a "+
		"person; give the command again with --preview to choose. caution: new host: api.partner.io in main.go")
	require.Equal(t, helloGo, fileText(t, filepath.Join(dir, "main.go")))
}

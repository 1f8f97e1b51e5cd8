package replies

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

// edit is a block that replaces a line of a file, or makes a file if there is no line to find.
func edit(path, find, put string) string {
	if find != "" {
		find += "\n"
	}
	return path + "\n<<<<<<< SEARCH\n" + find + "=======\n" + put + "\n>>>>>>> REPLACE\n\n"
}

// try returns the trial of a case with the expected files as JSON.
func try(t *testing.T, files map[string]string, reply, expect string) Trial {
	t.Helper()
	c := Case{ID: "1", Files: files, Reply: reply}
	require.NoError(t, json.Unmarshal([]byte(expect), &c.Expect))
	trial, err := Try(c, engine.Options{})
	require.NoError(t, err)
	return trial
}

var someFiles = map[string]string{
	"a": "one\ntwo\nthree\nfour\nfive\n",
	"b": "six\n",
	"c": "same\nfirst\nsame\nsecond\nsame\n",
}

func TestACaseIsClassedByWhatBecameOfItsFiles(t *testing.T) {
	t.Parallel()
	two := edit("a", "two", "2")
	both, half := two+edit("a", "four", "4"), two+edit("a", "forty", "4")
	for name, c := range map[string]struct {
		reply, expect string
		class         Class
		reason        string
		partial       bool
	}{
		"all edits are made":      {both, `{"a": "one\n2\nthree\n4\nfive\n"}`, Equal, "", false},
		"lines end otherwise":     {both, `{"a": "one\r\n2\nthree\n4\nfive"}`, LineEnds, "", false},
		"a blank line at the end": {both, `{"a": "one\n2\nthree\n4\nfive\n\n"}`, Other, "", false},
		"a block does not match":  {edit("b", "2", "3"), `{"b": "3\n"}`, Refused, "not-found", false},
		"the second block does not match": {
			half, `{"a": "one\n2\nthree\n4\nfive\n"}`, Refused, "not-found", true,
		},
		"the second block does not match, and the first is wrong": {
			half, `{"a": "one\ntwo\nthree\n4\nfive\n"}`, Other, "not-found", false,
		},
		"one of two files is edited": {
			two + edit("b", "7", "8"), `{"a": "one\n2\nthree\nfour\nfive\n", "b": "8\n"}`, Refused, "not-found", true,
		},
		"one of two files is edited, and its lines end otherwise": {
			two + edit("b", "7", "8"), `{"a": "one\n2\nthree\nfour\nfive", "b": "8\n"}`, Refused, "not-found", true,
		},
		"a block matches three times": {
			edit("c", "same", "other"), `{"c": "same\nfirst\nother\nsecond\nsame\n"}`, Refused, "ambiguous", false,
		},
		"only a line end is expected, and nothing changes": {"Add a line feed.", `{"b": "six"}`, Refused, NothingRead, false},
		"a block has no end": {"b\n<<<<<<< SEARCH\nsix\n=======\n7\n", `{"b": "7\n"}`, Refused, "cut-off", false},
		"the reply is prose": {"Write 7 in place of 6.", `{"b": "7\n"}`, Refused, NothingRead, false},
		"a file is left out": {
			two, `{"a": "one\n2\nthree\nfour\nfive\n", "b": null}`, Refused, Unnoticed, true,
		},
		"an edit is left out": {two, `{"a": "one\n2\nthree\n4\nfive\n"}`, Other, "", false},
		"another line is edited": {
			edit("a", "one", "2"), `{"a": "one\n2\nthree\nfour\nfive\n"}`, Other, "", false,
		},
		"another file is made":                {edit("d.txt", "", "2"), `{"e.txt": "2\n"}`, Other, "", false},
		"nothing may change":                  {edit("a", "nine", "9"), `{"b": "six\n"}`, Equal, "", false},
		"nothing may change, and a line does": {two, `{}`, Other, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := try(t, someFiles, c.reply, c.expect).Judge()
			require.Equal(t, c.class, r.Class)
			require.Equal(t, c.reason, r.Reason)
			require.Equal(t, c.partial, r.Partial)
		})
	}
}

func TestAResultSaysHowTheReplyWasRead(t *testing.T) {
	t.Parallel()
	reply := edit("b", "six  ", "7") + edit("a", "two", "2") + edit("a", "nine", "9") +
		edit("d.txt", "", "new") + "a\n««« EDIT\nunclosed\n"
	r := try(t, someFiles, reply, `{"b": "x"}`).Judge()
	require.Equal(t, Result{
		ID: "1", Class: Other, Reason: "not-found", Blocks: 4, Formats: []engine.Format{engine.FormatDiff},
		Levels:   []engine.Level{0, engine.LevelExact, engine.LevelTrailingSpace},
		Problems: r.Problems, Differ: []string{"a", "b", "d.txt"},
	}, r)
	require.Contains(t, r.Problems, engine.ProblemCutOff)
	data, err := json.Marshal(try(t, someFiles, "Prose.", `{}`).Judge())
	require.NoError(t, err)
	require.JSONEq(t, `{"id": "1", "form": "", "variant": "", "class": "equal", "blocks": 0, "formats": [], `+
		`"levels": [], "problems": [], "no_change": true}`, string(data))
}

func TestDifferencesAreFromWhatWasExpected(t *testing.T) {
	t.Parallel()
	trial := try(t, someFiles, edit("b", "six", "7")+edit("d.txt", "", "new"), `{"b": "8\n", "e": "9\n"}`)
	require.Equal(t, []Difference{
		{Path: "b", Diff: "@@ -1 +1 @@\n-8\n+7\n"},
		{Path: "d.txt", Unexpected: true, Diff: "@@ -0,0 +1 @@\n+new\n"},
		{Path: "e", Missing: true, Diff: "@@ -1 +0,0 @@\n-9\n"},
	}, trial.Differences())
}

package conversation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

func TestARepairSaysWhatFailedAndWhatWaits(t *testing.T) {
	t.Parallel()
	first := strings.Join([]string{
		block("b.go", "b", "B"), block("a.go", "one\ntwo and more\nthree", "2"),
		block("a.go", "three", "3"), block("c.go", "x", "z"),
	}, "\n")
	s := script{
		files:   map[string]string{"a.go": "one\ntwo\nthree\n", "b.go": "b\n", "c.go": "x\ny\nx\ny\n"},
		answers: says(first, "NO CHANGE"),
	}
	_, asked := s.run(t, record.TurnFix)
	require.Len(t, asked, 1)
	for _, says := range []string{
		"Applied, and not to be sent again: edit 1.",
		"Edit 2, a.go: Content sequence not found in file",
		"<<nonce search text>>\none\ntwo and more\nthree\n<<nonce end>>",
		"The file has, starting at line 1:",
		"The first difference is in line 2. The edit expects\n\n<<nonce expected>>\ntwo and more\n<<nonce end>>",
		"Edit 3 of the same files will be applied as written, after the correction. Do not send it again.",
		"Edit 4, c.go:", "It fits at lines 1, 3",
	} {
		require.Contains(t, asked[0], says)
	}
}

func TestWhatARepairQuotesIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 2*MaxQuoted)
	results := []engine.Result{{
		Block: engine.Block{Find: []string{"1", "2", "3", "4"}}, Status: engine.Failed, Reason: engine.NotFound,
		ClosestMatch: &engine.Excerpt{Line: 1, Lines: strings.Split(strings.Repeat("y ", maxClosestLines+1), " ")},
		Difference:   &engine.Difference{Line: 1, Want: long, Have: long},
	}}
	kind, ask := repair(results, "nonce")
	require.Equal(t, record.TurnRepair, kind)
	require.Contains(t, ask, "1\n2\n3\n<<nonce end>>")
	require.Equal(t, maxClosestLines, strings.Count(ask, "\ny"))
	require.Less(t, len(ask), 3*MaxQuoted)
}

func TestNothingIsRepairedThatNoWordsOfTheModelMend(t *testing.T) {
	t.Parallel()
	for reason, want := range map[engine.Reason]bool{
		engine.UnsafePath: true, engine.ProtectedPath: true, engine.BinaryFile: true, engine.TooLarge: true,
		engine.NotFound: false, engine.FileNotFound: false, engine.EarlierFailed: false,
	} {
		require.Equal(t, want, Unrepairable(reason), reason)
		kind, _ := repair([]engine.Result{{Status: engine.Failed, Reason: reason}}, "nonce")
		require.Equal(t, !want && reason != engine.EarlierFailed, kind == record.TurnRepair, reason)
	}
	kind, ask := repair([]engine.Result{{Status: engine.Applied}, {Status: engine.Skipped, Reason: engine.AlreadyApplied}},
		"nonce")
	require.Empty(t, kind)
	require.Empty(t, ask)
}

// repaired is the plan, as "path:replacement", after a correction of a reply on the files.
func repaired(t *testing.T, files map[string]string, reply, correction string) (plan []string) {
	t.Helper()
	s := script{files: files}
	c := answered(t, record.TurnFix, port.Answer{Text: reply})
	c = then(t, c, record.TurnRepair, port.Answer{Text: correction}, s.try(t, c))
	for _, b := range c.Blocks() {
		plan = append(plan, b.Path+":"+strings.Join(b.Replace, ","))
	}
	return plan
}

func TestACorrectionTakesThePlaceOfWhatItCorrects(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.go": "one\ntwo\n", "b.go": "b\n", "there.go": "x\n"}
	failing := block("a.go", "eins", "1") + "\n" + block("a.go", "two", "2") + "\n" + block("b.go", "b", "B")
	misplaced := block("A.go", "one", "1") + "\n" + block("b.go", "b", "B")
	for story, c := range map[string]struct {
		reply, correction string
		plan              []string
	}{
		"the edit that waited comes after it": {failing, block("a.go", "one", "1"), []string{"a.go:1", "a.go:2", "b.go:B"}},
		"in two edits": {
			failing, block("a.go", "one", "1") + "\n" + block("a.go", "two", "zwei"),
			[]string{"a.go:1", "a.go:zwei", "a.go:2", "b.go:B"},
		},
		"what was applied is sent again": {
			failing, block("b.go", "b", "B") + "\n" + block("a.go", "one", "1"), []string{"a.go:1", "a.go:2", "b.go:B"},
		},
		"what waited is sent again": {
			failing, block("a.go", "two", "2") + "\n" + block("a.go", "one", "1"), []string{"a.go:1", "a.go:2", "b.go:B"},
		},
		"nothing is corrected":             {failing, "Sorry.", []string{"a.go:1", "a.go:2", "b.go:B"}},
		"the path was the mistake":         {misplaced, block("a.go", "one", "1"), []string{"b.go:B", "a.go:1"}},
		"it was, and nothing is corrected": {misplaced, "Sorry.", []string{"A.go:1", "b.go:B"}},
		"a new file is there already": {
			block("there.go", "", "new") + "\n" + block("b.go", "b", "B"), block("free.go", "", "new"),
			[]string{"b.go:B", "free.go:new"},
		},
		"another file besides": {
			failing, block("c.go", "", "new"), []string{"a.go:1", "a.go:2", "b.go:B", "c.go:new"},
		},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.plan, repaired(t, files, c.reply, c.correction))
		})
	}
}

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
	files := map[string]string{"a.go": "one\ntwo\n", "b.go": "b\n", "c.go": "c\nd\n", "there.go": "x\n"}
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
		"two files have mistakes": {
			failing + block("c.go", "see", "C") + block("c.go", "d", "D"), block("c.go", "c", "C") + block("a.go", "one", "1"),
			[]string{"a.go:1", "a.go:2", "b.go:B", "c.go:C", "c.go:D"},
		},
		"one of them is corrected": {
			failing + block("c.go", "see", "C") + block("c.go", "d", "D"), block("c.go", "c", "C"),
			[]string{"a.go:1", "a.go:2", "b.go:B", "c.go:C", "c.go:D"},
		},
		"in another format": {
			failing, "### File: a.go\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n",
			[]string{"a.go:1", "a.go:2", "b.go:B"},
		},
		"the path was the mistake of an edit for which another waits": {
			block("A.go", "one", "1") + block("A.go", "two", "2") + block("b.go", "b", "B"), block("a.go", "one", "1"),
			[]string{"a.go:1", "a.go:2", "b.go:B"},
		},
		"nothing is corrected":             {failing, "Sorry.", []string{"a.go:1", "a.go:2", "b.go:B"}},
		"the path was the mistake":         {misplaced, block("a.go", "one", "1"), []string{"a.go:1", "b.go:B"}},
		"it was, and nothing is corrected": {misplaced, "Sorry.", []string{"A.go:1", "b.go:B"}},
		"a new file already exists": {
			block("there.go", "", "new") + "\n" + block("b.go", "b", "B"), block("free.go", "", "new"),
			[]string{"free.go:new", "b.go:B"},
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

// Edits that waited for a correction are made after it, in their order, whatever the corrections look like.
func TestWhatWaitedIsMadeOnceAfterTheCorrection(t *testing.T) {
	t.Parallel()
	const file = "one\ntwo\nthree\nfour\n"
	first := block("a.go", "one", "1") + block("a.go", "zwei", "2") + block("a.go", "three", "3") +
		block("a.go", "four", "4\nfive")
	wrong, right := block("a.go", "deux", "2"), block("a.go", "two", "2")
	waiting := block("a.go", "three", "3") + block("a.go", "four", "4\nfive")
	for story, corrections := range map[string][]string{
		"by the correction alone":      {right},
		"by a second correction":       {wrong, right},
		"by a correction in two edits": {block("a.go", "two", "to") + block("a.go", "to", "2")},
		"in two edits, of which one is wrong": {
			block("a.go", "two", "to") + block("a.go", "tu", "2"), block("a.go", "to", "2"),
		},
		"though the others are sent again":       {right + waiting},
		"though they are sent again before it":   {waiting + right},
		"though they are sent with more context": {right + block("a.go", "three\nfour", "3\n4\nfive")},
		"in one edit with the next one":          {block("a.go", "two\nthree", "2\n3")},
		"by the hunk of a diff":                  {"```diff\n--- a/a.go\n+++ b/a.go\n@@ ... @@\n 1\n-two\n+2\n three\n```\n"},
		"by a patch": {
			"*** Begin Patch\n*** Update File: a.go\n@@\n-two\n+2\n*** End Patch\n",
		},
		"by the whole file as it was":  {"a.go\n```go\none\n2\nthree\nfour\n```\n"},
		"by the whole file as it is":   {"a.go\n```go\n1\n2\nthree\nfour\n```\n"},
		"by the whole file as wanted":  {"a.go\n```go\n1\n2\n3\n4\nfive\n```\n"},
		"by the rest of a cut off one": {"a.go\n```\n<<<<<<< SEARCH\ntw", right},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			s := script{files: map[string]string{"a.go": file}, answers: says(append([]string{first}, corrections...)...)}
			c, _ := s.run(t, record.TurnFix)
			tree := s.tree()
			out, err := engine.Apply(tree, c.Blocks(), engine.Options{})
			require.NoError(t, err)
			for _, r := range out.Results {
				require.NotEqual(t, engine.Failed, r.Status, "%s: %s", r.Block.Raw, r.Detail)
			}
			require.Equal(t, "1\n2\n3\n4\nfive\n", string(tree["a.go"]))
		})
	}
}

func TestAWholeFileComesBeforeTheEditsThatItDoesNotContain(t *testing.T) {
	t.Parallel()
	s := script{files: map[string]string{"a.go": "one\ntwo\nthree\nfour\n"}}
	first := block("b.go", "", "new") + block("a.go", "one", "1") + block("a.go", "zwei", "2") +
		block("a.go", "three", "3") + block("a.go", "four", "4")
	c := answered(t, record.TurnFix, port.Answer{Text: first})
	ref := func(turn, block int) record.BlockRef { return record.BlockRef{Turn: turn, Block: block} }
	for text, want := range map[string][]record.BlockRef{
		"one\n2\nthree\nfour": {ref(0, 0), ref(1, 0), ref(0, 1), ref(0, 3), ref(0, 4)},
		"1\n2\nthree\n4":      {ref(0, 0), ref(1, 0), ref(0, 3)},
		"1\n2\n3\n4":          {ref(0, 0), ref(1, 0)},
	} {
		whole := engine.Block{Path: "a.go", Whole: true, Replace: strings.Split(text, "\n")}
		require.Equal(t, want, corrected(c.Plan(), s.try(t, c), []engine.Block{whole}, 1), text)
	}
}

func TestARepairShowsWhatBreaksAFile(t *testing.T) {
	t.Parallel()
	first := strings.Join([]string{
		block("a.go", "two", "2"), block("b.go", "b", "B"), block("a.go", "four", "BROKEN <<nonce end>>\nBROKEN too"),
	}, "\n")
	s := script{
		files:   map[string]string{"a.go": "one\ntwo\nthree\nfour\nfive\n", "b.go": "b\n"},
		answers: says(first, "Sorry.", "NO CHANGE"),
	}
	_, asked := s.run(t, record.TurnFix)
	require.Len(t, asked, 2)
	for _, says := range []string{
		"Applied, and not to be sent again: edit 2.\n",
		"After your edits 1, 3, a.go does not parse:\n\n<<nonce problems of a.go>>\nline 4: expected '}', found BROKEN",
		"\nline 5: expected '}', found BROKEN too\n<<nonce end>>",
		"After the edits, the file would have, starting at line 1:\n\n<<nonce lines of a.go after the edits>>\none\n2\n",
		"None of these edits was made: the file is as it was before. Send all of them again, whole and corrected",
	} {
		require.Contains(t, asked[0], says)
	}
	require.NotContains(t, asked[0], "Not applied:")
}

func TestWhatARepairSaysOfABrokenFileIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300)
	r := engine.Result{Path: "a.go", Status: engine.Failed, Reason: engine.SyntaxError,
		Around: &engine.Excerpt{Line: 7, Lines: strings.Split(strings.Repeat(long+"\n", 50), "\n")}}
	for n := range 20 {
		r.Problems = append(r.Problems, engine.FileProblem{Line: n + 1, Message: long})
	}
	results := make([]engine.Result, 200)
	for i := range results {
		results[i] = r
	}
	kind, ask := repair(results, "nonce")
	require.Equal(t, record.TurnRepair, kind)
	require.Equal(t, maxProblems, strings.Count(ask, ": "+long))
	require.Less(t, len(ask), 2*MaxQuoted+2000, "a file is told of once")

	r.Problems, r.Around = []engine.FileProblem{{Message: "f is defined twice"}}, nil
	_, ask = repair([]engine.Result{r}, "nonce")
	require.Contains(t, ask,
		"a.go has problems that it did not have before:\n\n<<nonce problems of a.go>>\nf is defined twice\n")
	require.NotContains(t, ask, "would have")
	require.Contains(t, ask, "The edit was not made")
}

func TestACorrectionOfABrokenFileReplacesItsEdits(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.go": "one\ntwo\nthree\n", "b.go": "b\n"}
	breaking := block("a.go", "one", "1") + "\n" + block("b.go", "b", "B") + "\n" + block("a.go", "two", "BROKEN")
	for story, c := range map[string]struct {
		reply, correction string
		plan              []string
	}{
		"all of them again": {
			breaking, block("a.go", "one", "1") + "\n" + block("a.go", "two", "2"), []string{"a.go:1", "b.go:B", "a.go:2"},
		},
		"the one that is wrong": {breaking, block("a.go", "two", "2"), []string{"a.go:1", "b.go:B", "a.go:2"}},
		"in one": {
			breaking, block("a.go", "one\ntwo", "1\n2"), []string{"a.go:1,2", "b.go:B"},
		},
		"one as it was, and one at another place": {
			breaking, block("a.go", "one", "1") + "\n" + block("a.go", "three", "3"), []string{"a.go:1", "a.go:3", "b.go:B"},
		},
		"two for one place": {
			breaking, block("a.go", "two", "2") + "\n" + block("a.go", "two", "2.5"), []string{"a.go:2", "a.go:2.5", "b.go:B"},
		},
		"none": {breaking, "Sorry.", []string{"a.go:1", "b.go:B", "a.go:BROKEN"}},
		"another edit of the file found no place": {
			block("a.go", "one", "BROKEN") + "\n" + block("a.go", "zwei", "2"), block("a.go", "two", "2"),
			[]string{"a.go:BROKEN", "a.go:2"},
		},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.plan, repaired(t, files, c.reply, c.correction))
		})
	}
}

package record

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/testdata"
)

// resultsOf applies a reply to files.
func resultsOf(t *testing.T, files map[string][]byte, reply string) []Result {
	t.Helper()
	outcome, err := engine.Apply(engine.MemTree(files), engine.Parse(reply, engine.ParseOptions{}).Blocks,
		engine.Options{})
	require.NoError(t, err)
	return Results(outcome)
}

func block(path, find, replace string) string {
	return testdata.Block(path, find, replace)
}

func TestAnAppliedBlockIsRecordedWithItsHunk(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"a.txt": []byte("one\ntwo\nthree\nfour\n"), "only.txt": []byte("x\n")}
	results := resultsOf(t, files, block("a.txt", "two\nthree\n", "two\nTHREE\nmore\n")+block("only.txt", "x\n",
		"")+block("new.txt", "", "first\n"))
	require.Equal(t, Result{
		Path: "a.txt", Status: StatusApplied, Line: 3, ReplyLine: results[0].ReplyLine, Level: results[0].Level,
		Diff:  "@@ -1,4 +1,5 @@\n one\n two\n-three\n+THREE\n+more\n four\n",
		Added: 2, Removed: 1, Change: results[0].Change, Place: results[0].Place,
	}, results[0])
	require.Len(t, results[0].Change, 64)
	require.Equal(t, "@@ -1 +0,0 @@\n-x\n", results[1].Diff)
	require.Equal(t, "@@ -0,0 +1 @@\n+first\n", results[2].Diff)
}

func TestAFailedBlockIsRecordedWithWhatItLookedFor(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"a.txt": []byte("alpha line one\nbeta line two\ngamma line three\n")}
	r := resultsOf(t, files, block("a.txt", "alpha line one\nbeta line 2\ngamma line three\n", "x\n"))[0]
	require.True(t, r.Status.Failed())
	require.Equal(t, string(engine.NotFound), r.Reason)
	require.Equal(t, "-alpha line one\n-beta line 2\n-gamma line three\n+x\n", r.Diff)
	require.Equal(t, 1, r.NearestLine)
	require.Contains(t, r.Nearest, "beta line two")
	require.Equal(t, 2, r.Differs)
	require.Equal(t, "beta line 2", r.Want)
	require.Equal(t, "beta line two", r.Have)
}

func TestADiffIsRecordedInBoundsAndWithoutSecrets(t *testing.T) {
	t.Parallel()
	key := "AKIA" + "Q3EGRIPLKJHGFDSA"
	long := strings.Repeat("x", 1000) + "\n"
	files := map[string][]byte{"a.txt": []byte("one\n" + key + "\nthree\n")}
	results := resultsOf(t, files, block("a.txt", "three\n", strings.Repeat(long, 500))+block("b.txt", "x "+key+"\n",
		"y "+key+"\n"))
	require.LessOrEqual(t, len(results[0].Diff), maxDiff)
	require.Regexp(t, `… and \d+ more lines\n$`, results[0].Diff)
	require.Equal(t, 500, results[0].Added)
	require.Equal(t, 1, results[0].Removed)
	require.Contains(t, results[0].Diff, "[redacted: ")
	require.Contains(t, results[1].Diff, "+y [redacted: ")
	data, err := json.Marshal(results)
	require.NoError(t, err)
	require.NotContains(t, string(data), key)
}

func TestTheDiffsOfAllBlocksTogetherAreBounded(t *testing.T) {
	t.Parallel()
	var reply strings.Builder
	for i := range 100 {
		reply.WriteString(block(fmt.Sprintf("new%d.txt", i), "", strings.Repeat("some line of a file\n", 400)))
	}
	total := 0
	for _, r := range resultsOf(t, map[string][]byte{}, reply.String()) {
		total += len(r.Diff)
		require.Equal(t, 400, r.Added)
	}
	require.LessOrEqual(t, total, maxDiffs)
	require.Greater(t, total, maxDiffs/2)
}

func TestLongRunsOfLinesAreNotCompared(t *testing.T) {
	t.Parallel()
	before := strings.Split(strings.TrimSuffix(strings.Repeat("same\n", maxDiffed), "\n"), "\n")
	d := newDiff(before, append([]string{"new"}, before...))
	require.Equal(t, maxDiffed, d.removed)
	require.Equal(t, maxDiffed+1, d.added)
	d = newDiff([]string{"a", "b"}, []string{"a", "b"})
	require.Equal(t, []string{" a", " b"}, d.lines)
	require.Zero(t, d.added+d.removed)
	require.Empty(t, newDiff(nil, nil).text(maxDiff))
}

func TestABlockIsNumberedByItsPlaceUnlessItHasANumber(t *testing.T) {
	t.Parallel()
	require.Equal(t, 3, Result{}.NumberAt(2))
	require.Equal(t, 7, Result{Number: 7}.NumberAt(2))
	ops := Operations{Chosen: []Operation{{Op: engine.Op{Kind: engine.OpRemove, Paths: []string{"a"}}}}}
	require.Equal(t, []engine.Op{{Kind: engine.OpRemove, Paths: []string{"a"}}}, ops.Ops())
}

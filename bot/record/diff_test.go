package record

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

// resultsOf applies a reply to files, and returns what is recorded of its blocks.
func resultsOf(t *testing.T, files engine.MemTree, reply string) []Result {
	t.Helper()
	outcome, err := engine.Apply(files, engine.Parse(reply, engine.ParseOptions{}).Blocks, engine.Options{})
	require.NoError(t, err)
	return Results(outcome)
}

func TestADiffIsRecordedInBoundsAndWithoutSecrets(t *testing.T) {
	t.Parallel()
	key := "AKIA" + "Q3EGRIPLKJHGFDSA"
	long := strings.Repeat("x", 1000) + "\n"
	results := resultsOf(t, engine.MemTree{"a.txt": []byte("one\n" + key + "\nthree\n")},
		"a.txt\n<<<<<<< SEARCH\nthree\n=======\n"+strings.Repeat(long, 500)+">>>>>>> REPLACE\n\n"+
			"b.txt\n<<<<<<< SEARCH\nx "+key+"\n=======\ny "+key+"\n>>>>>>> REPLACE\n")
	require.LessOrEqual(t, len(results[0].Diff), maxDiff)
	require.Regexp(t, `… and \d+ more lines\n$`, results[0].Diff)
	require.Equal(t, 500, results[0].Added)
	require.Equal(t, 1, results[0].Removed)
	require.Contains(t, results[0].Diff, "[redacted: AWS access key]")
	require.Contains(t, results[1].Diff, "+y [redacted: AWS access key]")
	data, err := json.Marshal(results)
	require.NoError(t, err)
	require.NotContains(t, string(data), key)
}

func TestTheDiffsOfAllBlocksTogetherAreBounded(t *testing.T) {
	t.Parallel()
	var reply strings.Builder
	for i := range 100 {
		fmt.Fprintf(&reply, "new%d.txt\n<<<<<<< SEARCH\n=======\n%s>>>>>>> REPLACE\n\n",
			i, strings.Repeat("some line of a file\n", 400))
	}
	total := 0
	for _, r := range resultsOf(t, engine.MemTree{}, reply.String()) {
		total += len(r.Diff)
		require.Equal(t, 400, r.Added)
	}
	require.LessOrEqual(t, total, maxDiffs)
	require.Greater(t, total, maxDiffs/2)
}

package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hunks returns the blocks of a unified diff of x.txt without numbers.
func hunks(bodies ...string) []Block {
	var s strings.Builder
	s.WriteString("```diff\n--- a/x.txt\n+++ b/x.txt\n")
	for _, body := range bodies {
		s.WriteString("@@\n" + body)
	}
	return Parse(s.String()+"```\n", ParseOptions{}).Blocks
}

const repeated = "first\nsame\nsecond\nsame\nthird\nsame\nfourth\n"

func TestTheOrderOfHunksChoosesBetweenEqualPlaces(t *testing.T) {
	t.Parallel()
	const same = "-same\n+other\n"
	first, second, third, fourth := "-first\n+1\n", "-second\n+2\n", "-third\n+3\n", "-fourth\n+4\n"
	for story, c := range map[string]struct {
		bodies []string
		line   int // of the change of same, or 0 if it is refused
	}{
		"between two":              {[]string{second, same, third}, 4},
		"before the next":          {[]string{same, second}, 2},
		"after the last":           {[]string{third, same}, 6},
		"two places between":       {[]string{first, same, third}, 0},
		"nothing around":           {[]string{same}, 0},
		"before all":               {[]string{same, fourth}, 0},
		"two of the same in a row": {[]string{second, same, same, fourth}, 0},
	} {
		tree := MemTree{"x.txt": []byte(repeated)}
		out, err := Apply(tree, hunks(c.bodies...), Options{})
		require.NoError(t, err)
		lines := strings.Split(string(tree["x.txt"]), "\n")
		at := 0
		for i, s := range lines {
			if s == "other" {
				require.Zero(t, at, story)
				at = i + 1
			}
		}
		require.Equal(t, c.line, at, "%s: %v", story, out.Results)
	}
}

func TestHunksOfTwoDiffsHaveNoOrder(t *testing.T) {
	t.Parallel()
	header := "--- a/x.txt\n+++ b/x.txt\n@@\n"
	between := "```\n\nAnd then:\n\n```diff\n" + header
	reply := "```diff\n" + header + "-second\n+2\n" + between + "-same\n+other\n" + between + "-third\n+3\n```\n"
	tree := MemTree{"x.txt": []byte(repeated)}
	out, err := Apply(tree, Parse(reply, ParseOptions{}).Blocks, Options{})
	require.NoError(t, err)
	require.Equal(t, []Status{Applied, Failed, Skipped},
		[]Status{out.Results[0].Status, out.Results[1].Status, out.Results[2].Status})
	require.Equal(t, Ambiguous, out.Results[1].Reason)
}

func TestBlocksOfOtherFormatsHaveNoOrder(t *testing.T) {
	t.Parallel()
	tree := MemTree{"x.txt": []byte(repeated)}
	block := func(find, replace string) Block {
		return Block{Path: "x.txt", Format: FormatDiff, Find: []string{find}, Replace: []string{replace}}
	}
	out, err := Apply(tree, []Block{block("second", "2"), block("same", "other"), block("third", "3")}, Options{})
	require.NoError(t, err)
	require.Equal(t, Ambiguous, out.Results[1].Reason)
}

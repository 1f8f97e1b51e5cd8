package match_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

func TestABlockWithSeveralDividers(t *testing.T) {
	t.Parallel()
	const two = "Title\n=======\nthe text\n=======\nanother text\n"
	const long = "alpha(1)\nbeta(2)\ngamma(3)\ndelta(4)\nepsilon(5)\n"
	changed := strings.Replace(long, "gamma", "GAMMA", 1)
	for story, c := range map[string]struct {
		body, file string
		reason     engine.Reason
		after      string
	}{
		"the longer find matches":  {body: two, file: "Title\n=======\nthe text\n", after: "another text\n"},
		"the shorter find matches": {body: two, file: "Title\nx\n", after: "the text\n=======\nanother text\nx\n"},
		"the shorter find matches, and the file continues like the longer one": {
			body: two, file: "Title\n=======\nother text\n", reason: engine.Malformed},
		"neither matches": {body: two, file: "x\n", reason: engine.NotFound},
		"both halves of the likeliest split are equal": {body: "x\n=======\ny\n=======\nx\n=======\ny\n",
			file: "x\n=======\ny\n=======\nx\n", after: "y\n"},
		"a blank find matches nothing": {body: "\n=======\na\n=======\nb\n", file: "x\n\ny\n", reason: engine.NotFound},
		"the context may not be fuzzy": {body: "other(0)\n" + long + "=======\nother(0)\n" + changed + "=======\nx\n",
			file: long, reason: engine.NotFound},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			tree := engine.MemTree{"f": []byte(c.file)}
			blocks := engine.Parse("f\n<<<<<<< SEARCH\n"+c.body+">>>>>>> REPLACE\n", engine.ParseOptions{}).Blocks
			require.Len(t, blocks, 1)
			require.Greater(t, len(blocks[0].Splits), 1)
			out, err := engine.Apply(tree, blocks, engine.Options{})
			require.NoError(t, err)
			require.Equal(t, c.reason, out.Results[0].Reason, out.Results[0].Detail)
			if c.reason != "" {
				c.after = c.file
			}
			require.Equal(t, c.after, string(tree["f"]))
		})
	}
}

// A few short lines may match by coincidence, so that lines which are nearly the same are as likely meant.
func TestAFewLinesMatchOnlyWhereNoOtherLinesAreAsClose(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		file, find string
		matches    []int
	}{
		"other blanks elsewhere":               {"a1\nb2\nx\na1 \nb2\n", "a1\nb2", []int{1, 4}},
		"other blank lines elsewhere":          {"a1\nb2\nx\na1\n\nb2\n", "a1\nb2", []int{1, 4}},
		"blanks here, blank lines elsewhere":   {"a1 \nb2\nx\na1\n\nb2\n", "a1\nb2", []int{1, 4}},
		"three lines are no coincidence":       {"a1\nb2\nc3\nx\na1 \nb2\nc3\n", "a1\nb2\nc3", nil},
		"the same lines at another level only": {"a1\nb2 \nx\n", "a1\nb2", nil},
	} {
		_, res := applyOne(t, c.file, c.find, "done(9)")
		require.Equal(t, c.matches, res.MatchLines, story)
		require.Equal(t, c.matches == nil, res.Status == engine.Applied, "%s: %s", story, res.Detail)
	}
}

// With a match at another indentation, and one elsewhere that lacks a context line, it is unknown which one is meant.
func TestARivalMakesAMatchAmbiguous(t *testing.T) {
	t.Parallel()
	const find = "    name: store\n    image: \"store\"\n    command:\n      - /run.sh\n    cpu: 1000"
	const deep = "      name: store\n      image: \"store\"\n      command:\n        - /run.sh\n      cpu: 1000\n"
	const rival = "    name: store\n    image: \"store\"\n    command:\n      - /run.sh\n" +
		"    memory: 64\n    cpu: 1000\n"
	for _, find := range []string{find, strings.ReplaceAll(find, "\"", "”")} {
		repl := strings.Replace(find, "store", "shop", 1)
		_, alone := applyOne(t, deep, find, repl)
		require.Equal(t, engine.Applied, alone.Status)
		for _, file := range []string{deep + rival, rival + deep} {
			_, res := applyOne(t, file, find, repl)
			require.Equal(t, engine.Ambiguous, res.Reason)
			require.Len(t, res.MatchLines, 2)
			require.IsIncreasing(t, res.MatchLines)
		}
	}
}

// A place that has the new lines, with as little of the context, may be the one where the block was applied.
func TestAPlaceThatHasTheNewLinesIsARival(t *testing.T) {
	t.Parallel()
	const old = "first := readOldSettings(1)\nsecond := readOldSettings(2)\nthird := readOldSettings(3)\n"
	fresh := strings.ReplaceAll(old, "Old", "New")
	find := "alpha(1)\nother(0)\nbeta(2)\n" + old + "gamma(4)"
	here, there := "alpha(1)\nbeta(2)\n"+old+"gamma(4)\n", "x\nalpha(1)\nbeta(2)\n"+fresh+"gamma(4)\n"
	block := blockOf("f", find, strings.ReplaceAll(find, "Old", "New"))
	require.Equal(t, engine.Applied, engine.Check(engine.MemTree{"f": []byte(here)}, block, engine.Options{}).Status)
	res := engine.Check(engine.MemTree{"f": []byte(here + there)}, block, engine.Options{})
	require.Equal(t, engine.Ambiguous, res.Reason)
	require.Equal(t, []int{1, 8}, res.MatchLines)
}

func TestAnAmbiguousBlockListsItsPlaces(t *testing.T) {
	t.Parallel()
	for count, want := range map[int]struct {
		listed, more int
		detail       string
	}{
		2:   {2, 0, "(matches at lines 1 and 3)"},
		6:   {6, 0, "(matches at lines 1, 3, 5, 7, 9 and 1 more)"},
		20:  {20, 0, "(matches at lines 1, 3, 5, 7, 9 and 15 more)"},
		23:  {20, 3, "(matches at lines 1, 3, 5, 7, 9 and 18 more)"},
		500: {20, 80, "(matches at lines 1, 3, 5, 7, 9 and at least 95 more)"},
	} {
		file := engine.MemTree{"f": []byte(strings.Repeat("return nil\n}\n", count))}
		for _, find := range []string{"return nil", "return nil  ", "\nreturn nil\n\n}"} {
			res := engine.Check(file, blockOf("f", find, "return err"), engine.Options{})
			require.Equal(t, engine.Ambiguous, res.Reason, "%d of %q", count, find)
			require.Len(t, res.MatchLines, want.listed)
			require.Equal(t, want.more, res.MoreMatches)
			require.Equal(t, 2*want.listed-1, res.MatchLines[want.listed-1], "in order, without gaps")
			require.Contains(t, res.Detail, want.detail)
		}
	}
}

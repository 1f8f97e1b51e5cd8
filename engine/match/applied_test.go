package match_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

func TestWhatIsAppliedAlready(t *testing.T) {
	t.Parallel()
	const short, long = "b\n", "one(1)\ntwo(2)\nthree(3)\n"
	for story, c := range map[string]struct {
		file, find, repl string
		status           engine.Status
		after            string
	}{
		"the replacement is there, and a line that is removed is not": {
			file: long, find: "one(1)\nzwei(2)", repl: long, status: engine.Skipped, after: long},
		"the replacement is too short to tell": {file: short, find: "a", repl: "b", status: engine.Failed, after: short},
		"the replacement is there twice": {file: long + long, find: "one(1)\nzwei(2)", repl: long,
			status: engine.Skipped, after: long + long},
		"all lines that are removed are there, in another order": {file: long,
			find: "three(3)\n\none(1)\ntwo(2)", repl: long, status: engine.Failed, after: long},
		"inserted lines are next to the match": {file: long, find: "one(1)", repl: "one(1)\ntwo(2)",
			status: engine.Skipped, after: long},
		"inserted lines are before the match": {file: long, find: "two(2)", repl: "one(1)\ntwo(2)",
			status: engine.Skipped, after: long},
		"the exact lines are there, and the new ones as well": {file: long,
			find: "one(1)\ntwo(2)", repl: "two(2)\nthree(3)", status: engine.Applied, after: "two(2)\nthree(3)\nthree(3)\n"},
		"the lines are there at another indentation, and the new ones as well": {
			file: "  one(1)\n  two(2)\n  three(3)\n", find: "one(1)\ntwo(2)", repl: "  two(2)\n  three(3)",
			status: engine.Skipped, after: "  one(1)\n  two(2)\n  three(3)\n"},
		"the lines are there at another indentation, and the new ones further down": {
			file: "  one(1)\n  two(2)\n  x\n  two(2)\n  three(3)\n", find: "one(1)", repl: "  two(2)\n  three(3)",
			status: engine.Skipped, after: "  one(1)\n  two(2)\n  x\n  two(2)\n  three(3)\n"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			got, res := applyOne(t, c.file, c.find, c.repl)
			require.Equal(t, c.status, res.Status, res.Detail)
			require.Equal(t, c.after, got)
			if c.status == engine.Skipped {
				require.Equal(t, engine.AlreadyApplied, res.Reason)
				require.Positive(t, res.Line)
			}
		})
	}
}

// The block is applied already, its context has drifted, and only the next entry still has the old line.
func TestAChangeBesideALineOfItsContextIsMadeAlready(t *testing.T) {
	t.Parallel()
	const old, put = "Commit: aaaa1111bbbb2222cccc3333", "Commit: dddd4444eeee5555ffff6666"
	entry := func(name, commit string) string {
		return "Name: lathe-" + name + ", lathe-tools\nArch: arm\nFolder: lathe/" + name + "\n" + commit + "\n"
	}
	find := old + "\n\n" + entry("small", old) + "\nName: lathe-large, lathe-tools\nArch: arm"
	repl := old + "\n\n" + entry("small", put) + "\nName: lathe-large, lathe-tools\nArch: arm"
	file := entry("tiny", put) + "\n" + entry("small", put) + "\n" + entry("large", old)
	got, res := applyOne(t, file, find, repl)
	require.Equal(t, engine.AlreadyApplied, res.Reason, res.Detail)
	require.Equal(t, file, got)
	require.Equal(t, 9, res.Line)

	file = entry("tiny", put) + "\n" + entry("small", old) + "\n" + entry("large", put)
	got, res = applyOne(t, file, find, repl)
	require.Equal(t, engine.Applied, res.Status, res.Detail)
	require.Equal(t, strings.Replace(file, old, put, 1), got)
}

// The block is applied already where it matched exactly. Another place has the same words, aligned otherwise.
func TestABlockThatIsAppliedExactlyMatchesNowhereElse(t *testing.T) {
	t.Parallel()
	const find = "\t\tSize:  NewSize(&Piece{Name: \"lathe\"}),\n\t\tColor: \"green\","
	repl := strings.Replace(find, "\"}", "\", Width: width}", 1)
	other := strings.NewReplacer("Size:  ", "Size:      ", "Color: ", "Color:     ").Replace(find)
	file := "package lathe\n\nfunc small() {\n\tb := box{\n" + repl + "\n\t\tDepth: 3,\n\t}\n}\n\n" +
		"func large() {\n\tb := box{\n" + other + "\n\t\tDepth:     3,\n\t}\n}\n"
	tree := engine.MemTree{"lathe.go": []byte(file)}
	out, err := engine.Apply(tree, []engine.Block{blockOf("lathe.go", find, repl)}, engine.Options{})
	require.NoError(t, err)
	require.Equal(t, engine.AlreadyApplied, out.Results[0].Reason, out.Results[0].Detail)
	require.Equal(t, file, string(tree["lathe.go"]))
}

// What may not match may not tell, either, that a block is applied.
func TestALevelThatIsOffFindsNoReplacement(t *testing.T) {
	t.Parallel()
	const long = "one(1)\ntwo(2)\nthree(3)\n"
	strict := []engine.Level{engine.LevelExact, engine.LevelTrailingSpace, engine.LevelBlankLines}
	for _, c := range []struct {
		file, find, repl string
		off              []engine.Level
	}{
		{"  one(1)\n  two(2)\n  x\n  two(2)\n  three(3)\n", "one(1)", "  two(2)\n  three(3)", strict},
		{long, "zero(0)", long, append(strict, engine.LevelIndent, engine.LevelHomoglyph)},
	} {
		tree := engine.MemTree{"f": []byte(c.file)}
		res := engine.Check(tree, blockOf("f", c.find, c.repl), engine.Options{})
		require.Equal(t, engine.AlreadyApplied, res.Reason)
		res = engine.Check(tree, blockOf("f", c.find, c.repl), engine.Options{DisabledLevels: c.off})
		require.NotEqual(t, engine.AlreadyApplied, res.Reason)
	}
}

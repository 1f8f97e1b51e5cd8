package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatIsAppliedAlready(t *testing.T) {
	t.Parallel()
	const short, long = "b\n", "one(1)\ntwo(2)\nthree(3)\n"
	for story, c := range map[string]struct {
		file, find, repl string
		status           Status
		after            string
	}{
		"the replacement is there, and a line that is removed is not": {
			file: long, find: "one(1)\nzwei(2)", repl: long, status: Skipped, after: long},
		"the replacement is too short to tell": {file: short, find: "a", repl: "b", status: Failed, after: short},
		"the replacement is there twice": {file: long + long, find: "one(1)\nzwei(2)", repl: long,
			status: Skipped, after: long + long},
		"all lines that are removed are there, in another order": {file: long,
			find: "three(3)\n\none(1)\ntwo(2)", repl: long, status: Failed, after: long},
		"inserted lines are next to the match": {file: long, find: "one(1)", repl: "one(1)\ntwo(2)",
			status: Skipped, after: long},
		"inserted lines are before the match": {file: long, find: "two(2)", repl: "one(1)\ntwo(2)",
			status: Skipped, after: long},
		"the exact lines are there, and the new ones as well": {file: long,
			find: "one(1)\ntwo(2)", repl: "two(2)\nthree(3)", status: Applied, after: "two(2)\nthree(3)\nthree(3)\n"},
		"the lines are there at another indentation, and the new ones as well": {
			file: "  one(1)\n  two(2)\n  three(3)\n", find: "one(1)\ntwo(2)", repl: "  two(2)\n  three(3)",
			status: Skipped, after: "  one(1)\n  two(2)\n  three(3)\n"},
		"the lines are there at another indentation, and the new ones further down": {
			file: "  one(1)\n  two(2)\n  x\n  two(2)\n  three(3)\n", find: "one(1)", repl: "  two(2)\n  three(3)",
			status: Skipped, after: "  one(1)\n  two(2)\n  x\n  two(2)\n  three(3)\n"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			got, res := applyOne(t, c.file, c.find, c.repl)
			require.Equal(t, c.status, res.Status, res.Detail)
			require.Equal(t, c.after, got)
			if c.status == Skipped {
				require.Equal(t, AlreadyApplied, res.Reason)
				require.Positive(t, res.Line)
			}
		})
	}
}

// The model knows what a file is that its reply creates, whatever it was shown of others.
func TestANewFileMayBeEditedAtEveryLevel(t *testing.T) {
	t.Parallel()
	for _, shown := range []Shown{ShownChanged, ShownUnknown} {
		opts := Options{Shown: func(string) Shown { return shown }}
		tree := MemTree{"old": []byte("if x:\n    one(1)\n")}
		out, err := Apply(tree, []Block{
			blockOf("new", "", "if x:\n    one(1)"), blockOf("new", "one(1)", "two(2)"),
			blockOf("old", "one(1)", "two(2)"),
		}, opts)
		require.NoError(t, err)
		require.Equal(t, Applied, out.Results[1].Status, out.Results[1].Detail)
		require.Equal(t, LevelIndent, out.Results[1].Level)
		require.Equal(t, Stale, out.Results[2].Reason)
	}
}

func TestAPlaceholderIsNotWritten(t *testing.T) {
	t.Parallel()
	const file = "one(1)\n// rest of file\n"
	for repl, reason := range map[string]Reason{
		"ONE(1)\n// ... existing code ...": Placeholder,
		"ONE(1)\n// rest of file":          "",
		"ONE(1)\n// rest of the world":     "",
	} {
		res := Check(MemTree{"f": []byte(file)}, blockOf("f", strings.TrimSuffix(file, "\n"), repl), Options{})
		require.Equal(t, reason, res.Reason, repl)
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
	require.Equal(t, AlreadyApplied, res.Reason, res.Detail)
	require.Equal(t, file, got)
	require.Equal(t, 9, res.Line)

	file = entry("tiny", put) + "\n" + entry("small", old) + "\n" + entry("large", put)
	got, res = applyOne(t, file, find, repl)
	require.Equal(t, Applied, res.Status, res.Detail)
	require.Equal(t, strings.Replace(file, old, put, 1), got)
}

// The block is applied already where it matched exactly. Another place has the same tokens, aligned otherwise.
func TestABlockThatIsAppliedExactlyMatchesNoTokensElsewhere(t *testing.T) {
	t.Parallel()
	const find = "\t\tSize:  NewSize(&Piece{Name: \"lathe\"}),\n\t\tColor: \"green\","
	repl := strings.Replace(find, "\"}", "\", Width: width}", 1)
	other := strings.NewReplacer("Size:  ", "Size:      ", "Color: ", "Color:     ").Replace(find)
	file := "package lathe\n\nfunc small() {\n\tb := box{\n" + repl + "\n\t\tDepth: 3,\n\t}\n}\n\n" +
		"func large() {\n\tb := box{\n" + other + "\n\t\tDepth:     3,\n\t}\n}\n"
	tree := MemTree{"lathe.go": []byte(file)}
	out, err := Apply(tree, []Block{blockOf("lathe.go", find, repl)}, Options{})
	require.NoError(t, err)
	require.Equal(t, AlreadyApplied, out.Results[0].Reason, out.Results[0].Detail)
	require.Equal(t, file, string(tree["lathe.go"]))
}

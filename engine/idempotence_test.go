package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// twice applies blocks, and applies them again to the result. The second application must change nothing.
func twice(t *testing.T, file string, blocks ...Block) (after string, first, second Outcome) {
	t.Helper()
	tree := MemTree{"f": []byte(file)}
	first, err := Apply(tree, blocks, Options{})
	require.NoError(t, err)
	after = string(tree["f"])
	second, err = Apply(tree, blocks, Options{})
	require.NoError(t, err)
	require.Equal(t, after, string(tree["f"]), "applied again")
	require.Empty(t, second.Changed)
	return after, first, second
}

func TestABlockIsAppliedOnce(t *testing.T) {
	t.Parallel()
	const deep = "if x:\n    one(1)\n    two(2)\nend()\n"
	const many = "alpha(1)\nbeta(2)\ngamma(3)\ndelta(4)\nepsilon(5)\n"
	for story, c := range map[string]struct{ file, find, repl, after string }{
		"lines added below an indented find": {deep, "one(1)\ntwo(2)", "one(1)\ntwo(2)\nthree(3)",
			"if x:\n    one(1)\n    two(2)\n    three(3)\nend()\n"},
		"lines added above an indented find": {deep, "one(1)\ntwo(2)", "zero(0)\none(1)\ntwo(2)",
			"if x:\n    zero(0)\n    one(1)\n    two(2)\nend()\n"},
		"lines added below look-alikes": {"say(\"hi\")\nend(1)\n", "say(“hi”)", "say(“hi”)\nbye()",
			"say(\"hi\")\nbye()\nend(1)\n"},
		"lines added below trailing blanks": {"one(1)  \ntwo(2)\n", "one(1)", "one(1)\nnew(0)", "one(1)  \nnew(0)\ntwo(2)\n"},
		"lines added below a line with a typo": {many, "alpha(1)\nbeat(2)\ngamma(3)\ndelta(4)",
			"alpha(1)\nbeat(2)\ngamma(3)\ndelta(4)\nnew(0)", "alpha(1)\nbeta(2)\ngamma(3)\ndelta(4)\nnew(0)\nepsilon(5)\n"},
		"lines added between drifted ones": {strings.Replace(many, "gamma(3)", "gamma(3)\n", 1),
			"alpha(1)\nother(0)\nbeta(2)\ngamma(3)\n\ndelta(4)\nepsilon(5)",
			"alpha(1)\nother(0)\nbeta(2)\ngamma(3)\nnew(0)\n\ndelta(4)\nepsilon(5)",
			"alpha(1)\nbeta(2)\ngamma(3)\nnew(0)\n\ndelta(4)\nepsilon(5)\n"},
		"lines added next to an ellipsis": {many, "alpha(1)\n...\ndelta(4)", "alpha(1)\n...\nnew(0)\ndelta(4)",
			"alpha(1)\nbeta(2)\ngamma(3)\nnew(0)\ndelta(4)\nepsilon(5)\n"},
		"a line equal to its context":    {"a1\nb2\n", "a1", "a1\na1", "a1\na1\nb2\n"},
		"a blank line":                   {"a1\nb2\n", "a1", "a1\n\n", "a1\n\nb2\n"},
		"a blank line between two lines": {"a1\nb2\n", "a1\nb2", "a1\n\nb2", "a1\n\nb2\n"},
		"a bracket next to an equal one": {"f {\n}\n}\n", "f {\n}", "f {\n}\n)", "f {\n}\n)\n}\n"},
		"two lines change places":        {"a1\nb2\nc3\n", "a1\nb2", "b2\na1", "b2\na1\nc3\n"},
		"a replacement, and the same lines elsewhere at another indentation": {
			"one(1)\n  one(1)\n", "one(1)", "two(2)", "two(2)\n  one(1)\n"},
		"a removal, and the same lines elsewhere at another indentation": {
			"begin(0)\none(1)\nend(9)\n  begin(0)\n  one(1)\n  end(9)\n", "begin(0)\none(1)\nend(9)", "begin(0)\nend(9)",
			"begin(0)\nend(9)\n  begin(0)\n  one(1)\n  end(9)\n"},
		"one of two copies, the other changed already": {
			"begin(0)\nnew(1)\nend(9)\nbegin(0)\nold(1)\nend(9)\n", "begin(0)\nold(1)\nend(9)", "begin(0)\nnew(1)\nend(9)",
			"begin(0)\nnew(1)\nend(9)\nbegin(0)\nnew(1)\nend(9)\n"},
		"lines with numbers, the other copy changed already": {
			"begin(0)\nnew(1)\nend(9)\nbegin(0)\nold(1)\nend(9)\n", "4 | begin(0)\n5 | old(1)\n6 | end(9)",
			"4 | begin(0)\n5 | new(1)\n6 | end(9)", "begin(0)\nnew(1)\nend(9)\nbegin(0)\nnew(1)\nend(9)\n"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			after, first, _ := twice(t, c.file, blockOf("f", c.find, c.repl))
			require.Equal(t, Applied, first.Results[0].Status, first.Results[0].Detail)
			require.Equal(t, c.after, after)
		})
	}
}

// What a second application could not tell from a first one is refused at the first.
func TestABlockThatWouldMatchAgainIsRefused(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct{ file, find, repl string }{
		"one of three equal lines goes":      {"a1\nb2\nb2\nb2\n", "a1\nb2", "a1"},
		"a line moves down, and could again": {"a1\nb2\nb2\n", "a1\nb2", "b2\na1"},
		"a removal that leaves no trace, and the same line elsewhere at another indentation": {
			"one(1)\nx\n  one(1)\n", "one(1)", ""},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			after, first, _ := twice(t, c.file, blockOf("f", c.find, c.repl))
			require.Equal(t, Ambiguous, first.Results[0].Reason)
			require.Contains(t, first.Results[0].Detail, "once more")
			require.Nil(t, first.Results[0].Edit)
			require.Equal(t, c.file, after)
		})
	}
}

func TestAReplyIsAppliedOnce(t *testing.T) {
	t.Parallel()
	insert := blockOf("f", "alpha(1)", "alpha(1)\nbeta(2)")
	change := blockOf("f", "beta(2)", "BETA(2)\ngamma(3)")
	spaced := blockOf("f", "alpha(1)  ", "alpha(1)\nbeta(2) ")
	for story, c := range map[string]struct {
		blocks []Block
		after  string
		second []Status
	}{
		"a block twice counts once": {[]Block{insert, insert}, "alpha(1)\nbeta(2)\nomega(9)\n", []Status{Skipped, Skipped}},
		"so does one that differs in trailing blanks": {[]Block{insert, spaced}, "alpha(1)\nbeta(2)\nomega(9)\n",
			[]Status{Skipped, Skipped}},
		"one block changes what another has put": {[]Block{insert, change}, "alpha(1)\nBETA(2)\ngamma(3)\nomega(9)\n",
			[]Status{Skipped, Skipped}},
		"one block undoes the other": {[]Block{insert, blockOf("f", "alpha(1)\nbeta(2)", "alpha(1)")},
			"alpha(1)\nomega(9)\n", []Status{Applied, Applied}},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			after, first, second := twice(t, "alpha(1)\nomega(9)\n", c.blocks...)
			require.Equal(t, Applied, first.Results[0].Status, first.Results[0].Detail)
			require.Equal(t, c.after, after)
			for i, status := range c.second {
				require.Equal(t, status, second.Results[i].Status, second.Results[i].Detail)
			}
		})
	}
	_, first, _ := twice(t, "alpha(1)\nomega(9)\n", insert, insert)
	require.Equal(t, AlreadyApplied, first.Results[1].Reason)
	require.Equal(t, detailRepeated, first.Results[1].Detail)
}

// The blocks of a file that would change it once more are refused together; those of other files are applied.
func TestBlocksThatWouldMatchAgainAreRefusedTogether(t *testing.T) {
	t.Parallel()
	tree := MemTree{"f": []byte("one(1)\ntwo(2)\nthree(3)\n"), "g": []byte("one(1)\n")}
	blocks := []Block{
		blockOf("f", "one(1)", ""), blockOf("f", "two(2)", "two(2)\none(1)\nfour(4)"), blockOf("f", "four(4)", "five(5)"),
		blockOf("g", "one(1)", "two(2)"),
	}
	out, err := Apply(tree, blocks, Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"g"}, out.Changed)
	for _, r := range out.Results[:3] {
		require.Equal(t, Ambiguous, r.Reason)
		require.Equal(t, notIdempotentTogether.detail, r.Detail)
		require.Nil(t, r.Edit)
	}
	require.Equal(t, "one(1)\ntwo(2)\nthree(3)\n", string(tree["f"]))
}

// A trial that has no work left shows nothing, so its blocks are refused.
func TestBlocksAreNotAppliedTogetherWithoutWorkToTryThem(t *testing.T) {
	t.Parallel()
	for _, first := range []Block{blockOf("f", "one(1)", ""), blockOf("f", "one(1)", "one(eins)")} {
		tree := MemTree{"f": []byte("one(1)\ntwo(2)\nthree(3)\n")}
		a := newApplier(tree, Options{})
		for i, b := range []Block{first, blockOf("f", "two(2)", "two(2)\none(1)\nfour(4)")} {
			require.NoError(t, a.applyBlock(i, b))
			require.Equal(t, Applied, a.results[i].Status)
		}
		a.work.Spend(a.work.Left() + 1)
		out, err := a.finish()
		require.NoError(t, err)
		require.Empty(t, out.Changed)
		require.Equal(t, TooLarge, out.Results[0].Reason)
		require.Equal(t, tooMuchWork.detail, out.Results[1].Detail)
		require.Equal(t, "one(1)\ntwo(2)\nthree(3)\n", string(tree["f"]))
	}
}

// The lines that one block puts are there before, and another block changes them: then the first one would match.
func TestABlockThatWasAppliedBeforeWouldMatchAgainToo(t *testing.T) {
	t.Parallel()
	const file = "one(1)\ntwo(2)\nx\nthree(3)\n"
	after, first, _ := twice(t, file, blockOf("f", "one(1)", "one(1)\ntwo(2)"), blockOf("f", "two(2)", "three(3)"))
	require.Equal(t, notIdempotentTogether.detail, first.Results[1].Detail)
	require.Equal(t, file, after)
}

// A second application of a reply is one to what the model saw, whatever the file has by then.
func TestBlocksForAFileThatWasShownAreAppliedOnceByThat(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		file   string
		blocks []Block
		after  string
	}{
		"one of three equal lines goes": {"a1\nb2\nb2\nb2\n", []Block{blockOf("f", "a1\nb2", "a1")}, "a1\nb2\nb2\n"},
		"a line goes from one place to another": {"one(1)\ntwo(2)\nthree(3)\n",
			[]Block{blockOf("f", "one(1)", ""), blockOf("f", "two(2)", "two(2)\none(1)\nfour(4)")},
			"two(2)\none(1)\nfour(4)\nthree(3)\n"},
	} {
		tree := MemTree{"f": []byte(c.file)}
		opts := Options{Base: func(string) ([]byte, bool) { return []byte(c.file), true }}
		for range 2 {
			out, err := Apply(tree, c.blocks, opts)
			require.NoError(t, err)
			require.Equal(t, c.after, string(tree["f"]), "%s: %s", story, out.Results[0].Detail)
		}
	}
}

func TestABlockIsAppliedNextToLinesThatAreAlike(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct{ file, find, repl, after string }{
		"a bracket where one stands": {"f {\n  a1\n}\ng {\n}\n", "  a1\n}", "  a1\n  }\n}", "f {\n  a1\n  }\n}\ng {\n}\n"},
		"a return where one stands further down": {"a1\nreturn nil\nb2\nreturn nil\n", "a1\nreturn nil\nb2",
			"a1\nreturn nil\nb2\nc3", "a1\nreturn nil\nb2\nc3\nreturn nil\n"},
		"lines that stand elsewhere": {"one(1)\ntwo(2)\nx\none(1)\ny\n", "x\none(1)", "x\none(1)\ntwo(2)",
			"one(1)\ntwo(2)\nx\none(1)\ntwo(2)\ny\n"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			after, first, _ := twice(t, c.file, blockOf("f", c.find, c.repl))
			require.Equal(t, Applied, first.Results[0].Status, first.Results[0].Detail)
			require.Equal(t, c.after, after)
		})
	}
}

// A later block of a reply may take out lines above and below what an earlier one has put, so that nothing is left of
// it.
func TestABlockMayTakeOutWhatAnotherHasPut(t *testing.T) {
	t.Parallel()
	file := "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
	blocks := []Block{
		blockOf("f", "one", "one\nadded above"),
		blockOf("f", "six", "six\nadded below"),
		blockOf("f", "four\nfive\nsix\nadded below\nseven", "four"),
	}
	tree := MemTree{"f": []byte(file)}
	out, err := Apply(tree, blocks, Options{})
	require.NoError(t, err)
	for _, r := range out.Results {
		require.Equal(t, Applied, r.Status, r.Detail)
	}
	require.Equal(t, "one\nadded above\ntwo\nthree\nfour\n", string(tree["f"]))
}

// Blocks that each put lines which tell that they were made, and which no other block looks for, are not tried again:
// that would be most of the work of a reply of many blocks.
func TestBlocksThatHaveNothingInCommonAreNotTriedAgain(t *testing.T) {
	t.Parallel()
	const file = "one(1)\ntwo(2)\nthree(3)\nfour(4)\n"
	first := blockOf("f", "one(1)", "one(eins)")
	for story, c := range map[string]struct {
		blocks []Block
		tried  bool
	}{
		"other lines":                    {[]Block{first, blockOf("f", "three(3)", "three(drei)")}, false},
		"lines that the first one finds": {[]Block{first, blockOf("f", "three(3)", "one(1)\nthree(drei)")}, true},
		"a part of them":                 {[]Block{first, blockOf("f", "four(4)", "four(4)\nsix(6)\none(1) more")}, false},
		"other lines below what the first one put": {
			[]Block{first, blockOf("f", "one(eins)\ntwo(2)", "one(eins)\nnew(0)\ntwo(2)")}, false},
		"in place of what the first one put": {[]Block{first, blockOf("f", "one(eins)", "one(uno)")}, true},
		"nothing":                            {[]Block{first, blockOf("f", "three(3)", "")}, true},
		"lines that stay, below what is added later": {[]Block{blockOf("f", "three(3)", "three(3)\nnew(0)"),
			blockOf("f", "one(1)", "one(1)\nmore(1)\nmore(2)")}, false},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			tree := MemTree{"f": []byte(file)}
			a := newApplier(tree, Options{})
			tried := false
			a.again = func(a *applier, mode applyMode, path string, data []byte, blocks []Block) ([]byte, bool) {
				tried = tried || len(blocks) > 1
				return reapply(a, mode, path, data, blocks)
			}
			_, err := a.apply(c.blocks)
			require.NoError(t, err)
			require.Equal(t, c.tried, tried)
		})
	}
}

func TestABlockThatPutsNothingIsNotUndone(t *testing.T) {
	t.Parallel()
	after, first, _ := twice(t, "one(1)\ntwo(2)\n", blockOf("f", "one(1)", "one(eins)"), blockOf("f", "gone(3)", ""))
	require.Equal(t, Applied, first.Results[0].Status)
	require.Equal(t, NotFound, first.Results[1].Reason)
	require.Equal(t, "one(eins)\ntwo(2)\n", after)
}

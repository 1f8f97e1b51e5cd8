package engine_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

// FuzzApply checks that only applied blocks change a file, that every change is reported, and that a second run with
// the same input has the same outcome.
func FuzzApply(f *testing.F) {
	f.Add("a\nb\nc\n", "b\n", "x\n")
	f.Add("a\r\n\r\n  b\r\nc", "a\nb", "a\nnew\nb")
	f.Add("\tone(1)\n\ttwo(2)\n", "    one(1)\n    two(2)", "    one(1)\n    x\n    two(2)")
	f.Add("say(“hi”) all\nmore\n", "say(\"hi\") all", "bye")
	f.Add("a1\nb2\nc3\nd4\ne5\n", "a1\n...\ne5", "a1\n...\nE5")
	f.Add("alpha(1)\nbeta(2)\ngamma(3)\ndelta(4)\neps(5)\n", "alpha(1)\nbeat(2)\ngamma(3)\ndelta(4)\neps(5)",
		"alpha(1)\nbeat(2)\ngamma(3)\nDELTA(4)\neps(5)")
	f.Add("x\n\xff\x00", "x", "y")
	f.Add("a\r\nb\r\n", "a", "x\r")
	f.Add("a\r\nb\nc\r\n", "b", "x\r\ny\r")
	f.Add("a\nb\r", "b\r", "x\r\r")
	f.Add("a\rb\r\n", "a\rb", "\r")
	f.Fuzz(func(t *testing.T, file, find, repl string) {
		if len(file)+len(find)+len(repl) > 1<<14 {
			t.Skip("longer input shows nothing new")
		}
		blocks := []engine.Block{fuzzBlock("f", find, repl), fuzzBlock("g", repl, find)}
		tree := engine.MemTree{"f": []byte(file), "g": []byte(find)}
		before := engine.MemTree{"f": []byte(file), "g": []byte(find)}
		out, err := engine.Apply(tree, blocks, engine.Options{})
		require.NoError(t, err)
		require.Len(t, out.Results, len(blocks))
		for _, r := range out.Results {
			changed := slices.Contains(out.Changed, r.Path)
			require.Equal(t, r.Status == engine.Applied, changed, "%s: %s", r.Path, r.Detail)
			require.Equal(t, r.Status == engine.Applied, r.Reason == "")
			requireEdit(t, string(before[r.Path]), string(tree[r.Path]), r)
			require.True(t, r.Status == engine.Applied || r.Detail != "", "a refusal without a detail: %s", r.Reason)
			if !changed {
				require.Equal(t, string(before[r.Path]), string(tree[r.Path]))
			}
			if lines := strings.Count(string(tree[r.Path]), "\n") + 1; r.Line > lines+1 {
				t.Fatalf("line %d of %d", r.Line, lines)
			}
		}
		again, err := engine.Apply(before, blocks, engine.Options{})
		require.NoError(t, err)
		require.Equal(t, out, again)
	})
}

// FuzzApplyTwice checks that blocks that are applied again, to their own result, change nothing: one block alone, and
// two in one reply, the second of which may change what the first has put.
func FuzzApplyTwice(f *testing.F) {
	f.Add("a\nb\nc\n", "b", "b\nx", "x", "y")
	f.Add("a\nb\nb\n", "a\nb", "a", "b", "b\nb")
	f.Add("a\nb\nb\n", "a\nb", "7a", "b", "a\nb")
	f.Add("if x:\n    one(1)\n    two(2)\n", "one(1)\ntwo(2)", "one(1)\ntwo(2)\nthree(3)", "three(3)", "")
	f.Add("one(1)\n\n  one(1)\n", "one(1)", "", "  one(1)", "two(2)")
	f.Add("say(\"hi\") all\nmore\n", "say(“hi”) all", "say(“hi”) all\nbye", "more", "more\n")
	f.Add("a1\nb2\nc3\nd4\ne5\n", "a1\n...\nd4", "a1\n...\nx\nd4", "x", "x\nx")
	f.Add("alpha(1)\nbeta(2)\ngamma(3)\ndelta(4)\neps(5)\n", "alpha(1)\nbeat(2)\ngamma(3)\ndelta(4)",
		"alpha(1)\nbeat(2)\ngamma(3)\ndelta(4)\nnew(0)", "new(0)", "old(0)")
	f.Add("x\r\ny\n", "1 | x\n2 | y", "1 | x\n2 | z\n", "z", "z\r")
	f.Fuzz(func(t *testing.T, file, find, repl, find2, repl2 string) {
		if len(file)+len(find)+len(repl)+len(find2)+len(repl2) > 1<<13 {
			t.Skip("longer input shows nothing new")
		}
		one, two := fuzzBlock("f", find, repl), fuzzBlock("f", find2, repl2)
		for _, blocks := range [][]engine.Block{{one}, {one, one}, {one, two}, {one, two, one}} {
			tree := engine.MemTree{"f": []byte(file)}
			_, err := engine.Apply(tree, blocks, engine.Options{})
			require.NoError(t, err)
			once := string(tree["f"])
			out, err := engine.Apply(tree, blocks, engine.Options{})
			require.NoError(t, err)
			require.Equal(t, once, string(tree["f"]), "%d blocks, applied again: %v", len(blocks), out.Results)
			require.Empty(t, out.Changed)
		}
	})
}

// requireEdit checks that the Edit of a result describes the change of its file, line endings aside.
func requireEdit(t *testing.T, before, after string, r engine.Result) {
	t.Helper()
	if r.Status != engine.Applied {
		require.Nil(t, r.Edit)
		return
	}
	e, file := r.Edit, fileLines(before)
	from, to := e.Line-1, e.Line-1+len(e.Removed)
	require.Equal(t, file[from:to], append([]string{}, e.Removed...))
	require.Equal(t, file[max(from-3, 0):from], append([]string{}, e.ContextBefore...))
	require.Equal(t, file[to:min(to+3, len(file))], append([]string{}, e.ContextAfter...))
	got := strings.Join(slices.Concat(file[:from], e.Added, file[to:]), "\n")
	if strings.HasSuffix(after, "\n") {
		got += "\n"
	}
	require.Equal(t, lineEnds.ReplaceAllString(lineFeeds(after), "$1"), lineEnds.ReplaceAllString(got, "$1"))
}

// lineEnds matches the carriage returns at the end of a line. Those within a line are content.
var lineEnds = regexp.MustCompile(`\r+(\n|$)`)

func lineFeeds(s string) string {
	return strings.ReplaceAll(strings.TrimPrefix(s, "\ufeff"), "\r\n", "\n")
}

func fileLines(s string) []string {
	if s = lineFeeds(s); s == "" {
		return []string{}
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// FuzzUntouchedBytes checks that no byte changes before and after the lines that a block finds.
func FuzzUntouchedBytes(f *testing.F) {
	f.Add("\ufeffhead\r\n", "tail\t \n\x0c", "one\ntwo", "one\n2")
	f.Add("", "", "a", "b")
	f.Add("x\n\n", "no end", "  deep(1)\n    er(2)", "  deep(1)")
	f.Fuzz(func(t *testing.T, head, tail, find, repl string) {
		if head != "" && !strings.HasSuffix(head, "\n") {
			head += "\n"
		}
		mark, end := "the only line like this, number one\n", "the only line like this, number two\n"
		tree := engine.MemTree{"f": []byte(head + mark + find + "\n" + end + tail)}
		b := fuzzBlock("f", mark+find+"\n"+end, mark+repl+"\n"+end)
		out, err := engine.Apply(tree, []engine.Block{b}, engine.Options{})
		require.NoError(t, err)
		if out.Results[0].Status == engine.Applied {
			require.True(t, strings.HasPrefix(string(tree["f"]), head), "before the edit")
			require.True(t, strings.HasSuffix(string(tree["f"]), tail), "after the edit")
		}
	})
}

func fuzzBlock(path, find, repl string) engine.Block {
	b := engine.Block{Path: path, Find: lines(find), Replace: lines(repl), Format: engine.FormatDiff}
	b.Create = strings.TrimSpace(find) == ""
	return b
}

func lines(s string) []string {
	if s = strings.ReplaceAll(s, "\r\n", "\n"); s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

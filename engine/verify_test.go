package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// badLines is a Verify that finds a problem in each line of the file after its edits that contains "bad" and that the
// file did not have before.
func badLines(_ string, before, after []byte) (v Verification) {
	n := 0
	for line := range strings.Lines(string(after)) {
		n++
		if strings.Contains(line, "bad") && !strings.Contains(string(before), line) {
			p := FileProblem{Line: n, Message: "found " + strings.TrimSpace(line), Syntax: true}
			v.Problems = append(v.Problems, p)
		}
	}
	return v
}

func TestAFileThatItsEditsBreakIsNotWritten(t *testing.T) {
	t.Parallel()
	const broken = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	tree := MemTree{"broken": []byte(broken), "fine": []byte("a\n")}
	blocks := []Block{
		blockOf("broken", "2", "2\n2.5"), blockOf("broken", "7", "bad"), blockOf("fine", "a", "b"),
		blockOf("broken", "2.5", "2.5"), blockOf("new", "", "bad\nagain bad"),
	}
	dry, err := Apply(tree, blocks, Options{Verify: badLines, DryRun: true})
	require.NoError(t, err)
	out, err := Apply(tree, blocks, Options{Verify: badLines})
	require.NoError(t, err)
	require.Equal(t, out, dry)
	require.Equal(t, []string{"fine"}, out.Changed)
	require.Equal(t, MemTree{"broken": []byte(broken), "fine": []byte("b\n")}, tree)

	first, second, other, none, created := out.Results[0], out.Results[1], out.Results[2], out.Results[3], out.Results[4]
	for _, r := range []Result{first, second} {
		require.Equal(t, Failed, r.Status)
		require.Equal(t, SyntaxError, r.Reason)
		require.Equal(t, "After these edits broken does not parse: line 8: found bad", r.Detail)
		require.Equal(t, []FileProblem{{Line: 8, Message: "found bad", Syntax: true}}, r.Problems)
		require.Equal(t, &Excerpt{Line: 5, Lines: []string{"4", "5", "6", "bad", "8", "9"}}, r.Around)
	}
	require.Equal(t, []string{"2.5"}, first.Edit.Added, "the edit can still be shown")
	require.Equal(t, 3, first.Line, "lines are those of the file as it is")
	require.Equal(t, 7, second.Line)
	require.Equal(t, Applied, other.Status)
	require.Empty(t, other.Problems)
	require.Equal(t, NoChange, none.Reason)
	require.Equal(t, "After this edit new does not parse: line 1: found bad (and 1 more problem)", created.Detail)
	require.Zero(t, created.Line, "there is no file yet")
}

func TestAFileThatMayHaveProblemsIsWrittenWithThem(t *testing.T) {
	t.Parallel()
	tree := MemTree{"a": []byte("1\n2\n"), "b": []byte("1\n2\n")}
	out, err := Apply(tree, []Block{blockOf("a", "1", "bad"), blockOf("a", "2", "3"), blockOf("b", "1", "bad")},
		Options{Verify: badLines, AllowProblems: func(path string) bool { return path == "a" }})
	require.NoError(t, err)
	require.Equal(t, []string{"a"}, out.Changed)
	require.Equal(t, MemTree{"a": []byte("bad\n3\n"), "b": []byte("1\n2\n")}, tree)
	for _, r := range out.Results[:2] {
		require.Equal(t, Applied, r.Status)
		require.Empty(t, r.Reason)
		require.Equal(t, []FileProblem{{Line: 1, Message: "found bad", Syntax: true}}, r.Problems)
		require.Equal(t, []string{"bad", "3"}, r.Around.Lines)
	}
	require.Equal(t, SyntaxError, out.Results[2].Reason)
}

func TestWhatIsVerified(t *testing.T) {
	t.Parallel()
	var calls []string
	verify := func(path string, before, after []byte) Verification {
		calls = append(calls, fmt.Sprintf("%s %q %q %v", path, before, after, before == nil))
		return Verification{}
	}
	tree := MemTree{"a": []byte("1\r\n2\r\n"), "b": []byte("bad\n")}
	_, err := Apply(tree, []Block{
		blockOf("a", "1", "one"), blockOf("a", "2", "two"), blockOf("b", "none", "x"), blockOf("new", "", "n"),
	}, Options{Verify: verify, LineFeeds: true})
	require.NoError(t, err)
	require.ElementsMatch(t, []string{
		`a "1\r\n2\r\n" "one\ntwo\n" false`, `new "" "n\n" true`,
	}, calls, "each changed file once, as it would be written")
}

func TestEditsOfAFileThatWasBrokenBeforeAreMade(t *testing.T) {
	t.Parallel()
	tree := MemTree{"a": []byte("bad\n2\n")}
	out, err := Apply(tree, []Block{blockOf("a", "2", "3")}, Options{Verify: badLines})
	require.NoError(t, err)
	require.Equal(t, Applied, out.Results[0].Status)
	require.Equal(t, "bad\n3\n", string(tree["a"]))
}

// The file has the lines of the second block only by the first, which is not made.
func TestABlockThatRepeatsARefusedOneIsNotThereAlready(t *testing.T) {
	t.Parallel()
	tree := MemTree{"a": []byte("1\n2\n")}
	out, err := Apply(tree, []Block{
		blockOf("a", "1", "1\n2"), blockOf("a", "1\n2", "1\nbad line\n2"), blockOf("a", "1\n2", "1\nbad line\n2"),
	}, Options{Verify: badLines})
	require.NoError(t, err)
	require.Equal(t, AlreadyApplied, out.Results[0].Reason, "the file has that one's")
	require.Equal(t, SyntaxError, out.Results[1].Reason)
	require.Equal(t, EarlierFailed, out.Results[2].Reason)
	require.Equal(t, Skipped, out.Results[2].Status)
}

func TestALineOfARefusedFileIsTheOneItComesFrom(t *testing.T) {
	t.Parallel()
	tree := MemTree{"a": []byte("1\n2\n3\n4\n5\n6\n7\n8\n9\n")}
	out, err := Apply(tree, []Block{
		blockOf("a", "8", "eight\nbad"), blockOf("a", "2\n3\n4", "4"), blockOf("a", "6", "x\ny\nz"),
		blockOf("a", "7\neight", "7\nz\neight"), blockOf("a", "y", "Y"),
	}, Options{Verify: badLines})
	require.NoError(t, err)
	var lines []int
	for _, r := range out.Results {
		require.Equal(t, SyntaxError, r.Reason)
		lines = append(lines, r.Line)
	}
	require.Equal(t, []int{8, 2, 6, 8, 7}, lines)
}

func TestWhatIsKeptOfProblemsIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 1<<16)
	verify := func(string, []byte, []byte) Verification {
		var problems []FileProblem
		for n := range 1000 {
			problems = append(problems, FileProblem{Line: 1000 - n, Message: long + "\x1b[2J\nwhat"})
		}
		return Verification{Problems: append(problems, FileProblem{Line: 2000, Message: "no\nend\u2028\x00", Syntax: true},
			FileProblem{Line: -5, Message: "\xff"})}
	}
	tree := MemTree{"a": []byte(long + "\n" + long + "\n")}
	out, err := Apply(tree, []Block{blockOf("a", long+"\n"+long, "x\n"+long)}, Options{Verify: verify})
	require.NoError(t, err)
	r := out.Results[0]
	require.Len(t, r.Problems, maxFileProblems)
	require.Equal(t, FileProblem{Line: 2000, Message: "no end  ", Syntax: true}, r.Problems[0],
		"why it does not parse first")
	require.Equal(t, FileProblem{Message: "\ufffd"}, r.Problems[1])
	require.Equal(t, 1, r.Problems[2].Line)
	require.Len(t, r.Problems[2].Message, maxProblemBytes)
	require.Nil(t, r.Around, "there is no such line")
	require.Less(t, len(r.Detail), 400)

	excerpt := around([]byte(strings.Repeat(long+"\r\n", 9)), 10)
	require.Equal(t, 7, excerpt.Line)
	require.Len(t, excerpt.Lines, 3)
	require.Len(t, excerpt.Lines[0], maxAroundBytes)
}

func TestAProblemThatIsNoSyntaxErrorIsCalledAProblem(t *testing.T) {
	t.Parallel()
	verify := func(string, []byte, []byte) Verification {
		return Verification{Problems: []FileProblem{{Message: "f is defined twice"}}}
	}
	out, err := Apply(MemTree{"a": []byte("1\n")}, []Block{blockOf("a", "1", "2")}, Options{Verify: verify})
	require.NoError(t, err)
	require.Equal(t, "After this edit a has a problem: f is defined twice", out.Results[0].Detail)
}

// unchecked is a Verify that checks no file whose name begins with "large", and refuses those that end with "!".
func unchecked(path string, before, after []byte) Verification {
	v := badLines(path, before, after)
	if strings.HasPrefix(path, "large") {
		v.Unchecked = "size"
	}
	if strings.HasSuffix(path, "!") {
		v.Refused = "It is too large"
	}
	return v
}

func TestAnEditOfAFileThatWasNotCheckedSaysSo(t *testing.T) {
	t.Parallel()
	tree := MemTree{"large": []byte("1\n2\n"), "small": []byte("1\n"), "large bad": []byte("1\n")}
	out, err := Apply(tree, []Block{
		blockOf("large", "1", "one"), blockOf("large", "2", "2"), blockOf("small", "1", "one"),
		blockOf("large bad", "1", "bad"),
	}, Options{Verify: unchecked})
	require.NoError(t, err)
	require.Equal(t, []string{"large", "small"}, out.Changed)
	require.Equal(t, "size", out.Results[0].Unchecked)
	require.Empty(t, out.Results[1].Unchecked, "it changes nothing")
	require.Empty(t, out.Results[2].Unchecked)
	require.Equal(t, SyntaxError, out.Results[3].Reason, "what was found counts all the same")
	require.Equal(t, "size", out.Results[3].Unchecked)
}

func TestAFileThatWasNotCheckedCanBeRefused(t *testing.T) {
	t.Parallel()
	tree := MemTree{"large!": []byte("1\n2\n"), "small": []byte("1\n")}
	allow := func(string) bool { return true }
	out, err := Apply(tree, []Block{
		blockOf("large!", "1", "one"), blockOf("large!", "2", "bad"), blockOf("small", "1", "one"),
	}, Options{Verify: unchecked, AllowProblems: allow})
	require.NoError(t, err)
	require.Equal(t, []string{"small"}, out.Changed)
	require.Equal(t, "1\n2\n", string(tree["large!"]))
	for _, r := range out.Results[:2] {
		require.Equal(t, Failed, r.Status, "that problems are allowed is something else")
		require.Equal(t, Unchecked, r.Reason)
		require.Equal(t, "It is too large", r.Detail)
		require.Equal(t, "size", r.Unchecked)
		require.NotNil(t, r.Edit, "the edit can still be shown")
	}
}

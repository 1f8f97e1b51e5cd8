package edit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/meter"
	"github.com/tenon-bot/tenon/syntax"
)

func TestWhatEditsBrokeIsASyntaxErrorOrAnotherProblem(t *testing.T) {
	t.Parallel()
	verify := NewVerify(nil)
	require.Empty(t, verify("a.json", []byte("[1]\n"), []byte("[1, 2]\n")))
	require.Empty(t, verify("a.json", []byte("[1\n"), []byte("[1, 2\n")).Problems, "it did not parse before")
	broken := verify("a.json", []byte("[1]\n"), []byte("[1,\n")).Problems
	require.Len(t, broken, 1)
	require.True(t, broken[0].Syntax)
	require.NotEmpty(t, broken[0].Message)
	marked := verify("a.txt", []byte("a\n"), []byte("a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n")).Problems
	require.NotEmpty(t, marked)
	require.Equal(t, 2, marked[0].Line)
	require.False(t, marked[0].Syntax, "there is no language whose syntax it could break")
}

func TestOneApplicationChecksOnlySoMuch(t *testing.T) {
	t.Parallel()
	large := []byte(strings.Repeat("\n", 1<<19))
	work := meter.Of(100_000)
	verify := NewVerify(work)
	require.Equal(t, engine.Verification{Unchecked: "steps"}, verify("a.txt", large, append(large, "<<<<<<< ours\n"...)),
		"there is too much to look at")
	check := func() engine.Verification { return verify("a.json", []byte("[1]\n"), []byte("[1,\n")) }
	require.Len(t, check().Problems, 1, "a small file is checked anyway")
	work.Spend(work.Left())
	require.Equal(t, engine.Verification{Unchecked: "steps"}, check())
	require.Zero(t, work.Left())
	require.Equal(t, 100_000, work.Spent(), "what is not checked costs nothing")
}

func TestOnlyFilesBeyondABoundAreRefused(t *testing.T) {
	t.Parallel()
	verify := NewVerify(meter.Of(100_000)).RefusingUnchecked()
	large := []byte("a = 1\n" + strings.Repeat("\n", syntax.MaxBytes))
	require.Equal(t, engine.Verification{Unchecked: "size",
		Refused: "The file was not checked for syntax (too large), and the settings say unchecked: refuse"},
		verify("a.py", nil, large))
	require.NotEmpty(t, verify("a.py", nil, large[:syntax.MaxBytes]).Refused, "that is too much work")
	for path, text := range map[string]string{
		"a.txt": "a\n", "a.yaml": "a: {{ b }}\n", "testdata/a.json": "{", "a.json": "[\xff]", "b.json": "{}",
	} {
		require.Empty(t, verify(path, nil, []byte(text)).Refused, path)
	}
}

func TestEveryReasonHasWords(t *testing.T) {
	t.Parallel()
	said := map[string]bool{}
	for _, u := range []syntax.Unchecked{
		syntax.TooLarge, syntax.TooCostly, syntax.Undecided, syntax.BrokenBefore, syntax.NotText, syntax.NoParser,
	} {
		words := UncheckedWords(string(u))
		require.NotEqual(t, string(u), words)
		require.False(t, said[words])
		said[words] = true
	}
	require.Equal(t, "of a later version", UncheckedWords("of a later version"))
}

package edit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/meter"
)

func TestWhatEditsBrokeIsASyntaxErrorOrAnotherProblem(t *testing.T) {
	t.Parallel()
	verify := NewVerify(nil)
	require.Empty(t, verify("a.json", []byte("[1]\n"), []byte("[1, 2]\n")))
	require.Empty(t, verify("a.json", []byte("[1\n"), []byte("[1, 2\n")), "it did not parse before")
	broken := verify("a.json", []byte("[1]\n"), []byte("[1,\n"))
	require.Len(t, broken, 1)
	require.True(t, broken[0].Syntax)
	require.NotEmpty(t, broken[0].Message)
	marked := verify("a.txt", []byte("a\n"), []byte("a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n"))
	require.NotEmpty(t, marked)
	require.Equal(t, 2, marked[0].Line)
	require.False(t, marked[0].Syntax, "there is no language whose syntax it could break")
}

func TestOneApplicationChecksOnlySoMuch(t *testing.T) {
	t.Parallel()
	large := []byte(strings.Repeat("\n", 1<<19))
	work := meter.Of(100_000)
	verify := NewVerify(work)
	require.Empty(t, verify("a.txt", large, append(large, "<<<<<<< ours\n"...)), "there is too much to look at")
	broken := func() bool { return len(verify("a.json", []byte("[1]\n"), []byte("[1,\n"))) > 0 }
	require.True(t, broken(), "a small file is checked anyway")
	work.Spend(work.Left())
	require.False(t, broken())
	require.Zero(t, work.Left())
	require.Equal(t, 100_000, work.Spent(), "what is not checked costs nothing")
}

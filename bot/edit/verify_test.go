package edit

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatEditsBrokeIsASyntaxErrorOrAnotherProblem(t *testing.T) {
	t.Parallel()
	require.Empty(t, Verify("a.json", []byte("[1]\n"), []byte("[1, 2]\n")))
	require.Empty(t, Verify("a.json", []byte("[1\n"), []byte("[1, 2\n")), "it did not parse before")
	broken := Verify("a.json", []byte("[1]\n"), []byte("[1,\n"))
	require.Len(t, broken, 1)
	require.True(t, broken[0].Syntax)
	require.NotEmpty(t, broken[0].Message)
	marked := Verify("a.txt", []byte("a\n"), []byte("a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n"))
	require.NotEmpty(t, marked)
	require.Equal(t, 2, marked[0].Line)
	require.False(t, marked[0].Syntax, "there is no language whose syntax it could break")
}

package edit

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhatEditsBrokeIsASyntaxErrorOrAnotherProblem(t *testing.T) {
	t.Parallel()
	verify := NewVerify()
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

func TestOneApplicationChecksOnlySoManyBytes(t *testing.T) {
	t.Parallel()
	verify := NewVerify()
	large := []byte(strings.Repeat("\n", maxChecked/2-10))
	require.Empty(t, verify("a.txt", large, large))
	require.NotEmpty(t, verify("a.json", []byte("[1]\n"), []byte("[1,\n")), "20 bytes are left")
	require.Empty(t, verify("a.json", []byte("[1]\n"), []byte("[1,       2\n")), "12 bytes are left")
	require.NotEmpty(t, NewVerify()("a.json", []byte("[1]\n"), []byte("[1,       2\n")), "the next application")
}

func TestOneApplicationChecksOnlySoLong(t *testing.T) {
	t.Parallel()
	now, calls := time.Unix(0, 0), 0
	verify := verifyBy(func() time.Time {
		calls++
		return now.Add(time.Duration(calls) * (maxChecking - 1))
	})
	broken := func() bool { return len(verify("a.json", []byte("[1]\n"), []byte("[1,\n"))) > 0 }
	require.True(t, broken())
	require.True(t, broken(), "a nanosecond is left")
	require.False(t, broken())
}

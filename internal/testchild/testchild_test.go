package testchild_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/testchild"
)

// role says which process the test binary is: "parent" starts "child" and waits for it.
const role = "TENON_TEST_ROLE"

func TestMain(m *testing.M) {
	testchild.Watch()
	switch os.Getenv(role) {
	case "parent":
		cmd := exec.Command(os.Args[0]) //nolint:noctx // the test kills its parent
		cmd.Env = append(os.Environ(), role+"=child")
		cmd.Stdout = os.Stdout
		if err := errors.Join(testchild.Bind(cmd), cmd.Run()); err != nil {
			panic(err)
		}
	case "child":
		fmt.Println("started, with", len(os.Getenv("TENON_TEST_PARENT")))
		time.Sleep(90 * time.Second) // only if it is not ended, and less than a mutation may take
		fmt.Println("not ended")
	default:
		os.Exit(m.Run())
	}
}

func TestAChildEndsWithAParentThatIsKilled(t *testing.T) {
	t.Parallel()
	parent := exec.CommandContext(t.Context(), os.Args[0])
	parent.Env = append(os.Environ(), role+"=parent")
	out, err := parent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "started, with 0\n", line, "what the child starts is not told of its parent")
	require.NoError(t, parent.Process.Kill())
	rest, err := io.ReadAll(lines) // until the child, which has this pipe too, ends
	require.NoError(t, err)
	require.Empty(t, string(rest))
	require.Error(t, parent.Wait())
}

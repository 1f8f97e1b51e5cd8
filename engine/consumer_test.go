package engine_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// goIn runs the go command in a folder, without a network.
func goIn(t *testing.T, dir string, stdin io.Reader, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir, cmd.Stdin = dir, stdin
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "CGO_ENABLED=0")
	var errOut strings.Builder
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	require.NoError(t, err, "go %v: %s", args, errOut.String())
	return string(out)
}

// The sums of this module are those that the checksum database would tell another.
func TestAnotherModuleCanUseTheEngineAlone(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds a program")
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/consumer")))
	sums, err := os.ReadFile("../go.sum")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600))
	goIn(t, dir, nil, "mod", "edit", "-replace", "github.com/tenon-bot/tenon="+root)

	reply := "a.json\n<<<<<<< SEARCH\n{\"a\": 1}\n=======\n{\"a\": 2}\n>>>>>>> REPLACE\n"
	out := goIn(t, dir, strings.NewReader(reply), "run", ".")
	require.Equal(t, "applied a.json \n{\"a\": 2}\n", out)

	for _, pkg := range strings.Fields(goIn(t, dir, nil, "list", "-deps", ".")) {
		require.NotContains(t, []string{"net/http", "os/exec", "database/sql", "github.com/tenon-bot/tenon/bot/port"}, pkg)
	}
}

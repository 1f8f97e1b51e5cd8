package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEvalConflictsSaysWhatIsWrongWithItsArguments(t *testing.T) {
	t.Parallel()
	mirror := t.TempDir()
	for want, args := range map[string][]string{
		"name a repository":   {"--mirror", mirror},
		"--mirror is missing": {"ada/app"},
		"name it OWNER/NAME":  {"../app", "--mirror", mirror},
		"is named twice":      {"ada/app", "ada/app", "--mirror", mirror},
		"--merges must be":    {"ada/app", "--mirror", mirror, "--merges", "0"},
		"is not a folder":     {"ada/app", "--mirror", mirror, "--replies", os.DevNull},
	} {
		code, out, errOut := tenon(t, "", append([]string{"eval", "conflicts"}, args...)...)
		require.Equal(t, exitUsage, code, want)
		require.Empty(t, out)
		require.Contains(t, errOut, want)
	}
}

func TestEvalConflictsNamesTheRepositoryThatTheMirrorLacks(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	_, _, errOut := tenon(t, "", "eval", "conflicts", "ada/app", "--mirror", t.TempDir())
	require.Contains(t, errOut, "measuring ada/app")
	require.Contains(t, errOut, "no bare git repository")
}

package gitmerge

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnOldGitIsToldSo(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, checkVersion("git version 2.37.9\n"), "needs at least git 2.38")
	require.ErrorContains(t, checkVersion("no version"), "names no version")
	require.NoError(t, checkVersion("git version 2.39.5 (Apple Git-154)\n"))
	require.NoError(t, checkVersion("git version 3.0.0\n"))
}

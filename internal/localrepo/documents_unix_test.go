//go:build unix

package localrepo

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPipeInPlaceOfTheIndexIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "index"), 0o600))
	require.Zero(t, openShelf(dir).entries())
}

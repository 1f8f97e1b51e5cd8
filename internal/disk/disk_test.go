package disk

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheSpaceOnADiskIsThatOfAFoldersFileSystem(t *testing.T) {
	t.Parallel()
	s, err := Of(t.TempDir())
	require.NoError(t, err)
	require.Positive(t, s.Free)
	require.GreaterOrEqual(t, s.Size, s.Free)
	missing := filepath.Join(t.TempDir(), "missing")
	_, err = Of(missing)
	require.ErrorContains(t, err, missing)
}

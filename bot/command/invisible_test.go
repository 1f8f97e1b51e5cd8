package command

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What is invisible is defined in bot/markdown. Here it is refused, but for what emoji and Korean words are made of.
func TestABranchHasANameThatCanBeRead(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"main", "feature/größe", "한국어", "fix-⚠\ufe0f"} {
		require.True(t, ValidBranch(name), "%q", name)
	}
	for _, name := range []string{"", "a\xff", "a\x00", "a\nb", "a\x7f", "a\u200bb", "a\u202eb", "a\u00adb", "a\ufeff",
		"a\u2028b"} {
		require.False(t, ValidBranch(name), "%q", name)
	}
}

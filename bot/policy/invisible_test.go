package policy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What is invisible is defined in bot/markdown. Here it is dropped: some file systems ignore it in names.
func TestAPathIsProtectedWhateverInvisibleIsInIt(t *testing.T) {
	t.Parallel()
	for _, r := range []string{"\u00ad", "\u200b", "\u200c", "\u202e", "\ufeff", "\ufe0f", "\U000E0100", "\u3164",
		"\u2028", "\x7f"} {
		require.True(t, DefaultPolicy().Protects(".github/work"+r+"flows/ci.yml"), "%q", r)
		require.True(t, DefaultPolicy().Protects(r+"CODEOWNERS"), "%q", r)
	}
	require.False(t, DefaultPolicy().Protects("x.github/work-flows/ci.yml"))
}

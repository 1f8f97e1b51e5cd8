package match

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlaceholders(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"... existing code ...", "\t// ... existing code ...", "// Existing code...", "# rest of the function",
		"...the rest",
		"// The rest of the code.", "/* unchanged code ... */", "<!-- remaining markup… -->", "… unchanged …",
		"-- rest of file", "{/* ... rest of component ... */}", "// ... keep the " + strings.Repeat("x", 103),
	} {
		require.True(t, isPlaceholder(line), line)
		require.True(t, isEllipsis(line), line)
		require.True(t, HasPlaceholder([]string{"x"}, []string{"x", line}), line)
		require.False(t, HasPlaceholder([]string{"x", "  " + line}, []string{"x", line, line}), line)
	}
	for _, line := range []string{
		"existing = load()", "// the existing users are kept", "rest of the code", "// rest of the world",
		"remaining items...",
		"// rest of all that is in the code", "# rest of", "// ...", "load(...)", "// the code of the rest",
		"// ... keep the " + strings.Repeat("x", 105), "",
	} {
		require.False(t, isPlaceholder(line), line)
		require.False(t, HasPlaceholder(nil, []string{line}), line)
	}
	for line, want := range map[string]bool{
		"...": true, " # ... ": true, "…": true, "// …": true, "....": false, "a...": false, "": false,
	} {
		require.Equal(t, want, isEllipsis(line), line)
	}
	require.True(t, HasPlaceholder([]string{"# rest of file"}, []string{"# rest of file", "// existing code ..."}))
}

package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The model knows what a file is that its reply creates, whatever it was shown of others.
func TestANewFileMayBeEditedAtEveryLevel(t *testing.T) {
	t.Parallel()
	for _, shown := range []Shown{ShownChanged, ShownUnknown} {
		opts := Options{Shown: func(string) Shown { return shown }}
		tree := MemTree{"old": []byte("if x:\n    one(1)\n")}
		out, err := Apply(tree, []Block{
			blockOf("new", "", "if x:\n    one(1)"), blockOf("new", "one(1)", "two(2)"),
			blockOf("old", "one(1)", "two(2)"),
		}, opts)
		require.NoError(t, err)
		require.Equal(t, Applied, out.Results[1].Status, out.Results[1].Detail)
		require.Equal(t, LevelIndent, out.Results[1].Level)
		require.Equal(t, Stale, out.Results[2].Reason)
	}
}

func TestAPlaceholderIsNotWritten(t *testing.T) {
	t.Parallel()
	const file = "one(1)\n// rest of file\n"
	for repl, reason := range map[string]Reason{
		"ONE(1)\n// ... existing code ...": Placeholder,
		"ONE(1)\n// rest of file":          "",
		"ONE(1)\n// rest of the world":     "",
	} {
		res := Check(MemTree{"f": []byte(file)}, blockOf("f", strings.TrimSuffix(file, "\n"), repl), Options{})
		require.Equal(t, reason, res.Reason, repl)
	}
}

package bot_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever follows docs/architecture.md finds each file, and in it what the document names before it.
func TestTheArchitectureNamesWhatIsThere(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/architecture.md")
	require.NoError(t, err)
	named := regexp.MustCompile("`(?:[A-Za-z]+\\.)?([A-Za-z]+)` \\(`((?:bot|engine|internal|webhook)/[a-z0-9_/]+\\.go)`").
		FindAllStringSubmatch(string(text), -1)
	require.Greater(t, len(named), 12)
	for _, n := range named {
		file, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(n[2])))
		require.NoError(t, err)
		declared := regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|type )` + n[1] + `\b`).Match(file)
		require.True(t, declared, "%s is not declared in %s", n[1], n[2])
	}
}

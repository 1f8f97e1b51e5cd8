package bot

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatDecidesWhatRunsIsProtectedInEverySpelling(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		".github/workflows/ci.yml", ".GitHub/WorkFlows/ci.yml", ".github/workflows./ci.yml", ".github /workflows/ci.yml", ".github/workflow\u200cs/ci.yml",
		".github/workflows", ".github/actions", ".github/actions/a/action.yml",
		"CODEOWNERS", "docs/CODEOWNERS", ".github/codeowners", ".github/CODEOWNERS.", ".github/tenon.yml", ".github/TENON.YAML",
		".gitmodules", ".GITMODULES", ".gitmodules ", ".gitmodules...", ".gitmodules::$DATA",
		".gitattributes", "deep/in/.gitattributes", "deep/in/.GitAttributes. ",
	} {
		require.True(t, protectedPath(name), name)
	}
	for _, name := range []string{"workflows/ci.yml", "docs/.github/workflows/ci.yml", ".github/ISSUE_TEMPLATE/bug.md", "src/CODEOWNERS", ".gitignore", "x.gitattributes", "a:b"} {
		require.False(t, protectedPath(name), name)
	}
}

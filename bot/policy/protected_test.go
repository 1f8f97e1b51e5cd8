package policy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatDecidesWhatRunsIsProtectedInEverySpelling(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		".github/workflows/ci.yml", ".GitHub/WorkFlows/ci.yml", ".github/workflows./ci.yml", ".github /workflows/ci.yml",
		".github/workflow\u200cs/ci.yml", ".github/workflows", ".github/actions", ".github/actions/a/action.yml",
		"CODEOWNERS", "docs/CODEOWNERS", ".github/codeowners", ".github/CODEOWNERS.", ".github/tenon.yml",
		".github/TENON.YAML",
		".gitmodules", ".GITMODULES", ".gitmodules ", ".gitmodules...", ".gitmodules::$DATA",
		".gitattributes", "deep/in/.gitattributes", "deep/in/.GitAttributes. ",
	} {
		require.True(t, DefaultPolicy().Protects(name), name)
	}
	for _, name := range []string{
		"workflows/ci.yml", "docs/.github/workflows/ci.yml", ".github/ISSUE_TEMPLATE/bug.md", "src/CODEOWNERS",
		".gitignore", "x.gitattributes", "a:b",
	} {
		require.False(t, DefaultPolicy().Protects(name), name)
	}
}

func TestSettingsProtectBesideWhatIsBuiltIn(t *testing.T) {
	t.Parallel()
	p := Policy{Protected: []string{"db/**"}, Ignore: []string{"*.csv"}}
	require.True(t, p.Protects("db/1.sql"))
	require.True(t, p.Protects(".github/workflows/ci.yml"))
	require.False(t, p.Protects("main.go"))
	require.False(t, p.Protects("a.csv"), "a new file of this name may be made")
}

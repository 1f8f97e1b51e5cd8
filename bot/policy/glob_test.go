package policy

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGlobsAreReadLikeThoseOfGitignore(t *testing.T) {
	t.Parallel()
	for pattern, names := range map[string][2][]string{
		"db":               {{"db", "db/a/b.sql", "x/db/c", "DB/a", "db./a", "d\u200cb/a"}, {"dbx", "a/dbx/b"}},
		"db/":              {{"db/a", "x/db/c"}, {"dbx"}},
		"/db":              {{"db/a", "db"}, {"x/db/c"}},
		"*.sql":            {{"a.sql", "x/y/B.SQL", "a.sql/b"}, {"a.sqlx"}},
		"src/**/gen":       {{"src/gen", "src/a/b/gen/x.go"}, {"gen/x.go"}},
		"db/migrations/**": {{"db/migrations/1.sql"}, {"db/seed.sql"}},
		"{a,b}/*.md":       {{"a/x.md", "b/y.md"}, {"c/x.md", "a/b/x.md"}},
		"[Mm]akefile":      {{"Makefile", "x/makefile"}, {"makefiles"}},
	} {
		require.NoError(t, checkGlob(pattern), pattern)
		for _, name := range names[0] {
			require.True(t, FitsGlob([]string{"no", pattern}, name), "%s %s", pattern, name)
		}
		for _, name := range names[1] {
			require.False(t, FitsGlob([]string{"no", pattern}, name), "%s %s", pattern, name)
		}
	}
	require.False(t, FitsGlob(nil, "db"))
}

func TestAGlobThatCannotBeMeantIsRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	for bad, why := range map[string]string{
		"": "is empty", "/": "is empty", " ": "is empty", "a\nb": "invisible", "a\u202eb": "invisible",
		"!a": "exceptions are not supported", `a\b`: "write folders with slashes", "[": "is not a valid pattern",
		"*/*/*/*/*/*/*/*/*": "is too complicated", "{a}{b}{c}": "is too complicated",
		strings.Repeat("x", 201): "is too complicated",
	} {
		require.ErrorContains(t, checkGlob(bad), why, bad)
	}
	require.NoError(t, checkGlob(strings.Repeat("x", 200)))
	require.NoError(t, checkGlob("*/*/*/*/*/*/*/*"))
	require.NoError(t, checkGlob("{a}{b}"))
}

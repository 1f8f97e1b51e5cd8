package tree

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhichPathsAreSafe(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a.go": "a.go", "./a/b.go": "a/b.go", "a//b.go": "a/b.go", ".gitignore": ".gitignore", "...": "...",
		".github/workflows/ci.yml": ".github/workflows/ci.yml", "a/.gitmodules": "a/.gitmodules",
		"with space/ü.txt": "with space/ü.txt",
		"console.log":      "console.log", "aux2.c": "aux2.c", "com10.txt": "com10.txt", "git~2": "git~2",
		"x.git": "x.git",
	} {
		clean, why := Clean(name)
		require.Empty(t, why, name)
		require.Equal(t, want, clean)
	}
	for _, name := range []string{
		"", "/", "/etc/passwd", "..", "../x", "a/../b", "a/..", "./", "a/", "~", "~/x", "C:/x", "c:x", "./c:x", "./~/x",
		`a\b`, `..\x`,
		".git", ".git/config", "a/.git/hooks/x", ".GIT/config", ".Git", "git~1", "GIT~1/config", ".git./config",
		".git /config",
		".git. . /x", ".git::$INDEX_ALLOCATION/config", "git~1:x", ".g\u200cit/config", ".gi\ufefft", "\u200e.git/x",
		"a\x00b", "a\nb", "a\tb", "\x7f", "a\u0085b", "a\u202eb", "a\u2066b", "a\u2028b", "\xff",
		"con", "CON.txt", "a/nul", "aux.c", "com1", "LPT9.log", "prn .x", "conin$",
		strings.Repeat("a", 256), strings.Repeat("a/", 2100) + "a", strings.Repeat("a/", 256) + "a",
	} {
		clean, why := Clean(name)
		require.NotEmpty(t, why, "%q", name)
		require.Empty(t, clean, "%q", name)
	}
}

func FuzzSafePath(f *testing.F) {
	for _, s := range []string{
		"a/b", ".git/config", "a//../b", "GIT~1", "a\\b", ".g\u200cit", "./a:", "./~/b", "//c:/d",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		clean, why := Clean(name)
		if why != "" {
			require.Empty(t, clean)
			return
		}
		again, why := Clean(clean)
		require.Empty(t, why)
		require.Equal(t, clean, again)
		for part := range strings.SplitSeq(clean, "/") {
			require.NotContains(t, []string{"", ".", ".."}, part)
			require.False(t, strings.EqualFold(part, ".git"))
		}
	})
}

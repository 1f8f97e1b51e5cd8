package policy

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// spellingsFile has paths that no reply may write, each a quoted string, for the stories of all that writes.
const spellingsFile = "testdata/protected-spellings.txt"

// respellings write a path as some system takes it for the same. One that cannot change a path returns it as it is.
var respellings = []func(name string) string{
	strings.ToUpper,
	func(name string) string { return "./" + name },
	func(name string) string { return name + "." },
	func(name string) string { return strings.ReplaceAll("x/../"+name, "/", "//") },
	func(name string) string { return name + " " },
	func(name string) string { return name + "::$DATA" },
	func(name string) string { return name[:2] + "\u200c" + name[2:] },
	func(name string) string { return strings.ReplaceAll(name, "/", `\`) },
	func(name string) string { return strings.NewReplacer("k", "\u212a", "s", "\u017f").Replace(name) },
	func(name string) string { return strings.NewReplacer("fl", "\ufb02", "fi", "\ufb01").Replace(name) },
	func(name string) string { return strings.ReplaceAll(name, "/", "./") + ". ." },
	func(name string) string { return "\ufeff" + strings.ToTitle(name) + "\u00ad" },
	func(name string) string { return strings.ReplaceAll(name, "/", " :$I30:$INDEX_ALLOCATION/") },
	func(name string) string { return strings.NewReplacer(".", "\u2024", "a", "\uff41").Replace(name) },
	func(name string) string { return name + "\ufe0f" },
	shortOf,
}

// shortOf returns a path with the short names that Windows makes of names like .github and renovate.json5.
func shortOf(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		stem, extension := strings.TrimLeft(part, "."), ""
		if dot := strings.LastIndexByte(stem, '.'); dot >= 0 {
			stem, extension = stem[:dot], stem[dot:min(dot+4, len(stem))]
		}
		stem = strings.ReplaceAll(stem, ".", "")
		if part[0] == '.' || len(stem) > 8 || len(extension) > 4 {
			parts[i] = strings.ToUpper(stem[:min(6, len(stem))] + "~1" + extension)
		}
	}
	return strings.Join(parts, "/")
}

// protectedNames are paths that are protected as they are written.
func protectedNames(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/protected.txt")
	require.NoError(t, err)
	return strings.Fields(string(data))
}

func TestWhatDecidesWhatRunsIsProtectedInEverySpelling(t *testing.T) {
	t.Parallel()
	names := protectedNames(t)
	count := 0
	var some []string
	for i, name := range names {
		require.True(t, DefaultPolicy().Protects(name), name)
		some = append(some, name)
		for n, respell := range respellings {
			count++
			require.True(t, DefaultPolicy().Protects(respell(name)), "%q", respell(name))
			if n%5 == i%5 {
				some = append(some, respell(name))
			}
		}
	}
	require.GreaterOrEqual(t, count, 2000)
	slices.Sort(some)
	var golden strings.Builder
	for _, name := range slices.Compact(some) {
		fmt.Fprintln(&golden, strconv.Quote(name))
	}
	if *update {
		require.NoError(t, os.WriteFile(spellingsFile, []byte(golden.String()), 0o644))
	}
	data, err := os.ReadFile(spellingsFile)
	require.NoError(t, err)
	require.Equal(t, string(data), golden.String(), "go test ./bot/policy -update writes it")
}

func TestEveryBuiltInProtectionHasAnExample(t *testing.T) {
	t.Parallel()
	names := protectedNames(t)
	for _, p := range protections {
		for _, pattern := range slices.Concat(p.paths, p.notCode) {
			require.True(t, slices.ContainsFunc(names, func(name string) bool {
				return pathFits(pattern, strings.Split(plainPath(name), "/"))
			}), "testdata/protected.txt has no path for %s", pattern)
		}
	}
}

func TestOrdinaryCodeIsNotProtected(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/unprotected.txt")
	require.NoError(t, err)
	names := strings.Split(strings.TrimSpace(string(data)), "\n")
	require.Greater(t, len(names), 80)
	for _, name := range names {
		require.Empty(t, DefaultPolicy().WhyProtected(name), name)
	}
}

func TestSettingsProtectBesideWhatIsBuiltIn(t *testing.T) {
	t.Parallel()
	p := Policy{Protected: []string{"db/**", "Straße/"}, Ignore: []string{"*.csv"}}
	require.Equal(t, "The settings protect this path", p.WhyProtected("db/1.sql"))
	require.Equal(t, "The settings protect this path", p.WhyProtected("STRASSE/1"))
	require.Equal(t, "It decides what runs in CI", p.WhyProtected(".github/workflows/ci.yml"))
	require.False(t, p.Protects("main.go"))
	require.False(t, p.Protects("a.csv"), "a new file of this name may be made")
}

func BenchmarkProtects(b *testing.B) {
	p := DefaultPolicy()
	for b.Loop() {
		p.Protects("internal/server/handlers/middleware/authentication_test.go")
	}
}

package bot_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
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

// The threats and the decisions say which test shows a defence. It must be there, or nobody could tell when it is gone.
func TestEachTestThatTheDocumentsNameIsThere(t *testing.T) {
	t.Parallel()
	there := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	require.NoError(t, filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(name)
		for _, found := range declared.FindAllSubmatch(text, -1) {
			there[string(found[1])] = true
		}
		return err
	}))
	documents, err := filepath.Glob("../docs/*.md")
	require.NoError(t, err)
	decisions, err := filepath.Glob("../docs/adr/*.md")
	require.NoError(t, err)
	named := regexp.MustCompile("`((?:Test|Fuzz|Benchmark)[A-Z]\\w+)(?:/[^`]*)?`")
	count := 0
	for _, document := range append(append(documents, decisions...), "../CONTRIBUTING.md", "../README.md") {
		text, err := os.ReadFile(document)
		require.NoError(t, err)
		for _, test := range named.FindAllSubmatch(text, -1) {
			count++
			require.True(t, there[string(test[1])], "%s names %s, and there is no such test", document, test[1])
		}
	}
	require.Greater(t, count, 60)
}

// A threat without a test, or a step of CI, is a claim.
func TestEachThreatNamesWhatShowsItsDefence(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/security.md")
	require.NoError(t, err)
	ci, err := os.ReadFile("../.ci/run")
	require.NoError(t, err)
	shows := regexp.MustCompile("`(?:(?:Test|Fuzz)[A-Z]\\w+(?:/[^`]*)?|\\.ci/run ([a-z]+))`")
	count, inTable := 0, false
	for line := range strings.Lines(string(text)) {
		switch {
		case !strings.HasPrefix(line, "| "):
			inTable = inTable && strings.HasPrefix(line, "|--")
			continue
		case strings.HasPrefix(line, "| threat |") || strings.HasPrefix(line, "| attack |"):
			inTable = true
			continue
		case !inTable:
			continue
		}
		count++
		found := shows.FindAllStringSubmatch(line, -1)
		require.NotEmpty(t, found, "nothing shows the defence against: %s", line)
		for _, f := range found {
			require.True(t, f[1] == "" || strings.Contains(string(ci), "\nstep_"+f[1]+"()"), "no step %s of .ci/run", f[1])
		}
	}
	require.Greater(t, count, 100)
}

// The tests of the store are cases of one test, and the document names the case.
func TestEachCaseOfTheStoreThatTheDocumentNamesIsThere(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/security.md")
	require.NoError(t, err)
	files, err := filepath.Glob("../internal/store/story_*.go")
	require.NoError(t, err)
	var suite strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		suite.Write(text)
	}
	named := regexp.MustCompile("`TestSQLite/([^`]+)`").FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, named)
	for _, n := range named {
		require.Contains(t, suite.String(), "\""+n[1]+"\"")
	}
}

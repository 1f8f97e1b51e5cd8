package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// notOurs are variables that the documentation shows as mistakes, and those that are for Compose and Caddy.
var notOurs = map[string]bool{"TENON_ALLOWED_OWNER": true, "TENON_PORT": true, "TENON_HOST": true,
	"TENON_UPSTREAM": true, "TENON_VERSION": true}

// The documentation, the image and what is deployed name no variable with which the server would refuse to start.
func TestEveryVariableThatTheDocumentationNamesIsASetting(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"TENON_CONFIG": true}
	for _, key := range allKeys() {
		known[variable(key)] = true
	}
	named := regexp.MustCompile(`\bTENON_[A-Z][A-Z0-9_]*[A-Z0-9]\b`)
	root, count := "../..", 0
	for _, path := range []string{"README.md", "Dockerfile", "app.yml", "docs", "deploy", "cmd/tenon"} {
		err := filepath.WalkDir(filepath.Join(root, path), func(path string, entry fs.DirEntry, err error) error {
			switch {
			case os.IsNotExist(err):
				return nil
			case err != nil || entry.IsDir() || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata"):
				return err
			}
			text, err := os.ReadFile(path)
			for _, name := range named.FindAllString(string(text), -1) {
				count++
				require.True(t, known[name] || notOurs[name] || foreign(name, "10.0.0.7"), "%s names %s", path, name)
			}
			return err
		})
		require.NoError(t, err)
	}
	require.Greater(t, count, 100)
}

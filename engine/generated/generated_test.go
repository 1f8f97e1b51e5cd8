package generated_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/generated"
)

func TestAGeneratedFileNamesTheCommandThatWritesItAgain(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"go.sum":                           "go mod tidy",
		"web/app/package-lock.json":        "npm install --package-lock-only",
		"web/__snapshots__/page.test.snap": "npm test -- -u",
		"__snapshots__/page.test.snap":     "npm test -- -u",
		"src/snapshots/parse.snap":         "cargo insta test --accept",
		"go.mod":                           "",
		"go.sum/main.go":                   "",
		"package-lock.json.md":             "",
		"":                                 "",
	} {
		command, ok := generated.Command(path)
		require.Equal(t, want, command, path)
		require.Equal(t, want != "", ok, path)
	}
}

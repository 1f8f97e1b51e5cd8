package deploy

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// ofCompose are variables of the compose file and of the example of Caddy, which tenon does not see.
var ofCompose = []string{"TENON_VERSION", "TENON_PORT", "TENON_HOST", "TENON_UPSTREAM"}

// tenon refuses to start with a variable that is no setting.
func TestEverySettingThatIsNamedExists(t *testing.T) {
	t.Parallel()
	settings, err := os.ReadFile(root + "/docs/settings.md")
	require.NoError(t, err)
	name := regexp.MustCompile(`\bTENON_[A-Z_]*[A-Z]`)
	found := 0
	look := func(file string) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, variable := range name.FindAllString(string(data), -1) {
			found++
			if !slices.Contains(ofCompose, variable) {
				require.True(t, bytes.Contains(settings, []byte("`"+variable+"`")), "%s: there is no setting %s", file, variable)
			}
		}
	}
	require.NoError(t, filepath.WalkDir(root+"/deploy", func(file string, e fs.DirEntry, err error) error {
		require.NoError(t, err)
		if !e.IsDir() {
			look(file)
		}
		return nil
	}))
	for _, file := range []string{"Dockerfile", "docs/deploying.md", "docs/scaling.md", "docs/upgrading.md"} {
		look(filepath.Join(root, file))
	}
	require.Greater(t, found, 20)
}

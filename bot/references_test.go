package bot

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFilesThatACommentNames(t *testing.T) {
	t.Parallel()
	files := []string{".github/CODEOWNERS", "Makefile", "README.md", "app/__init__.py", "cmd/main.go", "docs/README.md", "internal/a/x.go", "internal/b/x.go", "server/start.go", "test"}
	for story, c := range map[string]struct {
		text string
		want []string
	}{
		"a whole path":                     {"look at server/start.go please", []string{"server/start.go"}},
		"in a code span":                   {"look at `server/start.go`.", []string{"server/start.go"}},
		"with a line":                      {"server/start.go:12 is wrong", []string{"server/start.go"}},
		"with a line and a column":         {"server/start.go:12:5: undefined: x", []string{"server/start.go"}},
		"with a range":                     {"`server/start.go:12-20`", []string{"server/start.go"}},
		"with GitHub's line anchor":        {"server/start.go#L12-L20", []string{"server/start.go"}},
		"with ./":                          {"./server/start.go", []string{"server/start.go"}},
		"at the end of a sentence":         {"It is in server/start.go.", []string{"server/start.go"}},
		"underscores are part of the name": {"app/__init__.py and `__init__.py`", []string{"app/__init__.py", "app/__init__.py"}},
		"a base name that one file has":    {"fix start.go", []string{"server/start.go"}},
		"a base name that two files have":  {"fix x.go", nil},
		"the end of a path":                {"fix a/x.go", []string{"internal/a/x.go"}},
		"the file at the top goes first":   {"README.md", []string{"README.md"}},
		"no such file":                     {"fix nowhere.go", nil},
		"a path out of the tree":           {"../../etc/passwd /etc/passwd", nil},
		"dots and slashes":                 {". .. / // ... `` ``` () []", nil},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, namedFiles(c.text, files))
		})
	}
}

func TestFilesThatHoldSecretsAreNotShown(t *testing.T) {
	t.Parallel()
	for _, name := range []string{".env", "a/.env.local", "deploy/key.pem", "id_rsa", "x/ID_ED25519", "store.p12", ".npmrc"} {
		require.NotEmpty(t, unfit(name, []byte("x"), 100), name)
	}
	require.Empty(t, unfit("environment.go", []byte("x"), 100))
	require.Contains(t, unfit("a.bin", []byte("a\x00b"), 100), "not text")
	require.Contains(t, unfit("a.txt", []byte("latin \xe9"), 100), "not text")
	require.Contains(t, unfit("a.txt", make([]byte, maxShownFile+1), 2*maxShownFile), "larger than 1 MiB")
	require.Contains(t, unfit("a.txt", []byte("abc"), 2), "does not fit")
}

package workspace_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/gitrepo/workspace"
)

func TestACheckoutOfAForkIsFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		at    string // below the workspace
		build func(t *testing.T, folder string) (head string)
		found bool
	}{
		"the head":            {"", func(t *testing.T, folder string) string { return commit(t, folder) }, true},
		"the head, elsewhere": {"pr", func(t *testing.T, folder string) string { return commit(t, folder) }, true},
		"the merge commit": {"", func(t *testing.T, folder string) string {
			commit(t, folder)
			run(t, folder, "checkout", "-q", "-b", "fork")
			head := commit(t, folder)
			run(t, folder, "checkout", "-q", "-b", "base", "HEAD~")
			commit(t, folder)
			run(t, folder, "merge", "-q", "--no-ff", "-m", "merge", "fork")
			return head
		}, true},
		"another commit of the fork": {"", func(t *testing.T, folder string) string {
			commit(t, folder)
			run(t, folder, "remote", "add", "origin", "https://github.com/Mallory/Lathe.git")
			return strings.Repeat("a", 40)
		}, true},
		"a linked work tree": {"pr", func(t *testing.T, folder string) string {
			main := t.TempDir()
			commit(t, main)
			head := commit(t, main)
			require.NoError(t, os.Remove(folder))
			run(t, main, "worktree", "add", "-q", "--detach", folder)
			return head
		}, true},
		"what cannot be read": {"", func(t *testing.T, folder string) string {
			require.NoError(t, os.WriteFile(filepath.Join(folder, ".git"), []byte("?"), 0o600))
			return strings.Repeat("a", 40)
		}, true},
		"the base": {"", func(t *testing.T, folder string) string {
			commit(t, folder)
			run(t, folder, "remote", "add", "origin", "https://github.com/acme/lathe")
			return strings.Repeat("a", 40)
		}, false},
		"an empty repository": {"", func(t *testing.T, folder string) string {
			run(t, folder, "init", "-q")
			return strings.Repeat("a", 40)
		}, false},
		"no checkout": {"", func(*testing.T, string) string { return strings.Repeat("a", 40) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			folder := filepath.Join(root, c.at)
			require.NoError(t, os.MkdirAll(folder, 0o700))
			head := c.build(t, folder)
			path, found, err := workspace.FindCheckout(root, workspace.Head{Repo: "mallory/lathe", SHA: head})
			require.NoError(t, err)
			require.Equal(t, c.found, found)
			if found {
				require.Equal(t, folder, path)
			}
		})
	}
	_, found, err := workspace.FindCheckout(filepath.Join(t.TempDir(), "gone"), workspace.Head{})
	require.NoError(t, err)
	require.False(t, found)
}

// commit makes a commit in a folder, which becomes a repository if it is none, and returns its id.
func commit(t *testing.T, folder string) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(folder, ".git")); err != nil {
		run(t, folder, "init", "-q", "-b", "main")
	}
	run(t, folder, "commit", "-q", "--allow-empty", "-m", "a commit")
	return strings.TrimSpace(run(t, folder, "rev-parse", "HEAD"))
}

func run(t *testing.T, folder string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = folder
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), //nolint:forbidigo // git is found there
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com"}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

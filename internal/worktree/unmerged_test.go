package worktree

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// diverged makes a repository with a branch "other" that changed the same line as the present one.
func diverged(t *testing.T) (dir string) {
	t.Helper()
	dir = repository(t)
	git(t, dir, "config", "user.name", "t")
	git(t, dir, "config", "user.email", "t@example.com")
	put(t, dir, "a.txt", "one\n")
	put(t, dir, "b.txt", "one\n")
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "--quiet", "--message", "start")
	git(t, dir, "checkout", "--quiet", "-b", "other")
	put(t, dir, "a.txt", "two\n")
	git(t, dir, "rm", "--quiet", "b.txt")
	git(t, dir, "commit", "--quiet", "--all", "--message", "theirs")
	git(t, dir, "checkout", "--quiet", "main")
	put(t, dir, "a.txt", "three\n")
	put(t, dir, "b.txt", "three\n")
	git(t, dir, "commit", "--quiet", "--all", "--message", "ours")
	return dir
}

// stops runs a command of git that has to stop at conflicts.
func stops(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	require.Error(t, cmd.Run())
}

func TestAPathInConflictHasTheVersionsThatGitHas(t *testing.T) {
	t.Parallel()
	dir := diverged(t)
	stops(t, dir, "merge", "other")
	tree := opened(t, dir)
	list, err := tree.Unmerged(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "a.txt", list[0].Path)
	for stage, want := range map[Stage]string{list[0].Base: "one\n", list[0].Ours: "three\n", list[0].Theirs: "two\n"} {
		require.Equal(t, "100644", stage.Mode)
		data, ok, err := tree.Blob(t.Context(), stage.Blob)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, want, string(data))
	}
	require.Equal(t, Stage{}, list[1].Theirs, "theirs deleted it")

	git(t, dir, "add", "a.txt")
	staged, err := tree.Unmerged(t.Context())
	require.NoError(t, err)
	list[0].Staged = true
	require.Equal(t, list, staged, "git knows the versions of what is staged")
	_, err = withoutGit(t, dir).Unmerged(t.Context())
	require.ErrorIs(t, err, ErrNoGit)
}

func TestWhatGitStoppedAtIsKnown(t *testing.T) {
	t.Parallel()
	for command, args := range map[string][]string{
		"merge": {"merge", "other"}, "rebase": {"rebase", "other"}, "cherry-pick": {"cherry-pick", "other"},
		"revert": {"revert", "--no-edit", "HEAD~1"},
	} {
		dir := diverged(t)
		git(t, dir, "tag", "REVERT_HEAD") // a tag can have any name
		tree := opened(t, dir)
		s, err := tree.Stopped(t.Context())
		require.NoError(t, err)
		require.Equal(t, Stopped{Ours: "main"}, s)
		require.Empty(t, s.Next())
		if command == "revert" {
			put(t, dir, "a.txt", "four\n")
			git(t, dir, "commit", "--quiet", "--all", "--message", "more")
		}
		stops(t, dir, args...)
		s, err = tree.Stopped(t.Context())
		require.NoError(t, err)
		require.Equal(t, command, s.Command)
		require.Equal(t, "git "+command+" --continue", s.Next())
		want := map[string]string{"merge": "theirs", "rebase": "ours", "cherry-pick": "theirs", "revert": `Revert "ours"`}
		require.Equal(t, []string{want[command]}, s.TheirSubjects, command)
		require.Contains(t, s.Theirs, want[command])
	}
}

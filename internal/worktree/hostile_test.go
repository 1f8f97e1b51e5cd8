package worktree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hostile returns a repository whose settings, hooks and attributes name a program everywhere where git knows of one,
// and a function that returns what was run.
func hostile(t *testing.T) (dir string, ran func() string) {
	t.Helper()
	dir = repository(t)
	log := filepath.Join(t.TempDir(), "log")
	program := filepath.Join(t.TempDir(), "program")
	script := "#!/bin/sh\necho \"$0 $*\" >>'" + log + "'\n"
	require.NoError(t, os.WriteFile(program, []byte(script), 0o755))
	hooks, err := filepath.Glob("/usr/share/git-core/templates/hooks/*")
	require.NoError(t, err)
	names := []string{"post-index-change", "pre-commit", "post-checkout", "reference-transaction", "fsmonitor-watchman"}
	for _, hook := range hooks {
		names = append(names, strings.TrimSuffix(filepath.Base(hook), ".sample"))
	}
	for _, folder := range []string{".git/hooks", "hooks"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, folder), 0o755))
		for _, name := range names {
			require.NoError(t, os.WriteFile(filepath.Join(dir, folder, name), []byte(script), 0o755))
		}
	}
	put(t, dir, "first.bin", "old\n")
	git(t, dir, "-c", "core.hooksPath=/dev/null", "add", "first.bin")
	git(t, dir, "-c", "core.hooksPath=/dev/null", "-c", "user.name=t", "-c", "user.email=t@example.com", "commit",
		"--quiet", "-m", "second")
	put(t, dir, ".gitattributes", "*.bin filter=evil diff=evil merge=evil\n*.lfs filter=long\n")
	settings := "[core]\n\tfsmonitor = PROGRAM\n\tpager = PROGRAM\n\tsshCommand = PROGRAM\n\teditor = PROGRAM\n" +
		"\taskPass = PROGRAM\n\tgitProxy = PROGRAM\n\talternateRefsCommand = PROGRAM\n" +
		"[pager]\n\tadd = PROGRAM\n\tls-files = PROGRAM\n\tconfig = PROGRAM\n" +
		"[diff]\n\texternal = PROGRAM\n[diff \"evil\"]\n\ttextconv = PROGRAM\n\tcommand = PROGRAM\n" +
		"[merge \"evil\"]\n\tdriver = PROGRAM\n[gpg]\n\tprogram = PROGRAM\n[credential]\n\thelper = !PROGRAM\n" +
		"[alias]\n\tadd = !PROGRAM\n\tls-files = !PROGRAM\n\tcat-file = !PROGRAM\n\trev-parse = !PROGRAM\n" +
		"[filter \"evil\"]\n\tclean = PROGRAM\n\tsmudge = PROGRAM\n\trequired\n" +
		"[filter \"long\"]\n\tprocess = PROGRAM\n\trequired\n[filter \"a=b.c\"]\n\tclean = PROGRAM\n" +
		"[protocol \"ext\"]\n\tallow = always\n[extensions]\n\tpartialClone = origin\n" +
		"[remote \"origin\"]\n\tpromisor = true\n\turl = ext::PROGRAM\n\tuploadpack = PROGRAM\n\tvcs = ext\n" +
		"[uploadpack]\n\tpackObjectsHook = PROGRAM\n"
	config, err := os.OpenFile(filepath.Join(dir, ".git/config"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = config.WriteString(strings.ReplaceAll(settings, "PROGRAM", program))
	require.NoError(t, err)
	require.NoError(t, config.Close())
	return dir, func() string {
		data, err := os.ReadFile(log)
		if os.IsNotExist(err) {
			return ""
		}
		require.NoError(t, err)
		return string(data)
	}
}

func TestNoProgramOfARepositoryIsRun(t *testing.T) {
	t.Parallel()
	dir, ran := hostile(t)
	tree := opened(t, dir)
	require.NoError(t, tree.WriteFile("first.bin", []byte("new\n")))
	require.NoError(t, tree.WriteFile("second.lfs", []byte("new\n")))
	require.NoError(t, tree.WriteFile("main.go", []byte("package changed\n")))
	err := tree.Stage(t.Context(), []string{"first.bin", "main.go", "second.lfs"})
	var filtered *FilterError
	require.ErrorAs(t, err, &filtered)
	require.Equal(t, map[string]string{"first.bin": "evil", "second.lfs": "long"}, filtered.Filters)
	require.EqualError(t, err, `git would run the filter "evil", and tenon runs no programs of a repository; `+
		"stage it by git add: first.bin, second.lfs")

	revision, err := tree.Revision(t.Context(), "HEAD")
	require.NoError(t, err)
	_, ok, err := revision.ReadFile(t.Context(), "first.bin")
	require.NoError(t, err)
	require.False(t, ok)
	data, ok, err := revision.ReadFile(t.Context(), "main.go")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "package main\n", string(data))
	require.Empty(t, ran())
}

func TestWhatAPartialCloneLacksIsNotFetched(t *testing.T) {
	t.Parallel()
	dir, ran := hostile(t)
	tree := opened(t, dir)
	revision, err := tree.Revision(t.Context(), "HEAD")
	require.NoError(t, err)
	blob := strings.TrimSpace(git(t, dir, "-c", "core.fsmonitor=false", "rev-parse", "HEAD:main.go"))
	require.NoError(t, os.Remove(filepath.Join(dir, ".git/objects", blob[:2], blob[2:])))
	_, ok, _ := revision.ReadFile(t.Context(), "main.go")
	require.False(t, ok)
	require.Empty(t, ran())
}

// The settings of a repository say what is run, so it matters which repository git takes for the one here.
func TestAFolderThatOnlyLooksLikeARepositoryIsNotReadAsOne(t *testing.T) {
	t.Parallel()
	dir, ran := hostile(t)
	inner := filepath.Join(dir, "inner")
	require.NoError(t, os.MkdirAll(filepath.Join(inner, ".git"), 0o755)) // empty, so git would look above
	_, err := Open(t.Context(), inner)
	require.ErrorContains(t, err, "not a git repository")
	git(t, dir, "-c", "core.hooksPath=/dev/null", "init", "--quiet", "--bare", "inner") // files that somebody committed
	_, err = Open(t.Context(), inner)
	require.Error(t, err)
	require.Empty(t, ran())
}

func TestFiltersThatAreNotSetUpRunNothing(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	put(t, dir, ".gitattributes", "*.go filter=lfs\n")
	git(t, dir, "config", "filter.other.clean", "false")
	tree := opened(t, dir)
	require.NoError(t, tree.WriteFile("main.go", []byte("package changed\n")))
	require.NoError(t, tree.Stage(t.Context(), []string{"main.go"}))
	require.Equal(t, "main.go\n", git(t, dir, "diff", "--cached", "--name-only"))
}

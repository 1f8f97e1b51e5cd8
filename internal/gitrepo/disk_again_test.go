package gitrepo_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

// More may fit into memory than on the disk. What was deleted there to make room is not written at each use.
func TestAFolderThatIsTooSmallIsNotWrittenAtEachUse(t *testing.T) {
	t.Parallel()
	const count = 12
	w := newWorld(t, gitrepo.Options{})
	tips := make([]string, count)
	for i := range tips {
		files := map[string]string{}
		for j := range 10 {
			files[fmt.Sprintf("file-%d-%d.txt", i, j)] = "x\n"
		}
		tips[i] = w.server.Create(t, fmt.Sprintf("acme/r%d", i)).Commit("main", gittest.Files(files))
	}
	o := gitrepo.Options{BaseURL: w.server.URL, CacheDir: t.TempDir(), CacheDirBytes: 4000}
	repos := gitrepo.New(o)
	written := map[string]os.FileInfo{}
	for use := range 4 * count {
		repo := port.RepoRef{Owner: "acme", Name: fmt.Sprintf("r%d", use%count)}
		_, err := repos.Open(t.Context(), repo, "refs/heads/main", tips[use%count])
		require.NoError(t, err)
		files, _ := cacheFiles(t, o.CacheDir)
		for _, name := range files {
			now, err := os.Stat(name)
			require.NoError(t, err)
			if before := written[name]; before != nil {
				require.True(t, os.SameFile(before, now), "%s was written again", name)
			}
			written[name] = now
		}
	}
	require.Greater(t, len(written), 1)
}

// When an installation gets another repository, what the disk has of it is deleted. And a folder can be emptied.
func TestWhatWasDeletedFromTheFolderIsWrittenAgain(t *testing.T) {
	t.Parallel()
	o := gitrepo.Options{CacheDir: filepath.Join(t.TempDir(), "cache")}
	w := newWorld(t, o)
	many := map[string]string{}
	for i := range 400 {
		many[fmt.Sprintf("%d/%d/file.txt", i/20, i)] = "x"
	}
	w.tip = w.repo.Commit("main", gittest.Files(many))
	for i, remove := range []func(){
		func() { w.repos.Forget(acme.Installation) },
		func() { require.NoError(t, os.RemoveAll(o.CacheDir)) },
	} {
		w.open(t)
		before, _ := cacheFiles(t, o.CacheDir)
		require.Len(t, before, 1)
		remove()
		require.NoFileExists(t, before[0])
		w.open(t)
		require.NoFileExists(t, before[0], "the server was not asked whether the repository may be read")
		w.tip = w.repo.Commit("main", gittest.Files(map[string]string{"new.txt": strconv.Itoa(i)}))
		w.open(t)
		after, _ := cacheFiles(t, o.CacheDir)
		require.Equal(t, before, after)
	}
}

package contract

import (
	"context"
	"crypto/sha1" //nolint:gosec // git's ids
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port/repo"
)

// sourceStories are about files that are only of use if they are not too large, and their ids.
var sourceStories = []story[ReposStage]{
	{"files are loaded up to a number of bytes, and the others later", func(t *testing.T, s ReposStage) {
		files, names := map[string]string{}, []string{}
		for i := range 10 {
			name := fmt.Sprintf("src/m%d.py", i)
			files[name], names = strings.Repeat(fmt.Sprintf("line %d\n", i*7919), 100*(i+1)), append(names, name)
		}
		s.Commit(anvil, "main", bottest.Files(files))
		c := openMain(t, s)
		const bound = 20_000
		require.NoError(t, c.LoadSome(t.Context(), bound, names...))
		some, bytes := loaded(t, c, names)
		require.LessOrEqual(t, bytes, bound)
		require.NotEmpty(t, some, "the bound is no reason to load nothing")
		require.Less(t, len(some), len(names))

		require.NoError(t, c.Load(t.Context(), names...))
		all, _ := loaded(t, c, names)
		require.Equal(t, names, all)
		for _, name := range names {
			require.Equal(t, files[name], read(t, c, name))
		}
		require.NoError(t, c.LoadSome(t.Context(), 1, names...), "what is loaded stays so")
		all, _ = loaded(t, c, names)
		require.Equal(t, names, all)

		c = openMain(t, s)
		require.NoError(t, c.LoadSome(t.Context(), bound, names...))
		some, bytes = loaded(t, c, names)
		require.NotEmpty(t, some)
		require.LessOrEqual(t, bytes, bound, "files that are kept from another checkout count as well")
	}},
	{"a file that exceeds the bound alone is not loaded, and not too large", func(t *testing.T, s ReposStage) {
		s.Commit(anvil, "main", bottest.Files(map[string]string{"large.py": strings.Repeat("x = 1\n", 1000)}))
		c := openMain(t, s)
		require.NoError(t, c.LoadSome(t.Context(), 100, "large.py", "README.md"))
		some, _ := loaded(t, c, []string{"large.py", "README.md"})
		require.Equal(t, []string{"README.md"}, some)
		require.NoError(t, c.Load(t.Context(), "large.py"))
		some, _ = loaded(t, c, []string{"large.py"})
		require.Equal(t, []string{"large.py"}, some)
	}},
	{"what is no file is not loaded", func(t *testing.T, s ReposStage) {
		c := openMain(t, s)
		require.NoError(t, c.LoadSome(t.Context(), 1<<20))
		require.NoError(t, c.LoadSome(t.Context(), 1<<20, "nothing", "link", "docs/link", "vendored", "cmd", "README.md/x"))
		for _, name := range []string{"nothing", "link", "vendored", "cmd"} {
			require.ErrorIs(t, errorOf(c.ReadFile(name)), fs.ErrNotExist, name)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, c.LoadSome(ctx, 1<<20, "README.md"), context.Canceled)
	}},
	{"a blob is named as git names it, and as it is staged", func(t *testing.T, s ReposStage) {
		c := openMain(t, s)
		blob := func(name string) string {
			id, ok := c.Blob(name)
			require.Equal(t, id != "", ok, name)
			return id
		}
		at := c.SHA()
		for _, name := range []string{"README.md", "cmd/main.go", "cmd/run.sh", "docs/a/b/c.txt"} {
			require.Equal(t, s.BlobID(anvil, at, name), blob(name), "%s, which is not loaded", name)
		}
		for _, name := range []string{
			"", "nothing", "cmd", "cmd/", "docs/link", "link", "link/x", "vendored", "README.md/x",
		} {
			require.Empty(t, blob(name), "%q is no file", name)
		}
		was := blob("README.md")
		require.NoError(t, c.Load(t.Context(), "README.md"))
		require.NoError(t, c.WriteFile("README.md", []byte("# hammer\n")))
		require.Equal(t, blobID("# hammer\n"), blob("README.md"))
		require.NoError(t, c.WriteFile("empty.txt", nil))
		require.Equal(t, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", blob("empty.txt"))
		require.NoError(t, c.Move("cmd/main.go", "cmd/moved.go"))
		require.Equal(t, s.BlobID(anvil, at, "cmd/main.go"), blob("cmd/moved.go"))
		require.Empty(t, blob("cmd/main.go"))
		require.NoError(t, c.Remove("cmd/run.sh"))
		require.Empty(t, blob("cmd/run.sh"))
		require.NoError(t, c.SetExecutable("README.md", true))
		require.Equal(t, blobID("# hammer\n"), blob("README.md"), "the mode is not part of it")
		require.NoError(t, c.WriteFile("README.md", []byte("# anvil\n")))
		require.Equal(t, was, blob("README.md"))
	}},
}

// loaded returns those of some files that can be read, and how many bytes they have. The others can be loaded.
func loaded(t *testing.T, c repo.Checkout, names []string) (out []string, bytes int) {
	for _, name := range names {
		data, err := c.ReadFile(name)
		if err != nil {
			require.NotErrorIs(t, err, fs.ErrNotExist)
			continue
		}
		out, bytes = append(out, name), bytes+len(data)
	}
	return out, bytes
}

// blobID is git's name of a file's content.
func blobID(text string) string {
	sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text)) //nolint:gosec // git's ids
	return hex.EncodeToString(sum[:])
}

package lexical

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ownFiles returns the paths of the files of this module, sorted.
func ownFiles(t *testing.T) (files []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS("../../.."), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, name)
		}
		return err
	})
	require.NoError(t, err)
	slices.Sort(files)
	require.Greater(t, len(files), 1000)
	return files
}

// madeFiles returns sorted paths of which many share words with one another.
func madeFiles(random *rand.Rand, n int) (files []string) {
	words := strings.Fields("parse Parser parsing token tokens HTTPServer server_test docs cache cacheIndex x 7 é")
	for range n {
		parts := make([]string, 1+random.IntN(5))
		for i := range parts {
			parts[i] = words[random.IntN(len(words))] + []string{"", "_", fmt.Sprint(random.IntN(9))}[random.IntN(3)]
		}
		files = append(files, strings.Join(parts, "/")+[]string{".go", ".py", "", ".ts"}[random.IntN(4)])
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// Paths are ranked, in groups and whatever is left out of them, as an index ranks files of which nothing else is known:
// with the same floating-point numbers.
func TestPathsAreRankedLikeFilesWithoutContents(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	trees := [][]string{nil, {"main.go"}, ownFiles(t), madeFiles(random, 50), madeFiles(random, 5000)}
	for range 30 {
		trees = append(trees, madeFiles(random, 1+random.IntN(400)))
	}
	queries := []string{"", "nothing of this", "parse the tokens", "cacheIndex of HTTPServer in `docs/parser.go`",
		"the session's cookie in internal/web", "bot/retrieve/lexical/rank.go ranks go files", "x", "7 é"}
	for _, files := range trees {
		for _, text := range queries {
			for _, leaves := range []int{0, 2, 10} { // one in so many is left out
				q := NewQuery("tenon", text)
				out, groups := map[string]bool{}, []Among(nil)
				for at := 0; at < len(files); {
					end := min(len(files), at+1+random.IntN(1+len(files)/3))
					group := Among{Paths: NewPaths(slices.Values(files[at:end]))}
					for i := range end - at {
						if leaves > 0 && random.IntN(leaves) == 0 {
							if group.Out == nil {
								group.Out = make([]bool, end-at)
							}
							group.Out[i], out[files[at+i]] = true, true
						}
					}
					groups, at = append(groups, group), end
				}
				var left []File
				for _, name := range files {
					if !out[name] {
						left = append(left, File{Path: name})
					}
				}
				var want, got []string
				for _, h := range NewIndex(left).Rank(q) {
					want = append(want, left[h.File].Path)
				}
				for _, n := range RankPaths(q, groups) {
					got = append(got, files[n])
				}
				require.Equal(t, want, got, "%d files, %q", len(files), text)
			}
		}
	}
}

func TestNamesAreThoseOfSourcesAndTests(t *testing.T) {
	t.Parallel()
	files := []string{"README.md", "a/b/c.go", "a/b/c_test.go", "a/hidden.go", "a/x.py", "b.go", "docs/ignored.py"}
	n := NewNames(slices.Values(files), func(name string) bool { return strings.HasSuffix(name, "hidden.go") },
		func(name string) bool { return strings.Contains(name, "ignored") })
	require.Equal(t, []uint16{1, 4, 5, 6}, n.Sources)
	require.Equal(t, []uint16{2}, n.Tests)
	require.Equal(t, []bool{false, false, false, true}, n.Ignored)
	require.Nil(t, NewNames(slices.Values(files), never, never).Ignored)
}

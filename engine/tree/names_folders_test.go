package tree_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/engine/tree"
)

// listedTree is a linkedTree that lists one folder at a time, and never all files for a name.
type listedTree struct {
	linkedTree
	looks *int // at entries
}

func (t listedTree) entries() map[string]tree.Kind {
	all := maps.Clone(t.links)
	for file := range t.MemTree {
		all[file] = tree.File
	}
	return all
}

func (t listedTree) Entries(folder string, visit func(string, tree.Kind)) error {
	seen := map[string]bool{}
	for path, kind := range t.entries() {
		rest, ok := strings.CutPrefix("/"+path, strings.TrimSuffix("/"+folder, "/")+"/")
		name, _, deeper := strings.Cut(rest, "/")
		if !ok || seen[name] {
			continue
		}
		if deeper {
			kind = tree.Folder
		}
		seen[name] = true
		*t.looks++
		visit(name, kind)
	}
	return nil
}

func (t listedTree) Named(base string) (files []string, err error) {
	for _, file := range slices.Sorted(maps.Keys(t.MemTree)) {
		if path.Base(file) == base {
			files = append(files, file)
		}
	}
	return files, nil
}

// spelledTree returns a tree of names that some systems take for each other, with links, and names that are not in it.
// A folder of links has a file, too, unless alone is true.
func spelledTree(random *rand.Rand, alone bool) (repo linkedTree, others []string) {
	names := []string{"a", "A", "b", "ß", "ss", "é", "e\u0301", "a.", "...", "x:y", "X", "main.go", "Main.go", "mian.go"}
	pick := func() string {
		parts := make([]string, 1+random.IntN(3))
		for i := range parts {
			parts[i] = names[random.IntN(len(names))]
		}
		return strings.Join(parts, "/")
	}
	repo = linkedTree{tree.MemTree{}, map[string]tree.Kind{}}
	free := func(name string) bool { // git has nothing below a file, or where a folder is
		for other := range (listedTree{linkedTree: repo}).entries() {
			if other == name || strings.HasPrefix(other, name+"/") || strings.HasPrefix(name, other+"/") {
				return false
			}
		}
		return true
	}
	for range 25 {
		switch name := pick(); {
		case !free(name):
		case random.IntN(5) == 0 && (alone || free(path.Join(path.Dir(name), "file"))):
			repo.links[name] = []tree.Kind{tree.Symlink, tree.Submodule}[random.IntN(2)]
			if !alone {
				repo.MemTree[path.Join(path.Dir(name), "file")] = []byte("text\n")
			}
		default:
			repo.MemTree[name] = []byte("text\n")
		}
	}
	for range 40 {
		others = append(others, pick())
	}
	return repo, others
}

// A tree that lists one folder at a time gets the same answers as one whose files are all listed.
func TestNamesAreTheSameFolderByFolder(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		repo, others := spelledTree(random, false)
		all, byFolder := tree.NewNames(repo), tree.NewNames(listedTree{repo, new(int)})
		files := slices.Sorted(maps.Keys(repo.MemTree))
		for i, name := range others {
			var gone []string
			for _, f := range files {
				if random.IntN(4) == 0 {
					gone = append(gone, f)
				}
			}
			for _, ask := range []func(*tree.Names) (string, error){
				func(n *tree.Names) (string, error) { return n.Refuse(name, gone...) },
				func(n *tree.Names) (string, error) { return n.Twin(name, gone...) },
				func(n *tree.Names) (string, error) { return n.LinkBehind(name) },
			} {
				want, err := ask(all)
				require.NoError(t, err)
				got, err := ask(byFolder)
				require.NoError(t, err)
				require.Equal(t, want, got, "%s in %q, %v", name, files, repo.links)
			}
			if i%5 == 0 {
				all.Add(name + "/made")
				byFolder.Add(name + "/made")
			}
		}
	}
}

// What a reply comes to does not depend on how a tree lists its files.
func TestAReplyComesToTheSameFolderByFolder(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		repo, others := spelledTree(random, false)
		var blocks []engine.Block
		for i, name := range others {
			b := engine.Block{Path: name, Find: []string{"text"}, Replace: []string{fmt.Sprintf("text %d", i)}}
			if random.IntN(2) == 0 {
				b = engine.Block{Path: name, Create: true, Replace: []string{"new"}}
			}
			blocks = append(blocks, b)
		}
		listed := listedTree{linkedTree{maps.Clone(repo.MemTree), repo.links}, new(int)}
		wantPaths, err := engine.Paths(repo, blocks)
		require.NoError(t, err)
		paths, err := engine.Paths(listed, blocks)
		require.NoError(t, err)
		require.Equal(t, wantPaths, paths)
		want, err := engine.Apply(repo, blocks, engine.Options{})
		require.NoError(t, err)
		got, err := engine.Apply(listed, blocks, engine.Options{})
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// Where folders have links or submodules alone, such as third_party, what is refused is the same, though the text may
// name another spelling.
func TestFoldersOfLinksAloneAreTheSameFolderByFolder(t *testing.T) {
	t.Parallel()
	type outcome struct {
		status engine.Status
		path   string
	}
	random := rand.New(rand.NewPCG(5, 6))
	for range 400 {
		repo, others := spelledTree(random, true)
		listed := listedTree{linkedTree{maps.Clone(repo.MemTree), repo.links}, new(int)}
		all, byFolder := tree.NewNames(repo), tree.NewNames(listed)
		var blocks []engine.Block
		for i, name := range others {
			want, err := all.LinkBehind(name)
			require.NoError(t, err)
			got, err := byFolder.LinkBehind(name)
			require.NoError(t, err)
			require.Equal(t, want, got, "%s in %q, %v", name, slices.Sorted(maps.Keys(repo.MemTree)), repo.links)
			blocks = append(blocks, engine.Block{Path: name, Create: i%2 == 0, Replace: []string{"new"}})
			if i%2 != 0 {
				blocks[i].Find = []string{"text"}
			}
		}
		var outcomes [2][]outcome
		for i, repo := range []tree.Tree{repo, listed} {
			out, err := engine.Apply(repo, blocks, engine.Options{})
			require.NoError(t, err)
			for _, r := range out.Results {
				outcomes[i] = append(outcomes[i], outcome{r.Status, r.Path})
			}
		}
		require.Equal(t, outcomes[0], outcomes[1])
	}
}

// For a new name, only the folders above it are looked at.
func TestANewNameCostsWhatIsInItsFolders(t *testing.T) {
	t.Parallel()
	for _, folders := range []int{10, 1000} {
		repo := listedTree{linkedTree{tree.MemTree{}, map[string]tree.Kind{}}, new(int)}
		for i := range folders {
			repo.MemTree[fmt.Sprintf("src/folder%d/file.go", i)] = nil
		}
		names := tree.NewNames(repo)
		for range 3 {
			why, err := names.Refuse("src/folder7/FILE.go")
			require.NoError(t, err)
			require.Contains(t, why, "src/folder7/file.go exists")
		}
		require.Equal(t, 1+folders+1, *repo.looks)
	}
}

package engine

import (
	"errors"
	"path"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNothingIsWrittenThroughSymlinksOrSubmodules(t *testing.T) {
	t.Parallel()
	tree := fakeTree{
		MemTree: MemTree{"real/x": []byte("a\n")},
		kinds:   map[string]Kind{"ln": Symlink, "sub": Submodule, "real/link": Symlink, "secret": Ignored},
	}
	for path, detail := range map[string]string{
		"ln":        "Unsafe path: ln is a symbolic link",
		"ln/x":      "Unsafe path: ln is a symbolic link",
		"sub/x":     "Unsafe path: sub is a submodule",
		"sub":       "Unsafe path: sub is a submodule",
		"real/link": "Unsafe path: real/link is a symbolic link",
		"secret":    "Unsafe path: secret is ignored by git, or left out of the checkout",
		"ln/new/f":  "Unsafe path: ln is a symbolic link",
	} {
		for _, find := range []string{"", "a"} {
			res := Check(tree, blockOf(path, find, "b"), Options{})
			require.Equal(t, UnsafePath, res.Reason, "%s %q", path, find)
			require.Equal(t, detail, res.Detail)
		}
	}
}

func TestPathsAreTheFilesThatApplyReads(t *testing.T) {
	t.Parallel()
	tree := MemTree{"src/a.go": nil, "b.go": nil, "x/c.go": nil, "y/c.go": nil, "other": nil}
	names, err := Paths(tree, []Block{
		blockOf("a/src/a.go", "x", "y"), blockOf("b.go", "x", "y"), blockOf("b.go", "z", "y"),
		blockOf("new.go", "", "y"), blockOf("lib/c.go", "x", "y"), blockOf("../b.go", "x", "y"),
		blockOf("nowhere", "x", "y"),
	})
	require.NoError(t, err)
	require.Equal(t, []string{"b.go", "src/a.go", "x/c.go", "y/c.go"}, names)
}

// A single word above a block is its path if the tree has it, even if that cannot be edited: the block is not for the
// file of the previous one.
func TestABlockForASymlinkIsNotAppliedToThePreviousBlocksFile(t *testing.T) {
	t.Parallel()
	tree := fakeTree{
		MemTree: MemTree{"a.txt": []byte("one\ntwo\n")},
		kinds:   map[string]Kind{"current": Symlink, "vendored": Submodule},
	}
	for _, name := range []string{"current", "vendored"} {
		reply := Parse(searchBlock("a.txt", "one", "1")+searchBlock(name, "two", "2"), ParseOptions{})
		out, err := Apply(tree, reply.Blocks, Options{DryRun: true})
		require.NoError(t, err)
		require.Equal(t, UnsafePath, out.Results[1].Reason, name)
		require.Contains(t, out.Results[1].Detail, name)
	}
}

func searchBlock(pathLine, find, repl string) string {
	return pathLine + "\n<<<<<<< SEARCH\n" + find + "\n=======\n" + repl + "\n>>>>>>> REPLACE\n\n"
}

// A block with an unlikely file name must not be applied to the file of the previous block.
func TestAnUnlikelyFileNameIsLookedUpBeforeThePreviousBlocksFile(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"we`ird.md", "a|b.txt", "what?.md"} {
		reply := Parse(searchBlock("a.md", "two", "2")+searchBlock(name, "one", "1"), ParseOptions{})
		tree := MemTree{"a.md": []byte("one\ntwo\n"), name: []byte("one\n")}
		_, err := Apply(tree, reply.Blocks, Options{})
		require.NoError(t, err)
		require.Equal(t, "one\n2\n", string(tree["a.md"]), name)
		require.Equal(t, "1\n", string(tree[name]), name)
	}
}

// Bars and backticks are markup in prose, but also characters of names.
func TestAPathWithABarOrABacktickIsEditedInEveryFormat(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"docs/a|b.txt", "we`ird.md", "a|`b`.txt", "`all`.md", "x y|z/``.go"} {
		for _, format := range []Format{FormatV3, FormatAnchored, FormatDiff, FormatDiffFenced, FormatSection} {
			edit := Block{Format: format, Path: name, Anchor: []string{"one"}, Old: []string{"two"}, New: []string{"2"},
				Tail: []string{"three"}}
			edit.Find, edit.Replace = []string{"one", "two", "three"}, []string{"one", "2", "three"}
			if format != FormatAnchored {
				edit.Old, edit.New, edit.Tail = []string{"two", "three"}, []string{"2", "three"}, nil
			}
			tree := MemTree{name: []byte("one\ntwo\nthree\n"), "other.md": []byte("one\ntwo\nthree\n")}
			printed, err := Print([]Block{edit})
			require.NoError(t, err, "%s %s", name, format)
			reply := Parse(printed, ParseOptions{})
			require.Len(t, reply.Blocks, 1, "%s %s", name, format)
			out, err := Apply(tree, reply.Blocks, Options{})
			require.NoError(t, err)
			require.Equal(t, []string{name}, out.Changed, "%s %s", format, out.Results[0].Detail)
			require.Equal(t, "one\n2\nthree\n", string(tree[name]))
		}
	}
	for _, name := range []string{"docs/a|b.txt", "we`ird.md", "a|b`c.txt"} { // as a model writes it, without quotes
		tree := MemTree{name: []byte("one\n")}
		reply := Parse(searchBlock(name, "one", "1"), ParseOptions{})
		require.Empty(t, reply.Problems, name)
		out, err := Apply(tree, reply.Blocks, Options{})
		require.NoError(t, err)
		require.Equal(t, []string{name}, out.Changed)
	}
}

// namingTree is a MemTree that finds files by their base names.
type namingTree struct {
	MemTree
	asked  *[]string
	broken error
}

func (t namingTree) Named(base string) (found []string, err error) {
	*t.asked = append(*t.asked, base)
	files, _ := t.Files()
	for _, name := range files {
		if path.Base(name) == base {
			found = append(found, name)
		}
	}
	return found, t.broken
}

func TestATreeMayFindFilesByTheirNames(t *testing.T) {
	t.Parallel()
	tree := namingTree{MemTree: MemTree{"x/c.go": []byte("one(1)\ntwo(2)\n")}, asked: new([]string)}
	blocks := []Block{blockOf("lib/c.go", "one(1)", "one(one)"), blockOf("lib/c.go", "two(2)", "two(two)")}
	names, err := Paths(tree, blocks)
	require.NoError(t, err)
	require.Equal(t, []string{"x/c.go"}, names)
	out, err := Apply(tree, blocks, Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"x/c.go"}, out.Changed)
	require.Equal(t, []string{"c.go", "c.go"}, *tree.asked, "once in each call")
	tree.broken = errors.New("disk on fire")
	_, err = Apply(tree, blocks, Options{})
	require.ErrorContains(t, err, "looking for files named c.go: disk on fire")
}

func TestANewFileGetsNoNameThatMeansAnotherOne(t *testing.T) {
	t.Parallel()
	tree := MemTree{"README.md": []byte("text\n")}
	out, err := Apply(tree, []Block{
		blockOf("readme.md", "", "x"), blockOf("notes.md", "", "x"), blockOf("Notes.md", "", "x"),
	}, Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"notes.md"}, out.Changed)
	require.Equal(t, "Unsafe path: README.md exists, and some systems treat the two names as the same",
		out.Results[0].Detail)
	require.Equal(t, UnsafePath, out.Results[2].Reason)
}

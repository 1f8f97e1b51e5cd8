package engine

import (
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

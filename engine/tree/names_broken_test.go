package tree_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/tree"
)

// brokenTree is a tree that cannot be listed while it is broken.
type brokenTree struct {
	listedTree
	broken *bool
}

func (t brokenTree) Entries(folder string, visit func(string, tree.Kind)) error {
	if *t.broken && folder != "" {
		return errors.New("broken")
	}
	return t.listedTree.Entries(folder, visit)
}

func (t brokenTree) Links(folder string) ([]string, error) {
	if *t.broken {
		return nil, errors.New("broken")
	}
	return t.linkedTree.Links(folder)
}

// linker is a tree that lists its links, and no folders.
type linker interface {
	Links(folder string) ([]string, error)
}

// What could not be listed is not taken for empty when it is looked at again.
func TestANameIsNotFreeBecauseATreeCannotBeListed(t *testing.T) {
	t.Parallel()
	broken := true
	linked := linkedTree{tree.MemTree{"a/b": nil}, map[string]tree.Kind{"a/c": tree.Symlink}}
	repo := brokenTree{listedTree{linked, new(int)}, &broken}
	for _, names := range []*tree.Names{tree.NewNames(repo), tree.NewNames(struct {
		tree.Tree
		linker
	}{repo, repo})} {
		broken = true
		for range 2 {
			_, err := names.Refuse("a/C/d")
			require.ErrorContains(t, err, "broken")
			_, err = names.LinkBehind("a/C/d")
			require.ErrorContains(t, err, "broken")
		}
		names.Add("x")
		broken = false
		for spelled, other := range map[string]string{"a/C/d": "a/c", "a/B": "a/b"} {
			why, err := names.Refuse(spelled)
			require.NoError(t, err)
			require.Contains(t, why, other+" exists")
		}
	}
}

// unreadableTree is a tree of which nothing is known; its kinds are, if there are any.
type unreadableTree struct {
	tree.Tree
	kinds tree.MemTree
}

func (t unreadableTree) Kind(name string) (tree.Kind, error) {
	if t.kinds == nil {
		return tree.Absent, errors.New("broken")
	}
	return t.kinds.Kind(name)
}

func (t unreadableTree) Files() ([]string, error) { return nil, errors.New("broken") }

func TestNoNameIsFreeInATreeThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for says, repo := range map[string]unreadableTree{
		"looking up a":      {},
		"listing the files": {kinds: tree.MemTree{"b": nil}},
	} {
		names := tree.NewNames(repo)
		_, err := names.Refuse("a")
		require.ErrorContains(t, err, says)
		_, err = names.Twin("a")
		require.ErrorContains(t, err, says)
		_, err = names.LinkBehind("a")
		require.ErrorContains(t, err, says)
	}
}

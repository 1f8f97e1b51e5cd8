package engine

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// brokenTree is a tree that cannot be listed while it is broken.
type brokenTree struct {
	listedTree
	broken *bool
}

func (t brokenTree) Entries(folder string, visit func(string, Kind)) error {
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

// What could not be listed is not taken for empty when it is looked at again.
func TestANameIsNotFreeBecauseATreeCannotBeListed(t *testing.T) {
	t.Parallel()
	broken := true
	tree := brokenTree{listedTree{linkedTree{MemTree{"a/b": nil}, map[string]Kind{"a/c": Symlink}}, new(int)}, &broken}
	for _, names := range []*Names{NewNames(tree), NewNames(struct {
		Tree
		linker
	}{tree, tree})} {
		broken = true
		for range 2 {
			_, err := names.Refuse("a/C/d")
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

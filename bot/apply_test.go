package bot

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
)

// openedTree is a checkout of which only the files are used.
type openedTree struct {
	repo.Checkout
	files engine.MemTree
	read  func()
}

func (c openedTree) Kind(name string) (engine.Kind, error) { return c.files.Kind(name) }
func (c openedTree) Files() ([]string, error)              { return c.files.Files() }
func (c openedTree) WriteFile(string, []byte) error        { return errors.New("nothing may be written") }
func (c openedTree) Load(context.Context, ...string) error { return nil }
func (c openedTree) Blob(string) (string, bool)            { return "", false }
func (c openedTree) ReadFile(name string) (data []byte, err error) {
	c.read()
	return c.files.ReadFile(name)
}

func TestEditsStopBeingAppliedWhenTheProcessEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	read := 0
	tree := openedTree{files: engine.MemTree{}, read: func() {
		if read++; read == 2 {
			cancel()
		}
	}}
	reply := ""
	for _, name := range strings.Fields("a b c d e f g h") {
		tree.files[name+".txt"] = []byte("one\n")
		reply += name + ".txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n"
	}
	blocks := engine.Parse(reply, engine.ParseOptions{}).Blocks
	require.Len(t, blocks, 8)
	_, err := applyBlocks(ctx, tree, blocks, applyOptions{})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 2, read)
}

// Each application has work of its own, and what a check costs does not depend on the machine: so the model is asked
// to repair, and people are shown, what will be committed.
func TestWhatIsNotCheckedInADryRunIsNotCheckedInTheCommitEither(t *testing.T) {
	t.Parallel()
	files, reply := engine.MemTree{}, ""
	for n := range 6 {
		name := fmt.Sprintf("a%d.ts", n)
		files[name] = []byte("let a = 1\n" + strings.Repeat("// "+strings.Repeat("long", 2500)+"\n", 25))
		reply += name + "\n<<<<<<< SEARCH\nlet a = 1\n=======\nlet a = 2\n>>>>>>> REPLACE\n"
	}
	blocks := engine.Parse(reply, engine.ParseOptions{}).Blocks
	for _, refuse := range []bool{false, true} {
		tree := writtenTree{openedTree{files: maps.Clone(files), read: func() {}}}
		how := applyOptions{policy: policy.DefaultPolicy(), dry: true}
		how.policy.RefuseUnchecked = refuse
		dry, err := applyBlocks(t.Context(), tree, blocks, how)
		require.NoError(t, err)
		require.Equal(t, files, tree.files)
		how.dry = false
		made, err := applyBlocks(t.Context(), tree, blocks, how)
		require.NoError(t, err)
		require.Equal(t, dry, made)
		count := map[string]int{}
		for _, r := range made.Results {
			count[r.Status.String()+" "+r.Unchecked]++
		}
		status := map[bool]string{false: "applied", true: "failed"}[refuse]
		require.Equal(t, map[string]int{"applied ": 2, status + " steps": 4}, count, "the work is enough for some")
	}
}

// writtenTree is an openedTree that can be written.
type writtenTree struct{ openedTree }

func (c writtenTree) WriteFile(name string, data []byte) error { return c.files.WriteFile(name, data) }

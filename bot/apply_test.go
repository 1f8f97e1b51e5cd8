package bot

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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

package match_test

import (
	"cmp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/engine/text"
)

// matchCase is a block and what it does to a file.
type matchCase struct {
	file, find, repl string
	level            engine.Level
	after            string // of an applied block
	detail           string // of a block that was not applied
	path             string // "f" if empty
}

func (c matchCase) run(t *testing.T) {
	t.Helper()
	path := cmp.Or(c.path, "f")
	got, res := applyTo(t, path, c.file, c.find, c.repl)
	if c.detail != "" {
		require.Equal(t, engine.Failed, res.Status)
		require.Contains(t, res.Detail, c.detail)
		require.Equal(t, c.file, got)
		return
	}
	require.Equal(t, engine.Applied, res.Status, res.Detail)
	require.Equal(t, c.after, got)
	require.Equal(t, c.level, res.Level)
	again, res := applyTo(t, path, got, c.find, c.repl)
	require.Equal(t, got, again, "applied again: %s", res.Detail)
}

// applyOne applies one block to a file.
func applyOne(t *testing.T, before, find, repl string) (string, engine.Result) {
	t.Helper()
	return applyTo(t, "f", before, find, repl)
}

// applyTo applies one block to a file of some path.
func applyTo(t *testing.T, path, before, find, repl string) (string, engine.Result) {
	t.Helper()
	tree := engine.MemTree{path: []byte(before)}
	out, err := engine.Apply(tree, []engine.Block{blockOf(path, find, repl)}, engine.Options{})
	require.NoError(t, err)
	return string(tree[path]), out.Results[0]
}

// blockOf returns a block as Parse would.
func blockOf(path, find, repl string) engine.Block {
	linesOf := func(s string) []string { return text.New(nil, []byte(s)).Lines() }
	b := engine.Block{Path: path, Find: linesOf(find), Replace: linesOf(repl), Format: engine.FormatDiff}
	n := text.CommonPrefix(b.Find, b.Replace)
	b.Anchor, b.Old, b.New = b.Find[:n], b.Find[n:], b.Replace[n:]
	b.Create = text.AllBlank(b.Find)
	return b
}

package engine_test

import (
	"maps"
	"testing"

	"github.com/tenon-bot/tenon/engine"
)

// applyAgain applies the reply of a case to what it made, then each of its blocks alone to what that made. It returns
// the number of second applications, and of those that changed a file once more.
func (c benchCase) applyAgain(t *testing.T) (applied, changed int) {
	t.Helper()
	blocks := engine.Parse(c.Reply, engine.ParseOptions{}).Blocks
	replies := [][]engine.Block{blocks}
	for _, b := range blocks {
		replies = append(replies, []engine.Block{b})
	}
	for _, reply := range replies {
		once := applyBlocks(t, c.Before, reply, engine.Options{})
		if len(once) == 0 {
			continue
		}
		files := maps.Clone(c.Before)
		if files == nil {
			files = map[string]string{}
		}
		maps.Copy(files, once)
		applied++
		if len(applyBlocks(t, files, reply, engine.Options{})) > 0 {
			changed++
		}
	}
	return applied, changed
}

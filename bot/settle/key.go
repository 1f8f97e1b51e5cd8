package settle

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"github.com/tenon-bot/tenon/engine/merge/trees"
)

// keyLines is how many merged lines above a conflict of lines, and below it, belong to its key: the same lines may be
// in conflict in several places, and a choice for one of them must not settle another one when a branch has moved.
const keyLines = 8

// key is a key in the making.
type key struct{ hash.Hash }

func newKey(what trees.Conflict) key {
	k := key{sha256.New()}
	k.text(string(what.Kind))
	k.text(what.Path)
	return k
}

func (k key) text(s string) { _, _ = fmt.Fprintf(k, "%d:%s", len(s), s) }

func (k key) lines(list []string) {
	_, _ = fmt.Fprintf(k, "%d;", len(list))
	for _, line := range list {
		k.text(line)
	}
}

func (k key) String() string { return hex.EncodeToString(k.Sum(nil)[:16]) }

// keyOf returns the key of a conflict that is not one of lines.
func keyOf(what trees.Conflict) string {
	k := newKey(what)
	for _, v := range []trees.Version{what.Base, what.Ours, what.Theirs} {
		k.text(v.Path)
		k.text(fmt.Sprintf("%o %s", v.Mode, v.ID))
	}
	return k.String()
}

// keysOf returns the keys of the conflicts of a text.
func keysOf(what trees.Conflict) (keys []string) {
	merged := func(i int) []string {
		if i < 0 || i >= len(what.Pieces) {
			return nil
		}
		return what.Pieces[i].Lines
	}
	for i, p := range what.Pieces {
		if p.Conflict == nil {
			continue
		}
		k := newKey(what)
		above, below := merged(i-1), merged(i+1)
		for _, lines := range [][]string{p.Conflict.Base, p.Conflict.Ours, p.Conflict.Theirs,
			above[max(0, len(above)-keyLines):], below[:min(len(below), keyLines)]} {
			k.lines(lines)
		}
		keys = append(keys, k.String())
	}
	return keys
}

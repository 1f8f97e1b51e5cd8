package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// maxNamedMatches is how many matches the detail of an ambiguous block names.
const maxNamedMatches = 5

// Ambiguous returns the detail for several matches, given as lines counted from 1.
func Ambiguous(lines []int) string {
	named := lines[:min(len(lines), maxNamedMatches)]
	words := make([]string, len(named))
	for i, n := range named {
		words[i] = fmt.Sprint(n)
	}
	list := strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
	if len(lines) > len(named) {
		more := fmt.Sprint(len(lines) - len(named))
		if len(lines) >= text.MaxFound {
			more = "at least " + more
		}
		list = strings.Join(words, ", ") + " and " + more + " more"
	}
	return fmt.Sprintf("Edit location is ambiguous (matches at lines %s)", list)
}

// Missing returns which part of a block is not in the file, which has no match of it: the lines before the change, the
// lines to replace after them, or the lines after the change.
func Missing(t *text.Text, b block.Block) block.Reason {
	keys := t.Keys(text.TrimRight)
	has := func(parts ...[]string) bool {
		return len(text.Search(t.Work, keys, text.KeysOf(text.TrimRight, slices.Concat(parts...)))) > 0
	}
	switch {
	case text.AllBlank(b.Anchor) && len(b.Tail) == 0:
	case len(b.Tail) > 0 && has(b.Anchor, b.Old):
		return block.TrailingMismatch
	case !text.AllBlank(b.Anchor) && !has(b.Anchor):
		return block.AnchorNotFound
	case !text.AllBlank(b.Anchor):
		return block.OldMismatch
	}
	return block.NotFound
}

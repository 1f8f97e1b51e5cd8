package explain

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

func TestWhatOfABlockIsMissing(t *testing.T) {
	t.Parallel()
	file := text.New(nil, []byte("one(1)  \ntwo(2)\nthree(3)\n\nfour(4)\n"))
	split := func(s string) []string { return strings.Fields(s) }
	for story, c := range map[string]struct {
		anchor, old, tail string
		want              block.Reason
	}{
		"the lines before the change":       {"zero(0)", "two(2)", "", block.AnchorNotFound},
		"the lines to replace":              {"one(1)", "three(3)", "", block.OldMismatch},
		"the lines after the change":        {"one(1)", "two(2)", "four(4)", block.TrailingMismatch},
		"the lines before one with a tail":  {"zero(0)", "two(2)", "three(3)", block.AnchorNotFound},
		"more than the tail":                {"one(1)", "three(3)", "four(4)", block.OldMismatch},
		"all of it":                         {"", "zero(0)", "", block.NotFound},
		"a tail alone, after what is there": {"", "two(2)", "four(4)", block.TrailingMismatch},
		"all of it, with a tail":            {"", "zero(0)", "four(4)", block.NotFound},
	} {
		b := block.Block{Anchor: split(c.anchor), Old: split(c.old), Tail: split(c.tail)}
		b.Find = slices.Concat(b.Anchor, b.Old, b.Tail)
		require.Equal(t, c.want, Missing(file, b), story)
	}
}

func TestAnAmbiguousBlockNamesSomeOfItsPlaces(t *testing.T) {
	t.Parallel()
	lines := make([]int, text.MaxFound)
	for i := range lines {
		lines[i] = 2*i + 1
	}
	for count, want := range map[int]string{
		2:             "(matches at lines 1 and 3)",
		5:             "(matches at lines 1, 3, 5, 7 and 9)",
		6:             "(matches at lines 1, 3, 5, 7, 9 and 1 more)",
		text.MaxFound: "(matches at lines 1, 3, 5, 7, 9 and at least 95 more)",
	} {
		require.Equal(t, "Edit location is ambiguous "+want, Ambiguous(lines[:count]))
	}
}

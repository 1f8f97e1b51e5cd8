package pattern

import (
	"math"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2/syntax"
)

// class is a set of characters.
type class struct {
	ascii [2]uint64
	// node says which of the others are in it.
	node *syntax.RegexNode
}

func newClass(n *syntax.RegexNode) *class {
	c := &class{node: n}
	for r := range rune(utf8.RuneSelf) {
		if c.slow(r) {
			c.ascii[r>>6] |= 1 << (r & 63)
		}
	}
	return c
}

func (c *class) has(r rune) bool {
	if r < utf8.RuneSelf {
		return c.ascii[r>>6]>>(r&63)&1 != 0
	}
	return c.slow(r)
}

func (c *class) slow(r rune) bool {
	switch {
	case c.node.IsOneFamily():
		return r == c.node.Ch
	case c.node.IsNotoneFamily():
		return r != c.node.Ch
	}
	return c.node.Set.CharIn(r)
}

// isWord reports whether a character is one of a word, for boundaries.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return syntax.IsWordChar(r)
}

// first has the characters with which a match may begin, and perhaps more.
type first struct {
	ascii [2]uint64
	// other: all that are not ASCII. empty: a match may be empty.
	other, empty bool
}

// allows reports whether a match may begin at text[pos].
func (f *first) allows(text []rune, pos int) bool {
	if f.empty || pos >= len(text) {
		return f.empty
	}
	r := text[pos]
	return r < utf8.RuneSelf && f.ascii[r>>6]>>(r&63)&1 != 0 || r >= utf8.RuneSelf && f.other
}

func (f *first) add(g first) {
	f.ascii[0] |= g.ascii[0]
	f.ascii[1] |= g.ascii[1]
	f.other = f.other || g.other
}

// firstOf returns the characters with which a match of a node may begin.
func firstOf(n *syntax.RegexNode) first {
	switch {
	case n.T == syntax.NtPosLook, n.T == syntax.NtNegLook:
		return first{empty: true}
	case n.T == syntax.NtRef, n.Options&syntax.RightToLeft != 0:
		return first{[2]uint64{math.MaxUint64, math.MaxUint64}, true, true}
	case n.IsOneFamily():
		return first{newClass(n).ascii, n.Ch >= utf8.RuneSelf, n.T != syntax.NtOne && n.M == 0}
	case n.IsNotoneFamily(), n.IsSetFamily():
		return first{newClass(n).ascii, true, n.T != syntax.NtNotone && n.T != syntax.NtSet && n.M == 0}
	}
	f := first{}
	switch n.T {
	case syntax.NtNothing:
	case syntax.NtMulti:
		return firstOf(&syntax.RegexNode{T: syntax.NtOne, Ch: n.Str[0]})
	case syntax.NtAlternate:
		for _, child := range n.Children {
			g := firstOf(child)
			f.add(g)
			f.empty = f.empty || g.empty
		}
	case syntax.NtConcatenate, syntax.NtGroup, syntax.NtCapture, syntax.NtAtomic, syntax.NtLoop, syntax.NtLazyloop:
		f.empty = true
		for i := 0; i < len(n.Children) && f.empty; i++ {
			g := firstOf(n.Children[i])
			f.add(g)
			f.empty = g.empty
		}
		if n.T == syntax.NtLoop || n.T == syntax.NtLazyloop {
			f.empty = f.empty || n.M == 0
		}
	default:
		f.empty = true
	}
	return f
}

package secret

import (
	"hash/fnv"
	"math/rand/v2"
	"regexp/syntax"
	"strings"
)

// alphabet is what random secrets are made of, so that none is in a file.
type alphabet string

const (
	digits       alphabet = "0123456789"
	hexadecimal  alphabet = digits + "abcdef"
	lowercase    alphabet = "abcdefghijklmnopqrstuvwxyz"
	alphanumeric alphabet = digits + lowercase + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// random returns n bytes of the alphabet, the same ones each time.
func (a alphabet) random(n int) string {
	h := fnv.New64()
	_, _ = h.Write([]byte(a))
	r := rand.New(rand.NewPCG(h.Sum64(), uint64(n)))
	out := make([]byte, n)
	for i := range out {
		out[i] = a[r.IntN(len(a))]
	}
	return string(out)
}

// example returns a random text that a regular expression matches, but for its conditions on what is beside it.
func example(r *rand.Rand, e *syntax.Regexp) string {
	var b strings.Builder
	repeat := func(least, most int) {
		if most < 0 {
			most = least + 8
		}
		for range least + r.IntN(most-least+1) {
			b.WriteString(example(r, e.Sub[0]))
		}
	}
	switch e.Op {
	case syntax.OpLiteral:
		b.WriteString(string(e.Rune))
	case syntax.OpCharClass:
		b.WriteRune(member(r, e.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		// Many patterns mean a dot.
		b.WriteByte((alphanumeric + alphabet(strings.Repeat(".", len(alphanumeric))))[r.IntN(2*len(alphanumeric))])
	case syntax.OpConcat:
		for _, sub := range e.Sub {
			b.WriteString(example(r, sub))
		}
	case syntax.OpAlternate:
		b.WriteString(example(r, e.Sub[r.IntN(len(e.Sub))]))
	case syntax.OpCapture:
		b.WriteString(example(r, e.Sub[0]))
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpStar:
		repeat(0, -1)
	case syntax.OpPlus:
		repeat(1, -1)
	case syntax.OpRepeat:
		repeat(e.Min, e.Max)
	}
	return b.String()
}

// member returns a character of a class, which is a list of ranges: one of ASCII that can be seen, where there is any.
func member(r *rand.Rand, class []rune) rune {
	var seen []rune
	for c := '!'; c <= '~'; c++ {
		for i := 0; i < len(class); i += 2 {
			if class[i] <= c && c <= class[i+1] {
				seen = append(seen, c)
			}
		}
	}
	if len(seen) == 0 {
		return class[0]
	}
	return seen[r.IntN(len(seen))]
}

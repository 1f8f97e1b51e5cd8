package secret

import "regexp/syntax"

// How much an unbounded repetition counts for the reach of a pattern. A match that ends with one makes its window grow.
const (
	reachOfClass = 128
	reachOfAny   = 512
)

// reach returns about how long a match of a pattern can be, in bytes.
func reach(pattern string) int {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0 // regexp.MustCompile says so
	}
	return reachOf(tree)
}

func reachOf(e *syntax.Regexp) (n int) {
	switch e.Op {
	case syntax.OpLiteral:
		return len(string(e.Rune))
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpQuest:
		return reachOf(e.Sub[0])
	case syntax.OpStar, syntax.OpPlus:
		if e.Sub[0].Op == syntax.OpCharClass {
			return reachOfClass
		}
		return reachOfAny
	case syntax.OpRepeat:
		if e.Max < 0 {
			return e.Min*reachOf(e.Sub[0]) + reachOfClass
		}
		return e.Max * reachOf(e.Sub[0])
	case syntax.OpConcat:
		for _, sub := range e.Sub {
			n += reachOf(sub)
		}
	case syntax.OpAlternate:
		for _, sub := range e.Sub {
			n = max(n, reachOf(sub))
		}
	}
	return n
}

package caution

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// pattern is an expression for lines. Expressions are slow: a line that the expression matches has one of the hints in
// it, in lower case.
type pattern struct {
	hints      []string
	expression *regexp.Regexp
}

// form is one of the alternatives of a pattern: an expression, and a hint that each match has in it. The zero value of
// the expression is the hint itself.
type form struct{ hint, expression string }

// anyOf returns a pattern of alternatives, which ignores case if they say so by "(?i)" at their beginning.
func anyOf(flags, behind string, forms ...form) pattern {
	p := pattern{}
	var alternatives []string
	for _, f := range forms {
		p.hints = append(p.hints, f.hint)
		alternatives = append(alternatives, cmp.Or(f.expression, regexp.QuoteMeta(f.hint)))
	}
	p.expression = regexp.MustCompile(flags + "(?:" + strings.Join(alternatives, "|") + ")" + behind)
	return p
}

// unitsPerByte is the work of comparing a byte with an expression.
const unitsPerByte = 30

// all returns all matches in a line.
func (s *search) all(p pattern, line string) []string {
	if !s.mayMatch(p, line) {
		return nil
	}
	return p.expression.FindAllString(line, -1)
}

// matches reports whether there is a match in a line.
func (s *search) matches(p pattern, line string) bool {
	return s.mayMatch(p, line) && p.expression.MatchString(line)
}

// mayMatch reports whether a line has a hint, and spends the work of the comparison that follows if so.
func (s *search) mayMatch(p pattern, line string) bool {
	folded := strings.ToLower(line)
	if !slices.ContainsFunc(p.hints, func(hint string) bool { return strings.Contains(folded, hint) }) {
		return false
	}
	s.work.Spend(unitsPerByte * len(line))
	return true
}

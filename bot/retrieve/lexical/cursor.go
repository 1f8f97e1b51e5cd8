package lexical

import "slices"

// cursor walks through sorted terms. Together, its steps cost about as much as one pass over the terms, or a binary
// search for each step, whichever is less.
type cursor struct {
	terms []Term // from the present one on
	at    int    // the index of the present one
}

// pass moves on to the first term that is not less than t.
func (c *cursor) pass(t Term) {
	if len(c.terms) == 0 || c.terms[0] >= t {
		return
	}
	step := 1
	for step < len(c.terms) && c.terms[step] < t {
		step *= 2
	}
	n, _ := slices.BinarySearch(c.terms[step/2:min(step, len(c.terms))], t)
	c.skip(step/2 + n)
}

// take moves on behind the terms that equal t, and returns how many there are. The present term must not be less.
func (c *cursor) take(t Term) (n int) {
	for n < len(c.terms) && c.terms[n] == t {
		n++
	}
	c.skip(n)
	return n
}

func (c *cursor) skip(n int) {
	c.terms = c.terms[n:]
	c.at += n
}

// meet moves two cursors on to the next term that both have, and reports whether there is one.
func meet(a, b *cursor) bool {
	for len(a.terms) > 0 && len(b.terms) > 0 {
		switch {
		case a.terms[0] < b.terms[0]:
			a.pass(b.terms[0])
		case a.terms[0] > b.terms[0]:
			b.pass(a.terms[0])
		default:
			return true
		}
	}
	return false
}

package port

import "math"

// Nanos returns the cost of tokens, in billionths of a US dollar, rounded to the nearest. A price counts with six
// decimals.
func (p Price) Nanos(u Usage) int64 {
	// Millionths of a dollar for a million tokens are trillionths for one.
	trillionths := int64(u.In-u.Cached)*micros(p.Input) + int64(u.Cached)*micros(p.Cached) + int64(u.Out)*micros(p.Output)
	return (trillionths + 500) / 1000
}

func micros(dollars float64) int64 { return int64(math.Round(dollars * 1e6)) }

// Add adds one call.
func (m *ModelUse) Add(u Usage, p Price) {
	m.Calls++
	m.In, m.Cached, m.Out = m.In+int64(u.In), m.Cached+int64(u.Cached), m.Out+int64(u.Out)
	if p == (Price{}) {
		m.Unpriced = true
		return
	}
	m.Nanos += p.Nanos(u)
}

// CostOf returns what calls of models cost together, in billionths of a US dollar. unpriced reports whether the price
// of some was not known, which are not in it.
func CostOf(used []ModelUse) (nanos int64, unpriced bool) {
	for _, m := range used {
		nanos, unpriced = nanos+m.Nanos, unpriced || m.Unpriced
	}
	return nanos, unpriced
}

package scores

import (
	"math"
	"math/rand/v2"
)

// Interval is an estimate with its 95 % interval.
type Interval struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// z95 is the 97.5 % quantile of the normal distribution.
const z95 = 1.959963984540054

// group is how often something happened in a task, and how often it could have. Observations of one task depend on one
// another, those of different tasks do not.
type group struct{ happened, of float64 }

// share returns the share of what happened, from 0 to 1, with Wilson's interval. With several observations of a task,
// it is that of the number of independent observations that are worth as much. ok is false if there are none.
func share(groups []group) (i Interval, ok bool) {
	var happened, of, most float64
	tasks := 0
	for _, g := range groups {
		if g.of > 0 {
			tasks++
		}
		happened, of, most = happened+g.happened, of+g.of, max(most, g.of)
	}
	if of == 0 {
		return Interval{}, false
	}
	p, n := happened/of, of
	switch {
	case most <= 1: // each is independent
	case tasks < 2 || p == 0 || p == 1: //nolint:gosec // exact: sums of whole numbers
		n = float64(tasks)
	default:
		var squares float64
		for _, g := range groups {
			d := g.happened - p*g.of
			squares += d * d
		}
		k := float64(tasks)
		variance := k / (k - 1) * squares / (of * of)
		n = min(of, p*(1-p)/max(variance, 1e-12))
		n = max(n, 1)
	}
	return wilson(p, n), true
}

// Share returns the share of n independent observations in which something happened, from 0 to 1, with Wilson's 95 %
// interval. n is at least 1.
func Share(happened, n int) Interval { return wilson(float64(happened)/float64(n), float64(n)) }

// wilson returns Wilson's interval of a share p of n independent observations.
func wilson(p, n float64) Interval {
	z2 := z95 * z95
	middle := (p + z2/(2*n)) / (1 + z2/n)
	half := z95 / (1 + z2/n) * math.Sqrt(p*(1-p)/n+z2/(4*n*n))
	return Interval{Value: p, Low: min(p, max(0, middle-half)), High: max(p, min(1, middle+half))}
}

// mean returns the mean of values with Student's interval. With one value, the interval is that value. ok is false if
// there are none.
func mean(values []float64) (i Interval, ok bool) {
	if len(values) == 0 {
		return Interval{}, false
	}
	n := float64(len(values))
	var sum, squares float64
	for _, v := range values {
		sum += v
	}
	m := sum / n
	for _, v := range values {
		squares += (v - m) * (v - m)
	}
	if len(values) == 1 {
		return Interval{m, m, m}, true
	}
	half := quantile95(len(values)-1) * math.Sqrt(squares/(n-1)/n)
	return Interval{Value: m, Low: m - half, High: m + half}, true
}

// quantile95 returns the 97.5 % quantile of Student's distribution.
func quantile95(freedom int) float64 {
	low, high := 0.0, 13.0
	for range 60 {
		middle := (low + high) / 2
		if within(middle, freedom) < 0.95 {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// within returns the probability that Student's t is between -t and t, by the series for whole degrees of freedom.
func within(t float64, freedom int) float64 {
	theta := math.Atan(t / math.Sqrt(float64(freedom)))
	sin, cos := math.Sincos(theta)
	odd := freedom % 2
	term, sum := 1.0, 0.0
	if odd == 1 {
		term = cos
	}
	for k := odd; k < freedom-1; k += 2 {
		sum += term
		term *= cos * cos * float64(k+1) / float64(k+2)
	}
	if odd == 1 {
		return 2 / math.Pi * (theta + sin*sum)
	}
	return sin * sum
}

// Above exactly differences, chance draws samples of the signs instead of counting all.
const (
	exactly = 16
	samples = 20_000
)

// chance returns how probable it is that differences between pairs are as far from 0 in sum as these, if each could as
// well have had the other sign. It is McNemar's exact test if the differences are those of yes and no.
func chance(differences []float64) float64 {
	var rest []float64
	sum := 0.0
	for _, d := range differences {
		if d != 0 {
			rest = append(rest, d)
			sum += d
		}
	}
	if len(rest) == 0 {
		return 1
	}
	bound := math.Abs(sum) * (1 - 1e-9)
	if len(rest) <= exactly {
		as := 0
		for signs := range 1 << len(rest) {
			as += asFar(rest, bound, func(i int) bool { return signs>>i&1 == 1 })
		}
		return float64(as) / float64(int(1)<<len(rest))
	}
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same samples each time
	as := 1
	for range samples {
		as += asFar(rest, bound, func(int) bool { return random.Uint64()&1 == 1 })
	}
	return float64(as) / (samples + 1)
}

// asFar returns 1 if the sum of values, with some of them negated, is at least bound away from 0.
func asFar(values []float64, bound float64, negated func(i int) bool) int {
	sum := 0.0
	for i, v := range values {
		if negated(i) {
			v = -v
		}
		sum += v
	}
	if math.Abs(sum) >= bound {
		return 1
	}
	return 0
}

package eval

import (
	"fmt"
	"math"
	"slices"
)

// Figures sum up results: of Pairs pairs, how many had each property, and what was spent.
type Figures struct {
	Pairs                                        int
	Any, All, None, LinesAny, LinesAll, Nameable int
	tokens                                       int
	warm, cold                                   []float64 // milliseconds
}

// Sum sums up results.
func Sum(results []Result) Figures {
	f := Figures{Pairs: len(results)}
	for _, r := range results {
		count(&f.Any, r.Any)
		count(&f.All, r.All)
		count(&f.None, r.None)
		count(&f.LinesAny, r.LinesAny)
		count(&f.LinesAll, r.LinesAll)
		count(&f.Nameable, r.Nameable)
		f.tokens += r.Tokens
		f.warm = append(f.warm, r.SelectMS)
		f.cold = append(f.cold, r.ColdMS)
	}
	slices.Sort(f.warm)
	slices.Sort(f.cold)
	return f
}

func count(n *int, yes bool) {
	if yes {
		*n++
	}
}

// String returns the figures in one line: shares in per cent, and the median and the 95th percentile of the time.
func (f Figures) String() string {
	return fmt.Sprintf("pairs=%d any=%.1f all=%.1f none=%.1f lines_any=%.1f lines_all=%.1f nameable=%.1f "+
		"tokens_mean=%.0f select_ms_p50=%.1f select_ms_p95=%.1f",
		f.Pairs, f.share(f.Any), f.share(f.All), f.share(f.None), f.share(f.LinesAny), f.share(f.LinesAll),
		f.share(f.Nameable), f.mean(f.tokens), percentile(f.warm, 50), percentile(f.warm, 95))
}

// share returns n of the pairs in per cent.
func (f Figures) share(n int) float64 { return 100 * f.mean(n) }

func (f Figures) mean(n int) float64 { return float64(n) / float64(max(f.Pairs, 1)) }

// percentile returns the smallest of sorted values that p per cent of them do not exceed, 0 if there are none.
func percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[int(math.Ceil(float64(len(sorted))*p/100))-1]
}

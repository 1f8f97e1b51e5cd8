package eval

import (
	"fmt"
	"math"
	"slices"
)

// Figures sum up results. Shares are in per cent, times in milliseconds.
type Figures struct {
	Pairs                                        int
	Any, All, None, LinesAny, LinesAll, Nameable float64
	Solved                                       float64
	Rounds, Tokens                               float64 // means
	SelectP50, SelectP95, ColdP50, ColdP95       float64
}

// Sum sums up results; of none, all figures are 0.
func Sum(results []Result) Figures {
	share := func(has func(Result) bool) float64 {
		return 100 * mean(results, func(r Result) float64 {
			if has(r) {
				return 1
			}
			return 0
		})
	}
	warm := sorted(results, func(r Result) float64 { return r.SelectMS })
	cold := sorted(results, func(r Result) float64 { return r.ColdMS })
	return Figures{
		Pairs:     len(results),
		Any:       share(func(r Result) bool { return r.Any }),
		All:       share(func(r Result) bool { return r.All }),
		None:      share(func(r Result) bool { return r.None }),
		LinesAny:  share(func(r Result) bool { return r.LinesAny }),
		LinesAll:  share(func(r Result) bool { return r.LinesAll }),
		Nameable:  share(func(r Result) bool { return r.Nameable }),
		Solved:    share(func(r Result) bool { return r.Solved }),
		Rounds:    mean(results, func(r Result) float64 { return float64(len(r.Rounds)) }),
		Tokens:    mean(results, func(r Result) float64 { return float64(r.Tokens) }),
		SelectP50: percentile(warm, 50), SelectP95: percentile(warm, 95),
		ColdP50: percentile(cold, 50), ColdP95: percentile(cold, 95),
	}
}

// String returns the figures in one line.
func (f Figures) String() string {
	return fmt.Sprintf("pairs=%d any=%.1f all=%.1f none=%.1f lines_any=%.1f lines_all=%.1f nameable=%.1f "+
		"oracle_solved=%.1f rounds_mean=%.2f tokens_mean=%.0f select_ms_p50=%.1f select_ms_p95=%.1f",
		f.Pairs, f.Any, f.All, f.None, f.LinesAny, f.LinesAll, f.Nameable,
		f.Solved, f.Rounds, f.Tokens, f.SelectP50, f.SelectP95)
}

func mean(results []Result, value func(Result) float64) float64 {
	sum := 0.0
	for _, r := range results {
		sum += value(r)
	}
	return sum / float64(max(len(results), 1))
}

func sorted(results []Result, value func(Result) float64) []float64 {
	out := make([]float64, 0, len(results))
	for _, r := range results {
		out = append(out, value(r))
	}
	slices.Sort(out)
	return out
}

// percentile returns the smallest of sorted values that at least p per cent of them do not exceed, 0 if there are none.
func percentile(values []float64, p int) float64 {
	if len(values) == 0 {
		return 0
	}
	return values[int(math.Ceil(float64(len(values)*p)/100))-1]
}

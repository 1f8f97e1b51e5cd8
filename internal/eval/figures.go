package eval

import (
	"fmt"
	"math"
	"slices"
)

// Figures sum up results with one budget, which is in tokens. Shares are in per cent, times in milliseconds.
type Figures struct {
	Budget, Pairs                                int
	LinesAny, LinesAll, Any, All, None, Nameable float64
	// GoldShare is the share of the changed files in what is shown of files.
	GoldShare float64
	Solved    float64
	// Offered is the share of pairs for which a model had files to choose from.
	Offered                      float64
	Rounds, Tokens, ChooseTokens float64 // means
	SelectP50, SelectP95         float64
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
	var budget, gold, files int
	times := make([]float64, 0, len(results))
	for _, r := range results {
		budget, gold, files = r.Budget, gold+r.GoldTokens, files+r.FileTokens
		times = append(times, r.SelectMS)
	}
	slices.Sort(times)
	return Figures{
		Budget:       budget,
		Pairs:        len(results),
		LinesAny:     share(func(r Result) bool { return r.LinesAny }),
		LinesAll:     share(func(r Result) bool { return r.LinesAll }),
		Any:          share(func(r Result) bool { return r.Any }),
		All:          share(func(r Result) bool { return r.All }),
		None:         share(func(r Result) bool { return r.None }),
		Nameable:     share(func(r Result) bool { return r.Nameable }),
		GoldShare:    100 * float64(gold) / float64(max(files, 1)),
		Solved:       share(func(r Result) bool { return r.Solved }),
		Offered:      share(func(r Result) bool { return r.Offered > 0 }),
		Rounds:       mean(results, func(r Result) float64 { return float64(len(r.Rounds)) }),
		Tokens:       mean(results, func(r Result) float64 { return float64(r.Tokens) }),
		ChooseTokens: mean(results, func(r Result) float64 { return float64(r.ChooseTokens) }),
		SelectP50:    percentile(times, 50), SelectP95: percentile(times, 95),
	}
}

// SumEach sums up the results with each budget, the budgets in their order.
func SumEach(results []Result) (out []Figures) {
	for _, same := range eachBudget(results) {
		out = append(out, Sum(same))
	}
	return out
}

// eachBudget divides results by their budgets, in the order of these.
func eachBudget(results []Result) (out [][]Result) {
	for _, r := range results {
		at := slices.IndexFunc(out, func(same []Result) bool { return same[0].Budget == r.Budget })
		if at < 0 {
			at, out = len(out), append(out, nil)
		}
		out[at] = append(out[at], r)
	}
	return out
}

// String returns the figures in one line.
func (f Figures) String() string {
	return fmt.Sprintf("tokens=%d pairs=%d lines_any=%.1f lines_all=%.1f any=%.1f all=%.1f none=%.1f gold_share=%.1f "+
		"nameable=%.1f oracle_solved=%.1f rounds_mean=%.2f tokens_mean=%.0f offered=%.1f choose_tokens_mean=%.0f "+
		"select_ms_p50=%.1f select_ms_p95=%.1f",
		f.Budget, f.Pairs, f.LinesAny, f.LinesAll, f.Any, f.All, f.None, f.GoldShare,
		f.Nameable, f.Solved, f.Rounds, f.Tokens, f.Offered, f.ChooseTokens, f.SelectP50, f.SelectP95)
}

func mean(results []Result, value func(Result) float64) float64 {
	sum := 0.0
	for _, r := range results {
		sum += value(r)
	}
	return sum / float64(max(len(results), 1))
}

// percentile returns the smallest of sorted values that at least p per cent of them do not exceed, 0 if there are none.
func percentile(values []float64, p int) float64 {
	if len(values) == 0 {
		return 0
	}
	return values[int(math.Ceil(float64(len(values)*p)/100))-1]
}

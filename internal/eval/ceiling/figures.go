package ceiling

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/tenon-bot/tenon/internal/eval/scores"
)

// failures are the outcomes of pairs that count and are not solved, in the order of the tables.
var failures = []Outcome{Refused, Different, Uncommitted, ReadOnly, NotNameable, OutOfRounds, NotShown}

// Figures sum up results. Shares are in per cent of Pairs, which are those whose fix was found.
type Figures struct {
	Pairs, NoFix int
	Solved       float64
	// SolvedLow and SolvedHigh are the 95 % interval of Solved.
	SolvedLow, SolvedHigh float64
	Failed                map[Outcome]float64
	Rounds, Tokens        float64 // means
}

// Sum sums up results; of none, all figures are 0.
func Sum(results []Result) Figures {
	f := Figures{Failed: map[Outcome]float64{}}
	for _, r := range results {
		if r.Outcome == NoFix {
			f.NoFix++
			continue
		}
		f.Pairs++
		f.Rounds += float64(r.Rounds)
		f.Tokens += float64(r.Tokens)
		if r.Outcome == Solved {
			f.Solved++
		} else {
			f.Failed[r.Outcome]++
		}
	}
	if f.Pairs == 0 {
		return f
	}
	n, solved := float64(f.Pairs), scores.Share(int(f.Solved), f.Pairs)
	f.Rounds, f.Tokens = f.Rounds/n, f.Tokens/n
	f.Solved, f.SolvedLow, f.SolvedHigh = 100*solved.Value, 100*solved.Low, 100*solved.High
	for outcome := range f.Failed {
		f.Failed[outcome] *= 100 / n
	}
	return f
}

// String returns the figures in one line.
func (f Figures) String() string {
	var b strings.Builder
	_, _ = fmt.Fprintf(&b, "pairs=%d solved=%.1f solved_low=%.1f solved_high=%.1f",
		f.Pairs, f.Solved, f.SolvedLow, f.SolvedHigh)
	key := strings.NewReplacer(" ", "_", "-", "_")
	for _, outcome := range failures {
		_, _ = fmt.Fprintf(&b, " %s=%.1f", key.Replace(string(outcome)), f.Failed[outcome])
	}
	_, _ = fmt.Fprintf(&b, " rounds_mean=%.2f tokens_mean=%.0f no_fix=%d", f.Rounds, f.Tokens, f.NoFix)
	return b.String()
}

// PrintTable prints a row of figures for each kind, for each language, and for all pairs.
func PrintTable(w io.Writer, results []Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprint(t, "\tpairs\tsolved\t95 %\t")
	for _, outcome := range failures {
		_, _ = fmt.Fprintf(t, "%s\t", outcome)
	}
	_, _ = fmt.Fprintln(t, "rounds\ttokens\tno fix\t")
	for _, key := range []func(Result) string{
		func(r Result) string { return r.Kind },
		func(r Result) string { return r.Lang },
		func(Result) string { return "all" },
	} {
		groups := map[string][]Result{}
		for _, r := range results {
			groups[key(r)] = append(groups[key(r)], r)
		}
		for _, name := range slices.Sorted(maps.Keys(groups)) {
			f := Sum(groups[name])
			_, _ = fmt.Fprintf(t, "%s\t%d\t%.1f\t%.1f–%.1f\t", name, f.Pairs, f.Solved, f.SolvedLow, f.SolvedHigh)
			for _, outcome := range failures {
				_, _ = fmt.Fprintf(t, "%.1f\t", f.Failed[outcome])
			}
			_, _ = fmt.Fprintf(t, "%.2f\t%.0f\t%d\t\n", f.Rounds, f.Tokens, f.NoFix)
		}
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing the table: %w", err)
	}
	return nil
}

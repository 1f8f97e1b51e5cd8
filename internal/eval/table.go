package eval

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// PrintTable prints a row of figures for each kind, for each language, and for all pairs.
func PrintTable(w io.Writer, results []Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(t, "\tpairs\tany\tall\tnone\tlines any\tlines all\tnameable\tsolved\trounds\ttokens\t"+
		"ms p50\tms p95\tcold p50\tcold p95\t")
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
			_, _ = fmt.Fprintf(t, "%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.2f\t%.0f\t%.1f\t%.1f\t%.1f\t%.1f\t\n",
				name, f.Pairs, f.Any, f.All, f.None, f.LinesAny, f.LinesAll, f.Nameable, f.Solved, f.Rounds, f.Tokens,
				f.SelectP50, f.SelectP95, f.ColdP50, f.ColdP95)
		}
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing the table: %w", err)
	}
	return nil
}

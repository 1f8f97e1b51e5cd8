package eval

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// PrintTable prints a row of figures for each kind, for each language, and for all pairs, with each budget.
func PrintTable(w io.Writer, results []Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(t, "\tbudget\tpairs\tlines any\tlines all\tany\tall\tnone\tgold share\tnameable\tsolved\trounds\t"+
		"tokens\toffered\tchoosing\tms p50\tms p95\t")
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
			for _, f := range SumEach(groups[name]) {
				_, _ = fmt.Fprintf(t, "%s\t%d\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.2f\t%.0f\t%.1f\t%.0f\t"+
					"%.1f\t%.1f\t\n", name, f.Budget, f.Pairs, f.LinesAny, f.LinesAll, f.Any, f.All, f.None, f.GoldShare,
					f.Nameable, f.Solved, f.Rounds, f.Tokens, f.Offered, f.ChooseTokens, f.SelectP50, f.SelectP95)
			}
		}
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing the table: %w", err)
	}
	return nil
}

package eval

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// PrintTable prints the figures for each kind and language, and for all pairs.
func PrintTable(w io.Writer, results []Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(t, "\tpairs\tany\tall\tnone\tlines any\tlines all\tnameable\ttokens\tms p50\tms p95\tcold p50\tcold p95\t")
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
			_, _ = fmt.Fprintf(t, "%s\t%s\n", name, Sum(groups[name]).row())
		}
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing the table: %w", err)
	}
	return nil
}

func (f Figures) row() string {
	return fmt.Sprintf("%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.0f\t%.1f\t%.1f\t%.1f\t%.1f\t",
		f.Pairs, f.share(f.Any), f.share(f.All), f.share(f.None), f.share(f.LinesAny), f.share(f.LinesAll),
		f.share(f.Nameable), f.mean(f.tokens), percentile(f.warm, 50), percentile(f.warm, 95),
		percentile(f.cold, 50), percentile(f.cold, 95))
}

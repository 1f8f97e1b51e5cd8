package conflicts

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"text/tabwriter"
)

// PrintTable prints tables with a row for each repository and one for all. The last line has the figures of all.
func PrintTable(w io.Writer, results []Of) error {
	all := Of{"all", newFigures()}
	for _, r := range results {
		all.merge(r.Figures)
	}
	rows := append(slices.Clone(results), all)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(t, "\tmerges\tleft out\tseveral bases\tin conflict\tfiles compared\tother\toutside\tonly git\t"+
		"only here\thunks\tgone\tnot located\tunsettled\tsettled\tchoices\tnot exact\t")
	for _, r := range rows {
		_, _ = fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%d\t\n", r.Repo, r.Merges,
			total(r.LeftOut), r.Several, r.InConflict, r.Compared, r.Other, r.Outside, r.OnlyGit, r.OnlyHere, total(r.Hunks),
			r.Gone, r.NotLocated, r.Unsettled, r.Settled(), r.choices(), r.NotExact)
	}
	_, _ = fmt.Fprintln(t)
	printCounts(t, "merges left out", rows, func(f Figures) map[LeftOut]int { return f.LeftOut })
	printCounts(t, "files", rows, func(f Figures) map[Kind]int { return f.Files })
	printCounts(t, "hunks", rows, func(f Figures) map[Kind]int { return f.Hunks })
	printShares(t, all.Figures)
	printCounts(t, "replies", rows, func(f Figures) map[Reply]int { return f.Replies })
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing the table: %w", err)
	}
	if _, err := fmt.Fprintln(w, all); err != nil {
		return fmt.Errorf("printing the figures: %w", err)
	}
	return nil
}

// printCounts prints a table with a column for each key of the last row, which has those of all; none if it has none.
func printCounts[K ~string](t io.Writer, title string, rows []Of, counts func(Figures) map[K]int) {
	all := counts(rows[len(rows)-1].Figures)
	if total(all) == 0 {
		return
	}
	keys := slices.SortedFunc(maps.Keys(all), func(a, b K) int { return cmp.Or(all[b]-all[a], cmp.Compare(a, b)) })
	keys = slices.DeleteFunc(keys, func(key K) bool { return all[key] == 0 })
	_, _ = fmt.Fprintf(t, "%s\t", title)
	for _, key := range keys {
		_, _ = fmt.Fprintf(t, "%s\t", key)
	}
	_, _ = fmt.Fprintln(t)
	for _, r := range rows {
		_, _ = fmt.Fprintf(t, "%s\t", r.Repo)
		for _, key := range keys {
			_, _ = fmt.Fprint(t, strconv.Itoa(counts(r.Figures)[key])+"\t")
		}
		_, _ = fmt.Fprintln(t)
	}
	_, _ = fmt.Fprintln(t)
}

// printShares prints how people settled the conflicts, in percent.
func printShares(t io.Writer, all Figures) {
	if all.Settled() == 0 {
		return
	}
	_, _ = fmt.Fprintln(t, "settled by people as\thunks\tpercent\t")
	for _, class := range Classes() {
		n := all.Classes[class]
		_, _ = fmt.Fprintf(t, "%s\t%d\t%.1f\t\n", class, n, percent(n, all.Settled()))
	}
	_, _ = fmt.Fprintln(t)
}

package replies

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/tenon-bot/tenon/engine"
)

// Figures count cases.
type Figures struct {
	Replies int
	Classes map[Class]int
	// Read counts the cases in which nothing may change and a block was read.
	Read int
	// Reasons counts refused cases.
	Reasons map[string]int
	// Levels and Formats count the Equal cases in which something changes: each once, at the most lenient level that it
	// needed, and in each format that it has.
	Levels  map[engine.Level]int
	Formats map[engine.Format]int
}

// Sum sums up results.
func Sum(results []Result) Figures {
	f := Figures{
		Replies: len(results), Classes: map[Class]int{}, Reasons: map[string]int{},
		Levels: map[engine.Level]int{}, Formats: map[engine.Format]int{},
	}
	for _, r := range results {
		f.Classes[r.Class]++
		switch {
		case r.NoChange && r.Blocks > 0:
			f.Read++
		case r.Class == Refused:
			f.Reasons[r.Reason]++
		case r.Class == Equal && len(r.Levels) > 0:
			f.Levels[slices.Max(r.Levels)]++
			for _, format := range r.Formats {
				f.Formats[format]++
			}
		}
	}
	return f
}

// String returns the figures in one line.
func (f Figures) String() string {
	return fmt.Sprintf("replies=%d equal=%d line_ends=%d refused=%d other=%d read=%d", f.Replies,
		f.Classes[Equal], f.Classes[LineEnds], f.Classes[Refused], f.Classes[Other], f.Read)
}

// row is the figures of a form.
type row struct {
	form string
	Figures
}

// PrintTable prints tables with a row for each form and one for all cases: of the classes, of the reasons of refused
// cases, and of the levels and formats of Equal ones. The last line has the figures of all cases.
func PrintTable(w io.Writer, results []Result) error {
	rows := byForm(results)
	all := rows[len(rows)-1].Figures
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(t, "\tcases\tequal\tline-ends\trefused\tother\tread\t")
	for _, r := range rows {
		_, _ = fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", r.form, r.Replies,
			r.Classes[Equal], r.Classes[LineEnds], r.Classes[Refused], r.Classes[Other], r.Read)
	}
	_, _ = fmt.Fprintln(t)
	printCounts(t, "refused by reason", rows, all.Reasons, func(f Figures) map[string]int { return f.Reasons })
	printCounts(t, "equal by level", rows, all.Levels, func(f Figures) map[engine.Level]int { return f.Levels })
	printCounts(t, "equal by format", rows, all.Formats, func(f Figures) map[engine.Format]int { return f.Formats })
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing the table: %w", err)
	}
	if _, err := fmt.Fprintln(w, all); err != nil {
		return fmt.Errorf("printing the figures: %w", err)
	}
	return nil
}

// byForm returns the figures of each form, and last those of all results.
func byForm(results []Result) []row {
	groups := map[string][]Result{}
	for _, r := range results {
		name := cmp.Or(r.Form, "-")
		groups[name] = append(groups[name], r)
	}
	var rows []row
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		rows = append(rows, row{name, Sum(groups[name])})
	}
	return append(rows, row{"all", Sum(results)})
}

// printCounts prints a table with a column for each key that any row has; none if no row has any.
func printCounts[K cmp.Ordered](w io.Writer, title string, rows []row, all map[K]int, keyed func(Figures) map[K]int) {
	if len(all) == 0 {
		return
	}
	keys := slices.Sorted(maps.Keys(all))
	_, _ = fmt.Fprintf(w, "%s\t", title)
	for _, key := range keys {
		_, _ = fmt.Fprintf(w, "%v\t", key)
	}
	_, _ = fmt.Fprintln(w)
	for _, r := range rows {
		counts := keyed(r.Figures)
		if len(counts) == 0 {
			continue
		}
		_, _ = fmt.Fprintf(w, "%s\t", r.form)
		for _, key := range keys {
			_, _ = fmt.Fprintf(w, "%d\t", counts[key])
		}
		_, _ = fmt.Fprintln(w)
	}
	_, _ = fmt.Fprintln(w)
}

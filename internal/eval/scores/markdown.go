package scores

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// WriteMarkdown writes a report as Markdown: a table of the figures, and a table of what was not solved.
func (r Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	if !r.Complete {
		b.WriteString("**Not all tasks were measured.** The figures are of those that were.\n\n")
	}
	columns := r.Models
	if len(columns) > 1 {
		all := r.All
		all.Model = "all"
		columns = append(columns[:len(columns):len(columns)], all)
	}
	row(&b, "", columns, func(f Figures) string { return cell(f.Model) })
	b.WriteString("|---|" + strings.Repeat("---:|", len(columns)) + "\n")
	row(&b, "tasks", columns, func(f Figures) string { return fmt.Sprint(f.Tasks) })
	row(&b, "runs", columns, func(f Figures) string { return fmt.Sprint(f.Runs) })
	if r.All.Judged < r.All.Runs {
		row(&b, "runs that were judged", columns, func(f Figures) string { return fmt.Sprint(f.Judged) })
	}
	if r.All.Errors > 0 {
		row(&b, "errors", columns, func(f Figures) string { return fmt.Sprint(f.Errors) })
	}
	for _, fig := range figures() {
		row(&b, fig.name, columns, func(f Figures) string { return fig.text(*fig.put(&f)) })
	}
	row(&b, "cost in all", columns, func(f Figures) string {
		if f.TotalCost == nil {
			return "–"
		}
		return fmt.Sprintf("$%.4f", *f.TotalCost)
	})
	b.WriteString("\nIn parentheses: the 95 % interval. Tokens, cost and time are means per task.\n")
	if r.estimated() {
		b.WriteString("Some numbers of tokens are estimates, since the provider reported none.\n")
	}
	r.unsolved(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (r Report) estimated() bool {
	for _, result := range r.Results {
		if result.Estimated {
			return true
		}
	}
	return false
}

// unsolved writes a table of the runs that were not solved or not judged.
func (r Report) unsolved(b *strings.Builder) {
	begun := false
	for _, result := range r.Results {
		if result.Solved {
			continue
		}
		if !begun {
			b.WriteString("\n| task | model | run | not solved, or not judged, because |\n|---|---|---:|---|\n")
			begun = true
		}
		why := result.Why
		if result.Error != "" {
			why = result.Error
		}
		fmt.Fprintf(b, "| %s | %s | %d | %s |\n", cell(result.Task), cell(result.Model), result.Run, cell(why))
	}
}

func row(b *strings.Builder, name string, columns []Figures, text func(Figures) string) {
	b.WriteString("| " + name + " |")
	for _, f := range columns {
		b.WriteString(" " + text(f) + " |")
	}
	b.WriteString("\n")
}

// text returns an estimate for people; a dash if nothing was measured.
func (f figure) text(i *Interval) string {
	if i == nil {
		return "–"
	}
	return fmt.Sprintf("%s (%s to %s)", f.number(i.Value), f.number(i.Low), f.number(i.High))
}

func (f figure) number(v float64) string {
	switch {
	case f.isShare:
		return fmt.Sprintf("%.1f %%", 100*v)
	case f.unit == "$":
		return fmt.Sprintf("$%.4f", v)
	case f.unit == "s":
		return fmt.Sprintf("%.2f s", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// maxCell is the longest text in a cell, in characters.
const maxCell = 300

// cell returns text from outside for a cell of a table: in one line, in bounds, with nothing that is Markdown.
func cell(text string) string {
	var b strings.Builder
	n := 0
	for _, r := range strings.Join(strings.Fields(text), " ") {
		if n++; n > maxCell {
			b.WriteString("…")
			break
		}
		switch {
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, "U+%04X", r)
		case strings.ContainsRune("\\|*_`[]<>&#~!@", r):
			b.WriteString("\\" + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

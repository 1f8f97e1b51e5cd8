package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

func newCostCmd() *cobra.Command {
	var dir string
	var asJSON bool
	var flags auditFlags
	by := []string{"owner"}
	cmd := &cobra.Command{
		Use:   "cost",
		Short: "Add up what commands cost, by organisation, repository, person, model or month",
		Long: `cost adds up the calls, tokens and cost of the commands in the audit of a server, which may be
running. Each attempt at a call of a model counts, those that failed included, with what the
provider said that it took, by the prices that were set at the time (models.price). Sums are exact.

Months are those of UTC, and those in which commands ended.`,
		Example: `  tenon cost --by month
  tenon cost --by owner,model --since 2026-11-01 --until 2026-12-01
  tenon cost --by person --owner acme --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			sum, err := newCostSum(by)
			if err != nil {
				return err
			}
			filter, err := flags.filter(cmd.Flags(), time.Now())
			if err != nil {
				return err
			}
			filter.Latest = true
			return operate(cmd.Context(), dir, func(o *store.Operator) error {
				if err := o.Audit(cmd.Context(), filter, sum.add); err != nil {
					return err
				}
				if asJSON {
					return sum.printJSON(cmd.OutOrStdout())
				}
				return sum.print(cmd.OutOrStdout())
			})
		},
	}
	cmd.Flags().StringVar(&dir, "data", "", dataUsage)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object for each row, one to a line, without the total")
	cmd.Flags().StringSliceVar(&by, "by", by,
		"add up by `owner`, repository, person, model or month, or by several: owner,month")
	flags.addTo(cmd)
	return cmd
}

// dimensions are what can be added up by: each returns the name of an entry, or of what it took of a model.
var dimensions = map[string]func(port.Ended, port.ModelUse) string{
	"owner":      func(e port.Ended, _ port.ModelUse) string { return e.Owner },
	"repository": func(e port.Ended, _ port.ModelUse) string { return e.Owner + "/" + e.Repo },
	"person":     func(e port.Ended, _ port.ModelUse) string { return e.Person },
	"model":      func(_ port.Ended, m port.ModelUse) string { return cmp.Or(m.Model, "unknown") },
	"month":      func(e port.Ended, _ port.ModelUse) string { return e.At.UTC().Format("2006-01") },
}

// otherNames are other names of dimensions.
var otherNames = map[string]string{"organization": "owner", "organisation": "owner", "repo": "repository"}

// costRow is a row of the table.
type costRow struct {
	names []string
	Runs  int64
	port.ModelUse
}

// costSum adds up entries of the audit.
type costSum struct {
	by   []string
	rows map[string]*costRow
	all  costRow
}

func newCostSum(keys []string) (*costSum, error) {
	s := &costSum{rows: map[string]*costRow{}}
	for _, name := range keys {
		name = strings.ToLower(strings.TrimSpace(name))
		name = cmp.Or(otherNames[name], name)
		if dimensions[name] == nil {
			return nil, usageError{fmt.Errorf("--by %q is none of owner, repository, person, model and month", name)}
		}
		if !slices.Contains(s.by, name) {
			s.by = append(s.by, name)
		}
	}
	if len(s.by) == 0 {
		return nil, usageError{fmt.Errorf("--by names nothing; name owner, repository, person, model or month")}
	}
	return s, nil
}

// add adds an entry. One that asked no model counts as a run, unless models are what is added up by.
func (s *costSum) add(e port.Ended) error {
	used := e.Models
	if len(used) == 0 && !slices.Contains(s.by, "model") {
		used = []port.ModelUse{{}}
	}
	seen := map[*costRow]bool{}
	for _, m := range used {
		row := s.row(e, m)
		row.take(m)
		s.all.take(m)
		if !seen[row] {
			row.Runs++
			seen[row] = true
		}
	}
	if len(used) > 0 {
		s.all.Runs++
	}
	return nil
}

// row returns the row of an entry and a model. Names that differ in case alone are one.
func (s *costSum) row(e port.Ended, m port.ModelUse) *costRow {
	var names []string
	for _, by := range s.by {
		names = append(names, dimensions[by](e, m))
	}
	key := strings.ToLower(strings.Join(names, "\x00"))
	if s.rows[key] == nil {
		s.rows[key] = &costRow{names: names}
	}
	return s.rows[key]
}

func (r *costRow) take(m port.ModelUse) {
	r.Calls, r.In, r.Cached, r.Out = r.Calls+m.Calls, r.In+m.In, r.Cached+m.Cached, r.Out+m.Out
	r.Nanos, r.Reserved, r.Unpriced = r.Nanos+m.Nanos, r.Reserved+m.Reserved, r.Unpriced || m.Unpriced
}

// sorted returns the rows: by month where that is the first name, else the most expensive first.
func (s *costSum) sorted() []*costRow {
	var out []*costRow
	for _, r := range s.rows {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b *costRow) int {
		if s.by[0] == "month" {
			if c := strings.Compare(a.names[0], b.names[0]); c != 0 {
				return c
			}
		}
		return cmp.Or(cmp.Compare(b.Nanos, a.Nanos), cmp.Compare(b.In+b.Out, a.In+a.Out), cmp.Compare(b.Runs, a.Runs),
			slices.Compare(a.names, b.names))
	})
	return out
}

func (s *costSum) print(w io.Writer) error {
	table := [][]string{append(upper(s.by), "RUNS", "CALLS", "TOKENS IN", "CACHED", "TOKENS OUT", "COST")}
	for _, r := range s.sorted() {
		var names []string
		for _, name := range r.names {
			names = append(names, cell(name))
		}
		table = append(table, r.cells(names))
	}
	table = append(table, s.all.cells(append([]string{"total"}, make([]string, len(s.by)-1)...)))
	if err := printColumns(w, table, len(s.by)); err != nil {
		return err
	}
	if s.all.Unpriced {
		_, _ = fmt.Fprintln(w, "\n?: without the calls of models that had no price (models.price), or of which nobody said "+
			"what they took")
	}
	if s.all.Reserved > 0 {
		_, _ = fmt.Fprintf(w, "\nAbout %s tokens more were reserved for calls of which nobody said what they took.\n",
			humanize.Comma(s.all.Reserved))
	}
	return nil
}

func upper(words []string) (out []string) {
	for _, w := range words {
		out = append(out, strings.ToUpper(w))
	}
	return out
}

// cells returns the row of a table behind its names.
func (r *costRow) cells(names []string) []string {
	cost := "-"
	if r.Calls > 0 {
		cost = costOf([]port.ModelUse{r.ModelUse})
	}
	for _, n := range []int64{r.Runs, r.Calls, r.In, r.Cached, r.Out} {
		names = append(names, humanize.Comma(n))
	}
	return append(names, cost)
}

// printColumns prints a table, with the columns behind the first left ones aligned right.
func printColumns(w io.Writer, table [][]string, left int) error {
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, text := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	for _, row := range table {
		var line strings.Builder
		for i, text := range row {
			width := widths[i]
			if i < left {
				width = -width
			}
			fmt.Fprintf(&line, "%*s  ", width, text)
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line.String(), " ")); err != nil {
			return fmt.Errorf("printing a table: %w", err)
		}
	}
	return nil
}

func (s *costSum) printJSON(w io.Writer) error {
	for _, r := range s.sorted() {
		row := map[string]any{"runs": r.Runs, "calls": r.Calls, "tokens_in": r.In, "tokens_cached": r.Cached,
			"tokens_out": r.Out, "cost_nanos": r.Nanos, "unpriced": r.Unpriced, "tokens_reserved": r.Reserved}
		for i, by := range s.by {
			row[by] = r.names[i]
		}
		if err := printLine(w, row); err != nil {
			return err
		}
	}
	return nil
}

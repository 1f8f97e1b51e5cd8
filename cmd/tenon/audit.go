package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/terminal"
)

func newAuditCmd() *cobra.Command {
	var dir string
	var asJSON bool
	var flags auditFlags
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "List who asked for what, what was changed, and what it cost",
		Long: `audit lists the audit of a server, which may be running: an entry for each command that has
ended, the oldest first. An entry says who gave the command, which permission they had, in which
repository and thread, how it ended and why, the branch and commits with the files they changed,
and each model with its calls, tokens and cost. It has no text of a comment, a prompt or a file.

The outcomes are:

  committed   a commit was made
  unchanged   there were edits, and none of them was committed
  previewed   the edits were shown, and wait to be applied
  answered    the command makes no edits
  refused     the person might not give it, or it could not be carried out
  cancelled   somebody cancelled it, or there was no reason for it any more
  failed      it failed for good, and is a dead letter
  dropped     the App was uninstalled before it was over
  committing  it was about to commit, and has not ended yet

With --json, each entry is one line, with all that is known. docs/audit.md describes the fields.`,
		Example: `  tenon audit --since 7d
  tenon audit --repo acme/lathe --person maria --outcome refused
  tenon audit --since 2026-11-01 --until 2026-12-01 --json > november.jsonl
  tenon audit --json | jq -r '.commits[]? | select(.test | not) | .sha'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			filter, err := flags.filter(cmd.Flags(), time.Now())
			if err != nil {
				return err
			}
			return operate(cmd.Context(), dir, func(o *store.Operator) error {
				list := auditTable(cmd.OutOrStdout())
				notes := cmd.OutOrStdout()
				if asJSON {
					list, notes = auditLines(cmd.OutOrStdout()), cmd.ErrOrStderr()
				}
				if err := o.Audit(cmd.Context(), filter, list.add); err != nil {
					return err
				}
				if err := list.end(); err != nil {
					return err
				}
				if filter != (store.AuditFilter{Since: filter.Since, Until: filter.Until}) {
					return nil // what is only counted may not fit the filter
				}
				unlisted, err := o.Unlisted(cmd.Context(), filter)
				if err != nil {
					return err
				}
				return printUnlisted(notes, unlisted)
			})
		},
	}
	cmd.Flags().StringVar(&dir, "data", "", dataUsage)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object for each entry, one to a line")
	flags.addTo(cmd)
	cmd.Flags().StringVar(&flags.command, "command", "", "of this `command`, such as fix")
	cmd.Flags().StringVar(&flags.outcome, "outcome", "", "with this `outcome`, such as committed or refused")
	cmd.Flags().StringVar(&flags.run, "run", "", "of one `run`: the id at the end of tenon's answer")
	return cmd
}

// auditPrinter prints entries of the audit as they are read.
type auditPrinter struct {
	add func(port.Ended) error
	end func() error
}

// auditEntry is an entry as JSON: with the sums that a reader would make.
type auditEntry struct {
	port.Ended
	// Nanos is the cost of all models, Unpriced as in port.ModelUse.
	Nanos    int64 `json:"cost_nanos"`
	Unpriced bool  `json:"unpriced,omitempty"`
	// TookMS is how long the run took, in milliseconds.
	TookMS int64 `json:"took_ms"`
}

// auditLines prints JSON Lines.
func auditLines(w io.Writer) auditPrinter {
	return auditPrinter{
		add: func(e port.Ended) error {
			entry := auditEntry{Ended: e, TookMS: e.Took().Milliseconds()}
			entry.Nanos, entry.Unpriced = port.CostOf(e.Models)
			return printLine(w, entry)
		},
		end: func() error { return nil },
	}
}

// printLine prints a value as JSON in one line. What a terminal would obey is printed as an escape.
func printLine(w io.Writer, value any) error {
	data, err := json.Marshal(value)
	if err == nil {
		_, err = fmt.Fprintln(w, printable(string(data)))
	}
	if err != nil {
		return fmt.Errorf("printing an entry: %w", err)
	}
	return nil
}

// printable returns JSON in which what is not printable, such as a character that a terminal obeys, is an escape.
func printable(json string) string {
	var b strings.Builder
	for _, r := range json {
		switch {
		case r == ' ' || unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// auditRows is after how many rows of the table it is printed: so that much of a long list is in memory.
const auditRows = 500

// auditTable prints a table for people.
func auditTable(w io.Writer) auditPrinter {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	n := 0
	return auditPrinter{
		add: func(e port.Ended) error {
			if n == 0 {
				_, _ = fmt.Fprintln(t, "ENDED (UTC)\tWHO\tPERMISSION\tWHERE\tCOMMAND\tOUTCOME\tCHANGED\tMODEL\tCOST\tRUN")
			}
			n++
			_, _ = fmt.Fprintln(t, strings.Join([]string{e.At.UTC().Format("2006-01-02 15:04:05"), cell(e.Person),
				cell(string(e.Permission)), cell(fmt.Sprintf("%s/%s#%d", e.Owner, e.Repo, e.Thread)), cell(verbOf(e)),
				outcomeOf(e), changeOf(e), cell(modelsOf(e)), costOf(e.Models), cell(e.Run)}, "\t"))
			if n%auditRows == 0 {
				return t.Flush()
			}
			return nil
		},
		end: func() error {
			if n == 0 {
				_, _ = fmt.Fprintln(t, "There is no such entry.")
			}
			return t.Flush()
		},
	}
}

// maxNameShown is how much of a name the table shows, in characters.
const maxNameShown = 60

// cell returns a name that others chose as a cell of a table.
func cell(name string) string {
	name = strings.ReplaceAll(name, "\t", " ")
	if runes := []rune(name); len(runes) > maxNameShown {
		name = string(runes[:maxNameShown-1]) + "…"
	}
	return cmp.Or(terminal.Escape(name), "-")
}

func verbOf(e port.Ended) string {
	if e.Round > 0 {
		return fmt.Sprintf("%s (round %d of autofix)", e.Command, e.Round)
	}
	return e.Command
}

// outcomeOf says how a run ended, and why in a word.
func outcomeOf(e port.Ended) string {
	out := string(e.Outcome)
	switch {
	case e.By != "":
		out += " by " + e.By
	case e.Reason != "":
		out += ": " + string(e.Reason)
	}
	if e.Unsure && e.Outcome != port.EndCommitting {
		out += " (it may have committed)"
	}
	return cell(out)
}

// changeOf says what a run changed.
func changeOf(e port.Ended) string {
	for _, c := range e.Commits {
		if !c.Test {
			return cell(fmt.Sprintf("%.10s on %s, %s", c.SHA, c.Branch, humanizeFiles(c.Files)))
		}
	}
	return "-"
}

func humanizeFiles(n int) string {
	if n == 1 {
		return "1 file"
	}
	return humanize.Comma(int64(n)) + " files"
}

func modelsOf(e port.Ended) string {
	var names []string
	for _, m := range e.Models {
		if m.Calls > 0 {
			names = append(names, cmp.Or(m.Model, "unknown"))
		}
	}
	return strings.Join(names, ", ")
}

// costOf is the cost of calls; "-" if there were none, "?" if it is not known.
func costOf(used []port.ModelUse) string {
	nanos, unpriced := port.CostOf(used)
	switch {
	case len(used) == 0:
		return "-"
	case unpriced && nanos == 0:
		return "?"
	case unpriced:
		return dollars(nanos) + " + ?"
	}
	return dollars(nanos)
}

// dollars writes billionths of a dollar exactly, with two to nine decimals.
func dollars(nanos int64) string {
	text := fmt.Sprintf("%d.%09d", nanos/1e9, nanos%1e9)
	cut := strings.TrimRight(text, "0")
	return "$" + text[:max(len(cut), len(text)-7)]
}

// printUnlisted says what the audit leaves out.
func printUnlisted(w io.Writer, all []store.Unlisted) error {
	for _, u := range all {
		_, err := fmt.Fprintf(w, "%s: %s more of people without write permission in installation %d came to nothing, and "+
			"are only counted\n", u.Day, humanizeCommands(u.Count), u.Installation)
		if err != nil {
			return err
		}
	}
	return nil
}

func humanizeCommands(n int64) string {
	if n == 1 {
		return "1 command"
	}
	return humanize.Comma(n) + " commands"
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/doctor"
	"github.com/tenon-bot/tenon/internal/terminal"
)

func newDoctorCmd() *cobra.Command {
	var file string
	var asJSON, noModel bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the settings, the App on GitHub, the model and the database",
		Long: `doctor looks for the mistakes with which nothing happens when somebody comments: a wrong App id, key or
webhook secret, a clock that is wrong, a permission or an event that is missing or was not accepted, a
webhook that leads elsewhere, deliveries that fail, an App that nobody installed, a model that does not
answer, a database that cannot be written. For each it says what to do, and where.

It reads the settings of tenon serve, beside a server that may be running, and changes nothing. Each
model is asked for one token, unless --no-model is given. tenon serve makes the same checks when it
starts, except those of the models, and logs what they find.

Exit codes: 0 nothing failed, though there may be warnings; 1 something failed; 2 the command line is
wrong. docs/troubleshooting.md says what each check is for.`,
		Example: `  tenon doctor
  tenon doctor --config /etc/tenon/tenon.yaml
  tenon doctor --json | jq '.results[] | select(.status == "failed")'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			server := examinedBy(config.Source{File: file})
			if noModel {
				server.Models = nil
			}
			if asJSON {
				return examineJSON(cmd.Context(), server, cmd.OutOrStdout())
			}
			return examine(cmd.Context(), server, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "a YAML `file` with settings (default $TENON_CONFIG)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object with all results")
	cmd.Flags().BoolVar(&noModel, "no-model", false, "ask no model")
	return cmd
}

// tally counts the results of each status.
type tally map[doctor.Status]int

// verdict returns errSome if a check failed.
func (t tally) verdict() error {
	if t[doctor.Failed] > 0 {
		return errSome
	}
	return nil
}

func (t tally) String() string {
	text := fmt.Sprintf("%d ok", t[doctor.OK])
	for _, s := range []struct {
		status doctor.Status
		name   string
	}{{doctor.Warning, "warnings"}, {doctor.Failed, "failed"}, {doctor.Skipped, "skipped"}} {
		if n := t[s.status]; n == 1 && s.name == "warnings" {
			text += ", 1 warning"
		} else if n > 0 {
			text += fmt.Sprintf(", %d %s", n, s.name)
		}
	}
	return text
}

// symbols are what a line of a result begins with.
var symbols = map[doctor.Status]struct {
	mark  string
	style terminal.Style
}{
	doctor.OK: {"✓", terminal.Green}, doctor.Warning: {"!", terminal.Bold}, doctor.Failed: {"✗", terminal.Red},
	doctor.Skipped: {"–", terminal.Dim},
}

// examine checks a server and prints each result as it comes. It returns errSome if something failed.
func examine(ctx context.Context, server doctor.Server, out io.Writer) error {
	colours := terminal.PaletteFor(out)
	total := tally{}
	var err error
	line := func(format string, args ...any) {
		if err == nil {
			_, err = fmt.Fprintf(out, format, args...)
		}
	}
	const indent = "                 "
	doctor.Run(ctx, server, func(r doctor.Result) {
		total[r.Status]++
		m := symbols[r.Status]
		line("%s %-14s %s\n", colours.Paint(m.style, m.mark), r.Check, r.Text)
		if r.Remedy != "" {
			line("%s→ %s\n", indent, r.Remedy)
		}
		if r.Link != "" {
			line("%s  %s\n", indent, r.Link)
		}
	})
	line("\n%s\n", total)
	if total[doctor.Failed]+total[doctor.Warning] == 0 {
		line("Comment /tenon help on a pull request: the answer comes within seconds.\n")
	}
	return errors.Join(err, total.verdict())
}

// examineJSON is examine for programs.
func examineJSON(ctx context.Context, server doctor.Server, out io.Writer) error {
	total := tally{}
	var report struct {
		Version string          `json:"version"`
		OK      int             `json:"ok"`
		Warning int             `json:"warnings"`
		Failed  int             `json:"failed"`
		Skipped int             `json:"skipped"`
		Results []doctor.Result `json:"results"`
	}
	doctor.Run(ctx, server, func(r doctor.Result) {
		total[r.Status]++
		report.Results = append(report.Results, r)
	})
	report.Version = strings.TrimPrefix(thisVersion(), "tenon ")
	report.OK, report.Warning = total[doctor.OK], total[doctor.Warning]
	report.Failed, report.Skipped = total[doctor.Failed], total[doctor.Skipped]
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(report); err != nil {
		return fmt.Errorf("printing the results: %w", err)
	}
	return total.verdict()
}
